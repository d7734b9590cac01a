"""Plain tables with fewer records or with changed ones, and the manifest that says what their columns hold."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audit.json_text import Span, elements, follow, top
from audit.records.source import Source
from audit.records.task import Benchmark, Json
from audit.table_text import TextRow, decode_table, find_separator, name_columns, read_rows
from audit.writers.entries import spell_entry
from audit.writers.known_files import copy_policy, hashes, read_known

MANIFEST = "benchmark.toml"
_BOM = "\ufeff"
_JSON_LINES = (".jsonl", ".ndjson")
Raws = Mapping[int, Mapping[str, Json]]
"""Line of a record to the record."""


class PlainWriter:
    """Writes the table under its name, the policy, and a manifest: a folder that loads by its path."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:
        """Write the files; records that are as they were read are the same to the byte.

        But where a record had no id and its place was its id, ids are written into the table.
        """
        content = read_known(source.tasks, hashes(kept))
        raws = {task.origin.line or 0: task.raw for task in kept.tasks}
        suffix = source.tasks.suffix.lower()
        if suffix == ".json":
            text = _keep_entries(content.decode("utf-8-sig"), [task.raw for task in kept.tasks], raws)
        elif suffix in _JSON_LINES:
            text = "".join(_keep_lines(content.decode("utf-8-sig"), raws))
        else:
            text = _keep_rows(content, raws, is_tabbed=suffix in (".tsv", ".tab"))
        (folder / source.tasks.name).write_text(text, encoding="utf-8", newline="")
        copy_policy(source, kept, folder=folder, name="policy.md")
        database = _write_tables(source, kept, folder=folder, has_new_rows=has_new_rows)
        _copy_policies(source, kept, folder=folder)
        manifest = "\n".join(_manifest(source, kept, database=database))
        (folder / MANIFEST).write_text(f"{manifest}\n", encoding="utf-8", newline="")


def _keep_rows(content: bytes, raws: Raws, *, is_tabbed: bool) -> str:
    text = decode_table(content)
    said, separator = find_separator(text, is_tabbed=is_tabbed)
    rows = [row for row in read_rows(text[len(said) :], separator, first=2 if said else 1) if not row.is_blank]
    headings = name_columns(rows[0].cells)
    added = [name for name in dict.fromkeys(name for raw in raws.values() for name in raw) if name not in headings]
    first = _spell_row([*rows[0].cells, *added], rows[0], separator) if added else rows[0].text
    pieces = [_BOM if content.startswith(_BOM.encode()) else "", said, first]
    for row in rows[1:]:
        if row.line in raws:
            raw = raws[row.line]
            cells = [_cell(raw.get(name)) for name in (*headings, *added)]
            is_same = cells == [*row.cells, *[""] * (len(headings) - len(row.cells))]
            pieces.append(row.text if is_same else _spell_row(cells, row, separator))
    return "".join(pieces)


def _cell(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _spell_row(cells: Sequence[str], row: TextRow, separator: str) -> str:
    ending = row.text[len(row.text.rstrip("\r\n")) :] or "\n"
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=separator, lineterminator=ending).writerow(cells)
    return written.getvalue()


def _keep_lines(text: str, raws: Raws) -> Iterator[str]:
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if number in raws:
            entry = line.strip()
            yield line.replace(entry, spell_entry(entry, raws[number]))


def _keep_entries(text: str, kept: Sequence[Mapping[str, Json]], raws: Raws) -> str:
    """Return an array with the records that are kept; written anew if some share a line, which tells them apart."""
    root = top(text)
    spans = list(elements(text, follow(text, "tasks", start=root) if text[root.start] == "{" else root))
    lines = list(_lines_of(text, spans))
    if len(set(lines)) < len(lines):
        entries = [json.dumps(raw, ensure_ascii=False) for raw in kept]
        return f"{text[: spans[0].start]}{(',' + chr(10)).join(entries)}{text[spans[-1].end :]}"
    pieces = [text[: spans[0].start]]
    for position, (span, line) in enumerate(zip(spans, lines, strict=True)):
        if line in raws:
            if len(pieces) > 1:
                pieces.append(text[spans[position - 1].end : span.start])
            pieces.append(spell_entry(text[span.start : span.end], raws[line], indent=2))
    return "".join([*pieces, text[spans[-1].end :]])


def _lines_of(text: str, spans: Sequence[Span]) -> Iterator[int]:
    line, at = 1, 0
    for span in spans:
        line += text.count("\n", at, span.start)
        at = span.start
        yield line


def _write_tables(source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool) -> str:
    """Write the database and the tool table, where there are such; return the name of the database's file."""
    if source.tools is not None:
        (folder / "tools.json").write_bytes(read_known(source.tools, hashes(kept)))
    if source.database is None:
        return ""
    content = read_known(source.database, hashes(kept))
    if has_new_rows:
        content = json.dumps(kept.database, ensure_ascii=False, indent=2).encode()
    name = "db.json" if has_new_rows else f"db{source.database.suffix}"
    (folder / name).write_bytes(content)
    return name


def _copy_policies(source: Source, kept: Benchmark, *, folder: Path) -> None:
    """Copy the documents beside the table that records name as their own policy."""
    own = {name for task in kept.tasks if task.policy is not None for name in task.policy.files}
    for name in sorted(own - {source.tasks.name}):
        (folder / name).write_bytes(read_known(source.root / name, hashes(kept)))


def _manifest(source: Source, kept: Benchmark, *, database: str) -> Iterator[str]:
    stem = re.sub(r"[^\w.-]", "-", source.tasks.stem)[:80]
    yield "# What bench-audit needs to know to read the table beside this file."
    yield f"name = {_toml(f'{stem}-set')}"
    yield 'loader = "plain"'
    yield f"style = {_toml(kept.style)}"
    yield ""
    yield "[domains.table]"
    yield 'folder = "."'
    yield f"tasks = {_toml(source.tasks.name)}"
    if database:
        yield f"database = {_toml(database)}"
    yield ""
    yield "[domains.table.columns]"
    yield from (f"{field} = {_toml(column)}" for field, column in _columns(kept))


def _columns(kept: Benchmark) -> Iterator[tuple[str, str]]:
    """Yield field and column, of the columns that any record still has."""
    there = {name for task in kept.tasks for name in task.raw}
    for field, column in kept.columns:
        if column in there or column.partition(".")[0] in there:
            yield field, column


def _toml(text: str) -> str:
    """Return a text as TOML writes it: a JSON text, but for one character that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

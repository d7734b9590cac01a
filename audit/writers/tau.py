"""Benchmarks in the layout of τ²-bench, with fewer tasks."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TypeAlias

from audit.databases.tables import Tables, as_tables
from audit.errors import OutputError
from audit.json_text import Span, elements, follow, top
from audit.records.source import Source
from audit.records.task import Benchmark, Json
from audit.writers.entries import spell_entry
from audit.writers.policy_file import ITEMS, NAME, has_own_policy, write_policy

TASKS, SPLITS = "tasks.json", "split_tasks.json"
DEFAULT_SPLIT = "base"
DATABASE, TOOLS = "db", "tools.json"
Entries: TypeAlias = Mapping[str, Mapping[str, Json]]
"""Task id to entry."""
_PLACE = "{{required_documents}}"
_FIRST, _LAST = '<document id="', "</document>"
"""How the documents begin and end in the policy of a task that adds some."""


class TauWriter:
    """Writes tasks, policy, database, tool table and splits side by side: a folder that loads by its path."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:
        """Write the files; entries of tasks and the files that all tasks share are the same to the byte.

        A policy that is put together from several files is written as one.
        """
        raws = {task.id: task.raw for task in kept.tasks}
        known = frozenset(file.sha256 for file in kept.files)
        done = {source.tasks}
        if source.tasks.is_dir():
            done |= _write_task_files(source.tasks, folder / source.tasks.name, raws=raws, known=known)
        else:
            tasks = _read(source.tasks, known).decode("utf-8-sig")
            (folder / TASKS).write_text(keep_entries(tasks, raws), encoding="utf-8", newline="")
        if source.splits is not None:
            done.add(source.splits)
            splits = keep_splits(_read(source.splits, known).decode("utf-8-sig"), raws)
            (folder / SPLITS).write_text(splits, encoding="utf-8", newline="")
        done |= _write_shared(source, kept, folder=folder, has_new_rows=has_new_rows)
        _copy_others(source, kept, folder=folder, done=done)


def _write_shared(source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool) -> set[Path]:
    """Write what all tasks share; return the files that it stood in."""
    known = frozenset(file.sha256 for file in kept.files)
    done = {path for path in (source.policy, source.database, source.tools) if path is not None}
    if has_own_policy(kept) or kept.policy.pieces:
        done |= {source.root / name for name in kept.policy.files}
        write_policy(folder, kept.policy, text=join_policy(kept))
    elif source.policy is not None and source.policy_template is None:
        (folder / NAME).write_bytes(_read(source.policy, known))
        if isinstance(source.items, Path):
            (folder / ITEMS).write_bytes(source.items.read_bytes())
    if source.database is not None and has_new_rows:
        tables = _refill(_read(source.database, known), kept.database, is_json=source.database.suffix == ".json")
        (folder / f"{DATABASE}.json").write_text(tables, encoding="utf-8", newline="")
    elif source.database is not None:
        (folder / f"{DATABASE}{source.database.suffix}").write_bytes(_read(source.database, known))
    if source.tools is not None:
        (folder / TOOLS).write_bytes(_read(source.tools, known))
    return done


def _refill(content: bytes, tables: Tables, *, is_json: bool) -> str:
    """Return a database file with other tables in the places of its own; what is no table stays as it is."""
    text = content.decode("utf-8-sig")
    values = json.loads(text) if is_json else tomllib.loads(text)
    for name, rows in tables.items():
        old = values[name]
        if isinstance(old, list):
            values[name] = list(rows.values())
        elif set(as_tables({name: old})[name]) == set(old):
            values[name] = rows
        else:
            values[name] = old | {"data": rows}
    return json.dumps(values, ensure_ascii=False, indent=2, default=str) + "\n"


def join_policy(benchmark: Benchmark) -> str:
    """Return the shared policy as one text, with a place for the documents that tasks add to it, where some do."""
    own = next((task.policy.text for task in benchmark.tasks if task.policy is not None), None)
    if own is None:
        return benchmark.policy.text
    first = own.index(_FIRST, len(benchmark.policy.text))
    return f"{own[:first]}{_PLACE}{own[own.rindex(_LAST) + len(_LAST) :]}"


def _write_task_files(tasks: Path, folder: Path, *, raws: Entries, known: Collection[str]) -> set[Path]:
    """Copy the files of the tasks that are kept, one task a file; return all files of the old folder."""
    folder.mkdir()
    files = set(tasks.glob("*.json"))
    for path in files:
        text = _read(path, known).decode("utf-8-sig")
        raw = raws.get(_id_of(text, top(text)))
        if raw is not None:
            whole = top(text)
            new = spell_entry(text[whole.start : whole.end], raw, indent=2)
            is_same = new == text[whole.start : whole.end]
            (folder / path.name).write_bytes(path.read_bytes() if is_same else f"{new}\n".encode())
    return files


def _copy_others(source: Source, kept: Benchmark, *, folder: Path, done: Collection[Path]) -> None:
    """Copy what else the benchmark was read from below its folder, such as documents, to the same place."""
    for file in kept.files:
        path = source.root / file.path
        if not Path(file.path).is_absolute() and path.is_file() and path not in done:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_read(path, {file.sha256}))


def keep_entries(text: str, raws: Entries) -> str:
    r"""Return a task file with the entries of these tasks alone; what is as it was read stays as it is.

    Examples
    --------
    >>> keep_entries('[{"id": 1},\n {"id":"2"}]', {"2": {"id": "2"}})
    '[{"id":"2"}]'
    """
    root = top(text)
    listed = follow(text, "tasks", start=root) if text[root.start] == "{" else root
    spans = list(elements(text, listed))
    kept = [position for position, span in enumerate(spans) if _id_of(text, span) in raws]
    pieces = [text[: spans[0].start]]
    for position in kept:
        if len(pieces) > 1:
            pieces.append(text[spans[position - 1].end : spans[position].start])
        span = spans[position]
        raw = raws[_id_of(text, span)]
        pieces.append(spell_entry(text[span.start : span.end], raw, indent=2, margin=_margin(text, span)))
    return "".join([*pieces, text[spans[-1].end :]])


def keep_splits(text: str, ids: Collection[str]) -> str:
    r"""Return a split file with these tasks alone.

    A split that is left without a task is dropped, and so is the one that is loaded by default if it lacks any of
    the tasks, which would then not be loaded at all.

    Examples
    --------
    >>> keep_splits('{"train": ["1", "2"], "test": ["3"]}', {"1"})
    '{\n  "train": [\n    "1"\n  ]\n}\n'
    """
    splits = {
        name: [task_id for task_id in listed or () if task_id in ids] for name, listed in json.loads(text).items()
    }
    hidden = set(ids) - set(splits[DEFAULT_SPLIT]) if DEFAULT_SPLIT in splits else set()
    filled = {name: listed for name, listed in splits.items() if listed and not (hidden and name == DEFAULT_SPLIT)}
    return json.dumps(filled, indent=2, ensure_ascii=False) + "\n"


def _margin(text: str, span: Span) -> str:
    """Return the blanks that an entry is set in by, if it begins a line."""
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return before if before.isspace() else ""


def _id_of(text: str, entry: Span) -> str:
    return next(str(json.loads(text[span.start : span.end])) for span in elements(text, entry) if span.key == "id")


def _read(path: Path, known: Collection[str]) -> bytes:
    """Return a file's bytes if they are those that the benchmark was read from."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in known:
        raise OutputError("has changed since it was read", where=str(path), mend="Run the command again")
    return content

"""Tables of tasks: CSV and its kin, a JSON array, or one JSON object a line; each record knows its row and line."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.errors import LoadError
from audit.json_text import elements, follow, top
from audit.loaders.entry import name_type
from audit.loaders.json_file import InputFile, decode, parse_json
from audit.records.task import Json
from audit.table_text import TextRow, decode_table, find_separator, name_columns, read_rows

JSON_LINES = (".jsonl", ".ndjson")
MAX_LINES, MAX_CELLS = 1_000_000, 5_000_000
"""More than this is refused: no team wrote so many tasks, and blank lines or cells would fill the memory."""


@dataclass(frozen=True, slots=True)
class Record:
    """One task of a table.

    Parameters
    ----------
    values
        By column; of a separated file all of them texts.
    place
        Where it stands, for messages: the row as a spreadsheet counts it, or the entry.
    line
        1-based, of its beginning.
    """

    values: Mapping[str, Json]
    place: str
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table's records, and what else is in the file.

    Parameters
    ----------
    headings
        Columns in order; of JSON every key of any record.
    separator
        Between cells; empty for JSON.
    """

    file: InputFile
    headings: tuple[str, ...]
    records: tuple[Record, ...]
    separator: str = ""


def read_table(file: InputFile) -> Table:
    """Read a table, in the form that its name says.

    Raises
    ------
    LoadError
        Naming file and row, if it is not of that form or holds no record.
    """
    suffix = file.path.suffix.lower()
    if suffix in JSON_LINES:
        table = _read_lines(file)
    elif suffix == ".json":
        table = _read_array(file)
    else:
        table = _read_separated(file)
    if not table.records:
        raise LoadError("holds no task", where=str(file.path), mend="Add a row for each task")
    return table


def _decode(file: InputFile) -> str:
    if file.content.startswith(b"PK\x03\x04"):
        raise LoadError("a workbook, whatever its name", where=str(file.path), mend="Save the sheet as CSV UTF-8")
    try:
        text = decode_table(file.content)
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        where = f"{file.path}:{line}"
        what = f"not {error.encoding.upper()} (byte {file.content[min(error.start, len(file.content) - 1)]:#04x})"
        mend = "Save it as UTF-8; in Excel as 'CSV UTF-8 (comma delimited)'"
        raise LoadError(what, where=where, mend=mend) from error
    if "\0" in text:
        raise LoadError("holds zero bytes, as no text does", where=str(file.path), mend="Save it as UTF-8")
    return text


def _read_separated(file: InputFile) -> Table:
    text = _decode(file)
    said, separator = find_separator(text, is_tabbed=file.path.suffix.lower() in (".tsv", ".tab"))
    _refuse_lines(text, file)
    rows = (row for row in _rows(text[len(said) :], separator, file, first=2 if said else 1) if not row.is_blank)
    first = next(rows, None)
    if first is None:
        raise LoadError("holds no row", where=str(file.path), mend="Give a row of headings and a row for each task")
    headings = _headings(first.cells, file)
    records: list[Record] = []
    for row in rows:
        records.append(_record(row, headings, file))
        if len(records) * len(headings) > MAX_CELLS:
            what = f"has more than {MAX_CELLS // 1_000_000} million cells"
            raise LoadError(what, where=str(file.path), mend="Split the table, or leave empty columns out")
    return Table(file, headings, tuple(records), separator)


def _refuse_lines(text: str, file: InputFile) -> None:
    if text.count("\n") + text.count("\r") > 2 * MAX_LINES:
        raise LoadError(f"has more than {MAX_LINES:,} lines", where=str(file.path), mend="Split the table")


def _rows(text: str, separator: str, file: InputFile, *, first: int) -> Iterator[TextRow]:
    number, line = first, first
    try:
        for row in read_rows(text, separator, first=first):
            yield row
            number, line = row.number + 1, row.line + len(row.text.splitlines())
    except csv.Error as error:
        where = f"{file.path} row {number} (from line {line})"
        raise LoadError(_csv_words(error), where=where, mend="Mend the quotes, or save it as CSV anew") from error


def _csv_words(error: csv.Error) -> str:
    said = str(error)
    if "field larger" in said:
        return f"a cell is longer than {csv.field_size_limit():,} characters; is a quote missing?"
    return "a quote is opened and never closed" if "unexpected end" in said else f"no sound CSV ({said})"


def _headings(cells: Sequence[str], file: InputFile) -> tuple[str, ...]:
    names = name_columns(cells)
    double, n_times = Counter(names).most_common(1)[0]
    if n_times > 1:
        what = f"two columns have the heading {double!r}"
        raise LoadError(what, where=str(file.path), mend="Rename one of them")
    return names


def _record(row: TextRow, headings: Sequence[str], file: InputFile) -> Record:
    place = f"row {row.number}"
    surplus = [cell for cell in row.cells[len(headings) :] if cell.strip()]
    if surplus:
        what = f"{len(row.cells)} cells, and {len(headings)} headings"
        mend = "Put cells that hold the separator or a line break into quotes"
        raise LoadError(what, where=f"{file.path} {place} (line {row.line})", mend=mend)
    cells = [*row.cells, *[""] * (len(headings) - len(row.cells))]
    return Record(dict(zip(headings, cells, strict=False)), place, row.line)


def _read_lines(file: InputFile) -> Table:
    text = decode(file)
    _refuse_lines(text, file)
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{file.path}:{number}"
        try:
            value = parse_json(InputFile(file.path, file.shown, line.encode()))
        except LoadError as error:
            mend = f"{file.path.suffix} holds one JSON object a line; mend this one"
            raise LoadError(error.what, where=where, mend=mend) from error
        records.append(Record(_object(value, where), f"line {number}", number))
    return Table(file, _keys(records), tuple(records))


def _read_array(file: InputFile) -> Table:
    value, text = parse_json(file), decode(file)
    listed = value["tasks"] if isinstance(value, dict) and "tasks" in value else value
    if not isinstance(listed, list):
        mend = 'Give a list of objects, or {"tasks": [...]}'
        raise LoadError(f"must be a list of tasks, not {name_type(listed)}", where=str(file.path), mend=mend)
    root = top(text)
    spans = elements(text, root if listed is value else follow(text, "tasks", start=root))
    records, line, at = [], 1, 0
    for number, (entry, span) in enumerate(zip(listed, spans, strict=True), 1):
        line += text.count("\n", at, span.start)
        at = span.start
        where = f"{file.path} entry {number}"
        records.append(Record(_object(entry, where), f"entry {number}", line))
    return Table(file, _keys(records), tuple(records))


def _object(value: Json, where: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise LoadError(f"must be an object, not {name_type(value)}", where=where, mend="Give an object for each task")
    return value


def _keys(records: Sequence[Record]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for record in records for key in record.values))

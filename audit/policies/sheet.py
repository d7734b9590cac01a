"""A set of items as a sheet to be filled in: written as CSV or Markdown, read back cell by cell."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from audit.errors import AuditError, LoadError, UsageError
from audit.policies import edits
from audit.policies.resolve import Haystack, fold
from audit.records.item_set import Binds, ItemSet, Review, SetItem
from audit.records.policy import ItemKind
from audit.reports.cells import write_table
from audit.reports.visible import block

COLUMNS = ("id", "review", "kind", "binds", "violable", "title", "split_before", "text")
MERGE = "merge"
"""What ``review`` says of an item that belongs to the one above it."""
_WORDS: Mapping[str, Sequence[str]] = {
    "review": [*(each.value for each in Review), MERGE],
    "kind": [each.value for each in ItemKind],
    "binds": ["", *(each.value for each in Binds)],
    "violable": ["yes", "no"],
}
_GUARD = re.compile(r"'(?=\s*[=+\-@|%＝＋－＠]|[\t\r\n])")
_MOST_CELL = 30_000
_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "<br>", "\t": " ", "&": "&amp;", "<": "&lt;"}
_UNESCAPE = re.compile(r"\\(?P<sign>[\\|])|<br ?/?>|&(?P<name>amp|lt);")
_NAMED = {"amp": "&", "lt": "<", None: "\n"}
_CELL_END = re.compile(r"(?<!\\)(?:\\\\)*\|")
_RULE = re.compile(r"\|?[\s:|-]+\|?")


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that can't be used: ``where`` names its row and column."""

    where: str
    problem: str


@dataclass
class _Filled:
    """What has been taken from a sheet so far."""

    item_set: ItemSet
    text: str
    bad: list[BadCell] = field(default_factory=list)
    merges: list[tuple[str, str]] = field(default_factory=list)
    """Place of the row and id of the item that goes into the one above it."""
    splits: list[tuple[str, str, str]] = field(default_factory=list)
    """Place, id and words that begin the second part."""

    def attempt(self, where: str, change: ItemSet | AuditError) -> None:
        if isinstance(change, AuditError):
            self.bad.append(BadCell(where, f"{change.what}. {change.mend}".rstrip(". ")))
        else:
            self.item_set = change


def write_csv(item_set: ItemSet, text: str) -> bytes:
    """Return the items as a CSV sheet, no cell of which a spreadsheet takes for a formula."""
    return write_table(COLUMNS, (_cells(item, text) for item in item_set.items))


def write_markdown(item_set: ItemSet, text: str) -> bytes:
    """Return the items as a Markdown table."""
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(_cells(item, text) for item in item_set.items)]
    lines = (f"| {' | '.join(_escape(cell) for cell in row)} |" for row in rows)
    return ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def read_sheet(content: bytes, *, is_markdown: bool, where: str) -> list[dict[str, str]]:
    """Return a sheet's rows by the names of its columns.

    Raises
    ------
    LoadError
        If it is not UTF-8, is no table, or lacks a column.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mend = "Save it as UTF-8; in a spreadsheet: 'CSV UTF-8'"
        raise LoadError("the sheet is not UTF-8", where=where, mend=mend) from error
    header, *rows = (_markdown_rows(text) if is_markdown else _csv_rows(text, where=where)) or [[]]
    names = [name.strip().lower() for name in header]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        mend = "Export the sheet anew, and keep its first row"
        raise LoadError(f"the sheet has no column {', '.join(missing)}", where=where, mend=mend)
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    return [{name: row[n] if n < len(row) else "" for n, name in enumerate(names)} for row in filled]


def apply_sheet(item_set: ItemSet, rows: Sequence[Mapping[str, str]], *, text: str) -> tuple[ItemSet, list[BadCell]]:
    """Return the set as the sheet says it, and the cells that can't be used; with any of these the set is of no use.

    Parameters
    ----------
    item_set
        The set that the sheet was written from.
    rows
        From :func:`read_sheet`. A row without an id, whose text stands in the document, is a new item.
    text
        The normalised document.
    """
    filled = _Filled(item_set, text)
    by_id = {item.id: item for item in item_set.items}
    seen: dict[str, int] = {}
    new: list[tuple[int, Mapping[str, str]]] = []
    for number, row in enumerate(rows, 2):
        id = row["id"].strip()
        if not id:
            new.append((number, row))
        elif id not in by_id:
            filled.bad.append(BadCell(f"row {number}, id", f"there is no item {id[:40]!r}"))
        elif id in seen:
            filled.bad.append(BadCell(f"row {number}, id", f"{id} stands in row {seen[id]} too"))
        else:
            seen[id] = number
            _take_row(filled, by_id[id], row, number)
    for id in by_id.keys() - seen.keys():
        filled.bad.append(BadCell("id", f"{id} has no row; put it back, and write 'rejected' to drop it"))
    _restructure(filled)
    for number, row in new:
        _add_row(filled, row, number)
    return filled.item_set, filled.bad


def _take_row(filled: _Filled, item: SetItem, row: Mapping[str, str], number: int) -> None:
    where = f"row {number}"
    cells = {name: row[name].strip().lower() for name in _WORDS}
    wrong = [name for name, known in _WORDS.items() if cells[name] not in known]
    filled.bad += [BadCell(f"{where}, {name}", _not_among(row[name], _WORDS[name])) for name in wrong]
    if fold(_shown(item, filled.text)) != fold(_GUARD.sub("", row["text"], count=1)):
        problem = "the text is not the one that the item marks now; export the sheet anew"
        filled.bad.append(BadCell(f"{where}, text", problem))
        return
    if wrong:
        return
    _take_title(filled, item, row, where)
    _take_kind(filled, item.id, cells)
    if cells["review"] == MERGE:
        filled.merges.append((f"{where}, review", item.id))
    else:
        filled.item_set = edits.set_review(filled.item_set, [item.id], review=Review(cells["review"]))
    if row["split_before"].strip():
        filled.splits.append((f"{where}, split_before", item.id, row["split_before"]))


def _take_title(filled: _Filled, item: SetItem, row: Mapping[str, str], where: str) -> None:
    title = _GUARD.sub("", row["title"].strip(), count=1)
    if title != block(item.title, limit=_MOST_CELL).strip():
        filled.attempt(f"{where}, title", _try(partial(edits.retitle, filled.item_set, item.id, title=title)))


def _take_kind(filled: _Filled, id: str, cells: Mapping[str, str]) -> None:
    binds = Binds(cells["binds"]) if cells["binds"] else None
    filled.item_set = edits.describe(
        filled.item_set, id, kind=ItemKind(cells["kind"]), binds=binds, violable=cells["violable"] == "yes"
    )


def _restructure(filled: _Filled) -> None:
    """Merge from below, so that three items in a row can become one; then split."""
    for where, id in reversed(filled.merges):
        above = [item for item in filled.item_set.items if item.start < edits.find_item(filled.item_set, id).start]
        if not above:
            filled.bad.append(BadCell(where, "there is no item above it to merge with"))
            continue
        name = above[-1].id
        filled.attempt(where, _try(partial(edits.merge, filled.item_set, name, text=filled.text)))
    for where, id, words in filled.splits:
        _split_row(filled, id, words, where=where)


def _split_row(filled: _Filled, id: str, words: str, *, where: str) -> None:
    item = next((each for each in filled.item_set.items if each.id == id), None)
    if item is None:
        filled.bad.append(BadCell(where, f"{id} is merged into the item above it and can't be split too"))
        return
    found = Haystack(filled.text, item.start, end=item.end).find(_GUARD.sub("", words, count=1))
    if found.problem:
        filled.bad.append(BadCell(where, f"these words can't begin the second part: {found.problem}"))
    else:
        filled.attempt(where, _try(partial(edits.split, filled.item_set, id, at=found.start, text=filled.text)))


def _add_row(filled: _Filled, row: Mapping[str, str], number: int) -> None:
    where = f"row {number}"
    taken = [(item.start, item.end) for item in filled.item_set.items if item.review is not Review.REJECTED]
    found = Haystack(filled.text, 0, end=len(filled.text)).find(_GUARD.sub("", row["text"], count=1), taken=taken)
    if found.problem:
        filled.bad.append(BadCell(f"{where}, text", f"no new item can be made of it: {found.problem}"))
        return
    id = edits.next_id(filled.item_set)
    added = _try(partial(edits.add, filled.item_set, found.start, end=found.end, text=filled.text))
    filled.attempt(f"{where}, text", added)
    if isinstance(added, ItemSet):
        item = edits.find_item(added, id)
        defaults = {"review": item.review.value, "kind": item.kind.value, "violable": "yes", "title": item.title}
        cells = {**row, "id": id, "text": _shown(item, filled.text), "split_before": ""}
        _take_row(filled, item, {**cells, **{k: v for k, v in defaults.items() if not row[k].strip()}}, number)


def _try(change: Callable[[], ItemSet]) -> ItemSet | AuditError:
    try:
        return change()
    except (UsageError, LoadError) as error:
        return error


def _not_among(value: str, known: Sequence[str]) -> str:
    return f"{value.strip()[:40]!r} is none of {', '.join(word or 'nothing' for word in known)}"


def _cells(item: SetItem, text: str) -> list[str]:
    return [
        item.id,
        item.review.value,
        item.kind.value,
        item.binds.value if item.binds else "",
        "yes" if item.violable else "no",
        item.title,
        "",
        _shown(item, text),
    ]


def _shown(item: SetItem, text: str) -> str:
    return block(text[item.start : item.end], limit=_MOST_CELL)


def _csv_rows(text: str, *, where: str) -> list[list[str]]:
    """Return the rows of a CSV file, whose cells spreadsheets part by commas, semicolons or tabs."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise LoadError(f"the sheet is no CSV: {error}", where=where, mend="Export the sheet anew") from error


def _markdown_rows(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    return [list(_split_cells(line)) for line in lines if not _RULE.fullmatch(line)]


def _split_cells(line: str) -> Iterator[str]:
    start = 1
    for match in _CELL_END.finditer(line, 1):
        yield _UNESCAPE.sub(lambda mark: mark["sign"] or _NAMED[mark["name"]], line[start : match.end() - 1].strip())
        start = match.end()


def _escape(cell: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in cell)

"""Rows in the text of a table whose cells are parted by a sign, with the text of each."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

SEPARATORS = (",", ";", "\t", "|")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SAID = re.compile(r"sep=([^\w\"'\r\n\0\\])(?:\r\n|\r|\n)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_HEAD, _ROWS = 100_000, 50
"""Characters and rows that are looked at to find the separator."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row.

    Parameters
    ----------
    number
        As a spreadsheet counts, from 1.
    line
        1-based, of its beginning.
    text
        As it stands in the file, its line end included.
    """

    cells: Sequence[str]
    number: int
    line: int
    text: str = field(repr=False)

    @property
    def is_blank(self) -> bool:
        """Whether no cell says anything."""
        return not any(cell.strip() for cell in self.cells)


def decode_table(content: bytes) -> str:
    """Return the text of a table: UTF-8, or UTF-16 with its mark, as spreadsheets save "Unicode text".

    Raises
    ------
    UnicodeDecodeError
        If it is neither.
    """
    return content.decode("utf-16" if content.startswith(_UTF16) else "utf-8-sig")


def find_separator(text: str, *, is_tabbed: bool) -> tuple[str, str]:
    r"""Return a line that names the separator, if the text begins with one, and the separator.

    Without such a line it is the one that parts most of the first rows into as many cells as the headings, and the
    headings into more than one; a comma where several do.

    Examples
    --------
    >>> find_separator("id;what, why\n1;Go.\n", is_tabbed=False), find_separator("sep=|\nid|a;b;c\n", is_tabbed=False)
    (('', ';'), ('sep=|\n', '|'))
    """
    said = _SAID.match(text)
    if said is not None:
        return said[0], said[1]
    return "", "\t" if is_tabbed else max(SEPARATORS, key=lambda sign: _fit(text[:_HEAD], sign))


def _fit(text: str, separator: str) -> tuple[bool, int, int]:
    """Return how well a separator fits: whether there are columns, how many rows agree, and how many columns."""
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        rows = list(islice((cells for cells in reader if any(cell.strip() for cell in cells)), _ROWS))
    except csv.Error:
        return False, 0, 0
    n_columns = len(rows[0]) if rows else 0
    return n_columns > 1, sum(len(cells) == n_columns for cells in rows), n_columns


def read_rows(text: str, separator: str, *, first: int = 1) -> Iterator[TextRow]:
    """Yield the rows of a table, blank ones included.

    Parameters
    ----------
    first
        Number and line of the first row.

    Raises
    ------
    csv.Error
        If a quote is never closed, or what follows one is no separator, or a cell is too long.
    """
    lines = _LINE.findall(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    at = 0
    for number, cells in enumerate(reader, first):
        yield TextRow(cells, number, at + first, "".join(lines[at : reader.line_num]))
        at = reader.line_num


def name_columns(cells: Sequence[str]) -> tuple[str, ...]:
    r"""Return the headings as one line each; columns without one are known by their number.

    Examples
    --------
    >>> name_columns([" Expected\nresult", ""])
    ('Expected result', 'column 2')
    """
    return tuple(" ".join(cell.split()) or f"column {number}" for number, cell in enumerate(cells, 1))

"""A study's tables as CSV, one file a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from audit.records.study import Cell, Column, Estimate, Row, Table
from audit.reports.cells import cell as safe


def render(table: Table) -> bytes:
    """Return one table, UTF-8, numbers unrounded.

    A column that holds estimates becomes four: its value (empty where it is undefined), ``_low``, ``_high`` and
    ``_reason``. The last column, ``label``, holds what must stand beside the row's numbers.
    """
    wide = {column.key for column in table.columns if _has_estimates(table, column)}
    header = [name for column in table.columns for name in _names(column, wide)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*header, "label"])
    writer.writerows([*_row(row, table, wide), safe(row.label)] for row in table.rows)
    return out.getvalue().encode("utf-8", errors="backslashreplace")


def _has_estimates(table: Table, column: Column) -> bool:
    place = table.columns.index(column)
    return any(isinstance(row.cells[place], Estimate) for row in table.rows)


def _names(column: Column, wide: set[str]) -> tuple[str, ...]:
    key = column.key
    return (key, f"{key}_low", f"{key}_high", f"{key}_reason") if key in wide else (key,)


def _row(row: Row, table: Table, wide: set[str]) -> Iterator[str]:
    for cell, column in zip(row.cells, table.columns, strict=True):
        yield from _wide(cell) if column.key in wide else (_text(cell),)


def _wide(cell: Cell) -> tuple[str, str, str, str]:
    if not isinstance(cell, Estimate):
        return (_text(cell), "", "", "")
    ends = cell.interval
    low, high = ("", "") if ends is None else (_text(ends.low), _text(ends.high))
    return ("" if cell.value is None else _text(cell.value), low, high, safe(cell.reason))


def _text(cell: Cell) -> str:
    return repr(cell) if isinstance(cell, int | float) else safe(str(cell))

"""A study as plain text for a terminal or a pipe: no colours, no control sequences, a fixed width."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, TypedDict

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from audit.records.study import Column, ColumnKind, Row, StudyResult, Table
from audit.reports import numbers
from audit.reports.study_cells import (
    CALL_TITLES,
    NUMERIC,
    call_cells,
    interval,
    reason,
    setting_words,
    shown,
)
from audit.reports.visible import plain

WIDTH = 120
_LEAST = 18
"""Characters of a name that are not broken."""
N_REASONS = 6
"""Reasons that are told below a table; the CSV and the JSON have all."""


def render(result: StudyResult) -> bytes:
    """Return the text at the default width; the same result gives the same bytes."""
    return to_text(result).encode("utf-8", errors="backslashreplace")


def to_text(result: StudyResult, *, width: int = WIDTH) -> str:
    """Return the text, no line of it wider than ``width`` cells (at least 60)."""
    out = io.StringIO()
    console = Console(
        file=out, width=max(60, width), height=100, color_system=None, force_terminal=False, legacy_windows=False,
        _environ={},
    )  # fmt: skip
    for part in _parts(result, max(60, width)):
        console.print(part, highlight=False, markup=False, emoji=False, soft_wrap=False)
    return "".join(f"{row.rstrip()}\n" for row in out.getvalue().splitlines()) + "\n"


def _parts(result: StudyResult, width: int) -> Iterator[RenderableType]:
    labels = "".join(f" [{plain(label)}]" for label in result.labels)
    yield Text(f"{plain(result.title)}{labels}")
    told = [f"{name} {plain(text, limit=300)}" for name, text in setting_words(result) if text != numbers.NONE]
    yield Text("; ".join(told))
    if result.summary:
        yield Text("")
    for sentence in result.summary:
        yield Text(plain(sentence, limit=1200))
    for table in result.tables:
        if table.n_in_text != 0:
            yield from _table(table, width)
    if result.calls:
        yield from _calls(result)
    for stop in result.stops:
        yield Text(f"Stopped: {plain(stop, limit=600)}")
    for note in result.notes:
        yield Text(f"Note: {plain(note, limit=1200)}")


def _table(table: Table, width: int) -> Iterator[RenderableType]:
    yield Text(f"\n{plain(table.title)}")
    if table.about:
        yield Text(plain(table.about, limit=1200))
    if not table.rows:
        yield Text("  none")
        return
    rows = table.rows[: table.n_in_text]
    same = [column for column in table.columns if _is_same(column, table)]
    if told := [f"{plain(column.title)} {text}" for column, text in _cells(rows[0], table) if column in same and text]:
        yield Text(f"  {'; '.join(told)}")
    if (label := _common_label(table)) and table.columns[label_place(table)] not in same:
        yield Text(f"  Every row: {plain(label)}")
        rows = tuple(replace(row, label="") for row in rows)
    same += [column for column in table.columns if column.is_detail]
    fits = sum(_least(column, rows, table) + 2 for column in table.columns if column not in same) <= width
    drawn = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for column in table.columns:
        if column not in same:
            layout = _layout(column, rows, table)
            if not fits:
                layout |= {"no_wrap": False, "min_width": None}  # folded, but none lost
            drawn.add_column(plain(column.title), **layout)
    for row in rows:
        drawn.add_row(*(Text(text) for column, text in _cells(row, table) if column not in same))
    yield Padding(drawn, (0, 0, 0, 2))
    if more := len(table.rows) - len(rows):
        yield Text(f"  … and {numbers.plural(more, 'more row')}, in {table.name}.csv and in the JSON")
    yield from _reasons(table, rows)


class _Layout(TypedDict):
    justify: Literal["left", "right"]
    no_wrap: bool
    overflow: Literal["fold"]
    min_width: int | None


def _least(column: Column, rows: tuple[Row, ...], table: Table) -> int:
    """Return the cells that a column takes at least."""
    layout = _layout(column, rows, table)
    if layout["min_width"] is not None:
        return layout["min_width"]
    texts = [text for row in rows for each, text in _cells(row, table) if each is column]
    return max(len(piece) for text in (column.title, *texts) for piece in text.split("\n"))


def _layout(column: Column, rows: tuple[Row, ...], table: Table) -> _Layout:
    """Numbers stay whole; words fold, but not below their length or ``_LEAST``, whichever is less."""
    if column.kind in NUMERIC:
        return _Layout(justify="right", no_wrap=True, overflow="fold", min_width=None)
    number = table.columns.index(column)
    longest = max(len(plain(shown(row.cells[number], column))) for row in rows)
    return _Layout(justify="left", no_wrap=False, overflow="fold", min_width=min(_LEAST, longest))


def _common_label(table: Table) -> str:
    """Return the label that all rows of a table have, so that it can be said once; empty where they differ."""
    labels = {row.label for row in table.rows}
    return labels.pop() if len(labels) == 1 else ""


def _is_same(column: Column, table: Table) -> bool:
    """Whether a column of words says the same in every row, so that it can be said once; numbers have to remain."""
    if column.is_detail or column.kind in NUMERIC or not any(each.kind in NUMERIC for each in table.columns):
        return False
    number = table.columns.index(column)
    is_labelled = number == label_place(table)
    return len({(row.cells[number], row.label if is_labelled else "") for row in table.rows}) == 1


def _cells(row: Row, table: Table) -> Iterator[tuple[Column, str]]:
    """Yield each column with its cell in words, an interval below its value."""
    place = label_place(table)
    for number, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True)):
        text = plain(shown(cell, column), limit=400)
        ends = interval(cell, column)
        label = f" [{plain(row.label)}]" if number == place and row.label else ""
        yield column, f"{text}{label}{f'{chr(10)}{ends}' if ends else ''}"


def label_place(table: Table) -> int:
    """Return the column that a row's label stands in: the judge's, else the first."""
    kinds = [column.kind for column in table.columns]
    return kinds.index(ColumnKind.JUDGE) if ColumnKind.JUDGE in kinds else 0


def _reasons(table: Table, rows: tuple[Row, ...]) -> Iterator[Text]:
    """Tell each reason once, with the columns that it stands in."""
    told: dict[str, list[Column]] = {}
    for row in rows:
        for cell, column in zip(row.cells, table.columns, strict=True):
            if (why := reason(cell)) and column not in told.setdefault(why, []):
                told[why].append(column)
    for why, columns in list(told.items())[:N_REASONS]:
        yield Text(f"  {', '.join(plain(column.title) for column in columns)}: {plain(why, limit=400)}")
    if (more := len(told) - N_REASONS) > 0:
        yield Text(f"  … and {numbers.plural(more, 'more reason')}, in {table.name}.csv and in the JSON")


def _calls(result: StudyResult) -> Iterator[RenderableType]:
    yield Text("\nVerdicts")
    drawn = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for title in CALL_TITLES:
        drawn.add_column(title, justify="left" if title == "Judge" else "right", overflow="fold")
    for calls in result.calls:
        label = f" [{plain(calls.label)}]" if calls.label else ""
        drawn.add_row(*(Text(cell) for cell in (f"{plain(calls.judge)}{label}", *call_cells(calls))))
    yield Padding(drawn, (0, 0, 0, 2))

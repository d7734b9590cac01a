"""A study as one HTML page that needs no network and no JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from audit.records.study import Calls, Cell, Column, Figure, Row, StudyResult, Table
from audit.reports.html_page import fill_page, read_styles
from audit.reports.study_cells import (
    CALL_TITLES,
    CALLS_ABOUT,
    NUMERIC,
    UNDEFINED,
    call_cells,
    interval,
    reason,
    setting_words,
    shown,
)
from audit.reports.study_figures import to_inline
from audit.reports.study_text import label_place
from audit.reports.visible import block, line, short_version


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell in words."""

    text: str
    interval: str
    reason: str
    label: str
    is_number: bool
    is_undefined: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """One table in words."""

    name: str
    anchor: str
    title: str
    about: str
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[CellView, ...], ...]
    figures: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class SubjectView:
    """A benchmark in words; ``page`` is the file that says more about it, or empty."""

    name: str
    n_tasks: str
    version: str
    sha256: str
    page: str


@dataclass(frozen=True, slots=True)
class PageView:
    """What the template shows; every string of it is fit to be shown."""

    kind: str
    title: str
    labels: tuple[str, ...]
    is_complete: bool
    summary: tuple[str, ...]
    tables: tuple[TableView, ...]
    settings: tuple[tuple[str, str], ...]
    subjects: tuple[SubjectView, ...]
    call_titles: tuple[str, ...]
    calls_about: str
    calls: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    prompts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    stops: tuple[str, ...]
    made: str


def render(result: StudyResult, *, pages: Mapping[str, str] | None = None) -> bytes:
    """Return the whole page; the same result gives the same bytes.

    Parameters
    ----------
    pages
        By the name of a benchmark, the file beside the page that says more about it.
    """
    return fill_page(
        "study.html.j2", {"page": page_of(result, pages or {})}, css=read_styles("report.css", "study.css")
    )


def page_of(result: StudyResult, pages: Mapping[str, str], *, prefix: str = "") -> PageView:
    """Return everything that the page shows, in words; ``prefix`` sets its anchors apart from another study's."""
    return PageView(
        kind=line(result.kind),
        title=line(result.title, limit=300),
        labels=tuple(map(line, result.labels)),
        is_complete=result.is_complete,
        summary=tuple(block(sentence) for sentence in result.summary),
        tables=tuple(_table(table, f"{prefix}{number}", result.figures) for number, table in enumerate(result.tables)),
        settings=tuple((line(name), block(text)) for name, text in setting_words(result)),
        subjects=tuple(
            SubjectView(
                name=line(each.name),
                n_tasks=str(each.n_tasks),
                version=short_version(line(each.version)),
                sha256=line(each.sha256),
                page=pages.get(each.name, ""),
            )
            for each in result.subjects
        ),
        call_titles=CALL_TITLES,
        calls_about=CALLS_ABOUT,
        calls=tuple(map(calls_view, result.calls)),
        prompts=tuple((line(name), line(digest)) for name, digest in result.prompts),
        notes=tuple(block(note) for note in result.notes),
        stops=tuple(block(stop) for stop in result.stops),
        made=line(f"bench-audit {result.tool_version}, {result.created_at}"),
    )


def calls_view(calls: Calls) -> tuple[str, str, str, tuple[str, ...]]:
    """Return an account as the template takes it: judge, label, models, cells."""
    return line(calls.judge), line(calls.label), line(", ".join(calls.models), limit=400), call_cells(calls)


def _table(table: Table, number: str, figures: tuple[Figure, ...]) -> TableView:
    own = [figure for figure in figures if figure.table == table.name]
    return TableView(
        name=table.name,
        anchor=f"table-{number}",
        title=line(table.title, limit=300),
        about=block(table.about),
        columns=tuple((_heading(column), column.kind in NUMERIC) for column in table.columns),
        rows=tuple(_row(row, table) for row in table.rows),
        figures=tuple(to_inline(figure, name=f"f{number}-{place}") for place, figure in enumerate(own)),
    )


def _heading(column: Column) -> str:
    return line(f"{column.title} ({column.unit})" if column.unit else column.title)


def _row(row: Row, table: Table) -> tuple[CellView, ...]:
    place = label_place(table)
    return tuple(
        _cell(cell, column, label=line(row.label) if number == place else "")
        for number, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True))
    )


def _cell(cell: Cell, column: Column, *, label: str) -> CellView:
    text = shown(cell, column)
    is_undefined = text == UNDEFINED and not isinstance(cell, str)
    return CellView(
        text, interval(cell, column), block(reason(cell), limit=1000), label, column.kind in NUMERIC, is_undefined
    )

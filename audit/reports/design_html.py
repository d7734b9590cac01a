"""A design as one HTML page that joins its studies and links to each; no network, no JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from audit.records.design import Design, Part
from audit.records.study import StudyResult
from audit.reports.html_page import fill_page, read_styles
from audit.reports.study_cells import CALL_TITLES, CALLS_ABOUT, settings_words
from audit.reports.study_html import TableView, calls_view, page_of
from audit.reports.visible import block, line

SHOWN = {
    "certificate": ("known", "people", "sensitivity"),
    "ordering": ("ordering", "failing"),
    "matrix": ("matrix", "coverage-common"),
    "sensitivity": ("sensitivity", "curves", "before-after"),
    "agreement": ("correlation", "distance", "groups"),
    "patterns": ("groups",),
}
"""Kind of study to the tables that the joint page shows; its own page has all."""
N_ROWS = 12
"""Rows of a table on the joint page."""


@dataclass(frozen=True, slots=True)
class PartView:
    """One study in words; ``page`` is its own page, ``files`` are others in its folder."""

    anchor: str
    title: str
    labels: tuple[str, ...]
    left_out: str
    is_complete: bool
    summary: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[TableView, ...]
    page: str
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DesignView:
    """What the template shows; every string of it is fit to be shown."""

    title: str
    labels: tuple[str, ...]
    is_complete: bool
    parts: tuple[PartView, ...]
    settings: tuple[tuple[str, str], ...]
    call_titles: tuple[str, ...]
    calls_about: str
    calls: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    stops: tuple[str, ...]
    made: str


def render(design: Design) -> bytes:
    """Return the whole page; the same design gives the same bytes."""
    return fill_page("design.html.j2", {"page": _view(design)}, css=read_styles("report.css", "study.css"))


def _view(design: Design) -> DesignView:
    return DesignView(
        title=line(design.title, limit=300),
        labels=tuple(map(line, design.labels)),
        is_complete=design.is_complete,
        parts=tuple(_part(part) for part in design.parts),
        settings=tuple((line(name), block(text)) for name, text in settings_words(design.settings)),
        call_titles=CALL_TITLES,
        calls_about=CALLS_ABOUT,
        calls=tuple(map(calls_view, design.calls)),
        notes=tuple(block(note) for note in design.notes),
        stops=tuple(block(stop) for stop in design.stops),
        made=line(f"bench-audit {design.tool_version}, {design.created_at}"),
    )


def _part(part: Part) -> PartView:
    study = part.study
    if study is None:
        return PartView(part.name, line(part.title), (), block(part.left_out), True, (), (), (), "", ())
    page = page_of(study, {}, prefix=f"{part.name}-")
    return PartView(
        anchor=part.name,
        title=line(part.title),
        labels=tuple(map(line, part.labels)),
        left_out="",
        is_complete=page.is_complete,
        summary=page.summary,
        notes=page.notes,
        tables=tuple(_tables(study, page.tables)),
        page=f"{part.name}/{study.kind}.html",
        files=tuple((name, f"{part.name}/{name}") for name in part.files),
    )


def _tables(study: StudyResult, tables: tuple[TableView, ...]) -> Iterator[TableView]:
    """The tables that the page shows, the first rows of each; how many more there are is told."""
    for table in tables:
        if table.name in SHOWN[study.kind]:
            left = len(table.rows) - N_ROWS
            more = f" The first {N_ROWS} rows of {len(table.rows)}." if left > 0 else ""
            yield replace(table, rows=table.rows[:N_ROWS], about=f"{table.about}{more}".strip())

"""A study's JSON back into the study that it tells of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from audit.errors import LoadError, first_fault
from audit.loaders.saved_numbers import SavedPart, find_excess
from audit.records.score import Interval
from audit.records.study import (
    Axis,
    Calls,
    Cell,
    Column,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    StudyResult,
    StudySubject,
    Table,
)

STUDY = "bench-audit/study"
MEND = "Give the JSON that study wrote with --format json, or into its folder"
_FileName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=100)]


class _Estimate(SavedPart):
    value: float | None
    interval: Interval | None
    reason: str


class _Row(SavedPart):
    label: str
    cells: dict[str, str | int | float | _Estimate]


class _Table(SavedPart):
    name: _FileName
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[_Row, ...]


class _Point(_Estimate):
    place: float
    n_tied: int = Field(default=1, ge=1)


class _Series(SavedPart):
    name: str
    label: str
    points: tuple[_Point, ...]


class _Figure(SavedPart):
    name: _FileName
    title: str
    kind: FigureKind
    x: Axis
    y: Axis
    series: tuple[_Series, ...]
    table: str
    reference: float | None
    reference_title: str


class _Prompt(SavedPart):
    prompt: str
    sha256: str


class _Study(SavedPart):
    format: Literal["bench-audit/study"]
    format_version: Literal[1]
    tool_version: str
    created_at: str
    kind: _FileName
    title: str
    labels: tuple[str, ...]
    summary: tuple[str, ...]
    settings: dict[str, str | int | float | bool | list[str] | None]
    subjects: tuple[StudySubject, ...]
    prompts: tuple[_Prompt, ...]
    calls: tuple[Calls, ...]
    stops: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[_Table, ...]
    figures: tuple[_Figure, ...]


def study_of(document: Any, *, where: str) -> StudyResult:  # noqa: ANN401  # any JSON
    """Return the study of a document.

    Raises
    ------
    LoadError
        If it is none.
    """
    try:
        saved = _Study.model_validate(document)
    except ValidationError as error:
        raise LoadError(f"is no saved study: {first_fault(error)}", where=where, mend=MEND) from error
    if place := find_excess(document):
        raise LoadError(f"is no saved study: {place}: the number is too great", where=where, mend=MEND)
    try:
        return _study(saved)
    except (ValueError, KeyError, IndexError) as error:
        raise LoadError(f"is no saved study: {error}", where=where, mend=MEND) from error


def _study(saved: _Study) -> StudyResult:
    return StudyResult(
        kind=saved.kind,
        title=saved.title,
        summary=saved.summary,
        settings=saved.settings,
        tables=tuple(map(_table, saved.tables)),
        figures=tuple(map(_figure, saved.figures)),
        calls=saved.calls,
        subjects=saved.subjects,
        prompts=tuple((each.prompt, each.sha256) for each in saved.prompts),
        notes=saved.notes,
        stops=saved.stops,
        more_labels=saved.labels,
        tool_version=saved.tool_version,
        created_at=saved.created_at,
    )


def _table(saved: _Table) -> Table:
    rows = tuple(Row(tuple(_cell(row.cells[column.key]) for column in saved.columns), row.label) for row in saved.rows)
    return Table(saved.name, saved.title, saved.columns, rows, about=saved.about)


def _cell(saved: str | float | _Estimate) -> Cell:
    return _estimate(saved) if isinstance(saved, _Estimate) else saved


def _estimate(saved: _Estimate) -> Estimate:
    return Estimate(saved.value, saved.interval, saved.reason)


def _figure(saved: _Figure) -> Figure:
    where = saved.y if saved.kind is FigureKind.DOTS else saved.x
    return Figure(
        name=saved.name,
        title=saved.title,
        kind=saved.kind,
        x=saved.x,
        y=saved.y,
        series=tuple(_series(each, where) for each in saved.series),
        table=saved.table,
        reference=saved.reference,
        reference_title=saved.reference_title,
    )


def _series(saved: _Series, where: Axis) -> Series:
    return Series(saved.name, tuple(_point(point, where) for point in saved.points), saved.label)


def _point(saved: _Point, where: Axis) -> Point:
    if where.categories and not 0 <= round(saved.place) < len(where.categories):
        raise ValueError(f"a figure has no place {saved.place:g}")
    return Point(saved.place, _estimate(saved), saved.n_tied)

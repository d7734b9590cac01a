"""A run's failure patterns as a table and a figure for files."""

from __future__ import annotations

from audit.records.pattern import FailurePatterns
from audit.records.study import Axis, Column, ColumnKind, Estimate, Figure, FigureKind, Point, Row, Series, Table
from audit.reports.visible import line

NAME = "patterns"
_COLUMNS = (
    Column("pattern", "Pattern"),
    Column("id", "Id"),
    Column("origin", "From"),
    Column("n_reasons", "Reasons", ColumnKind.COUNT),
    Column("share", "Share", ColumnKind.SHARE),
    Column("n_tasks", "Tasks", ColumnKind.COUNT),
    Column("tasks", "Tasks, the most typical first"),
    Column("example", "Typical reason"),
    Column("comes_back", "Comes back", ColumnKind.NUMBER),
)


def pattern_table(found: FailurePatterns) -> Table:
    """Return every pattern with its counts, its tasks and a typical reason."""
    rows = tuple(
        Row(
            (
                each.name,
                each.id,
                each.origin.value,
                each.n_reasons,
                each.share,
                len(each.task_ids),
                ", ".join(each.task_ids),
                line(each.example, limit=400),
                Estimate(
                    each.comes_back, reason="" if each.comes_back is not None else found.unsteady or "never drawn"
                ),
            ),
            each.trust,
        )
        for each in found.patterns
    )
    return Table(NAME, "Failure patterns", _COLUMNS, rows)


def pattern_figure(found: FailurePatterns) -> Figure:
    """Return how many reasons each pattern holds."""
    points = tuple(Point(place, Estimate(float(each.n_reasons))) for place, each in enumerate(found.patterns))
    label = next((each.trust for each in found.patterns if each.trust), "")
    return Figure(
        name=NAME,
        title="Failure patterns: reasons of low scores",
        kind=FigureKind.DOTS,
        x=Axis("reasons", ColumnKind.COUNT, low=0.0),
        y=Axis("", categories=tuple(line(each.name, limit=60) for each in found.patterns)),
        series=(Series("reasons", points, label),),
        table=NAME,
    )

"""A certificate's figures: each part's leading number, a mark a judge, beside the level that means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.records.study import Axis, Column, Estimate, Figure, FigureKind, Point, Row, Series, Table
from audit.reports.certificate_words import ALL_DISGUISES
from audit.reports.visible import line

_MOST = 40
"""Lines that a figure has room for; the table beside it has all."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The column of a table that is drawn, and the value that it is held against."""

    table: str
    key: str
    reference: float | None = None
    reference_title: str = ""


_DRAWN = (
    _Drawn("known", "auroc", 0.5, "chance"),
    _Drawn("sensitivity", "auroc", 0.5, "chance"),
    _Drawn("invariance", "moved"),
    _Drawn("stability", "flips"),
    _Drawn("injection", "toward"),
    _Drawn("format", "unusable"),
)


def certificate_figures(tables: Sequence[Table]) -> Iterator[Figure]:
    """Yield a figure for each table of a certificate that has something to draw."""
    by_name = {table.name: table for table in tables}
    for drawn in _DRAWN:
        if drawn.table in by_name and (figure := _figure(by_name[drawn.table], drawn)):
            yield figure


def _figure(table: Table, drawn: _Drawn) -> Figure | None:
    keys = [column.key for column in table.columns]
    place = keys.index(drawn.key)
    rows = _rows(table, keys.index("name"))
    names = tuple(dict.fromkeys(_name(table, row) for row in rows))[:_MOST]
    lines: dict[tuple[str, str], list[Point]] = {}
    for row in rows:
        value, name = row.cells[place], _name(table, row)
        if isinstance(value, Estimate) and value.value is not None and name in names:
            judge = str(row.cells[keys.index("judge")])
            lines.setdefault((judge, row.label), []).append(Point(names.index(name), value))
    if not lines:
        return None
    column: Column = table.columns[place]
    return Figure(
        name=f"certificate-{table.name}",
        title=table.title,
        kind=FigureKind.DOTS,
        x=Axis(column.title, column.kind, low=0.0, high=1.0),
        y=Axis("", categories=names),
        series=tuple(Series(judge, tuple(points), label) for (judge, label), points in lines.items()),
        table=table.name,
        reference=drawn.reference,
        reference_title=drawn.reference_title,
    )


def _rows(table: Table, name: int) -> Sequence[Row]:
    """Return the rows that are drawn: the sums alone, where a table has any."""
    sums = [row for row in table.rows if row.cells[name] == ALL_DISGUISES]
    return sums or table.rows


def _name(table: Table, row: Row) -> str:
    """Return what a row is about: its name, metric and benchmark, as far as they tell rows apart."""
    cells = {column.key: str(cell) for column, cell in zip(table.columns, row.cells, strict=True)}
    benchmarks = {str(each.cells[1]) for each in table.rows}
    told = [cells["name"], cells["metric"], cells["benchmark"] if len(benchmarks) > 1 else ""]
    return line(", ".join(part for part in told if part), limit=60)

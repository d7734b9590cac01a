"""Results of studies for the renderers' tests."""

from __future__ import annotations

from dataclasses import replace

from audit.records.score import Interval
from audit.records.study import (
    Axis,
    Calls,
    Column,
    ColumnKind,
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

LABEL = "scripted (not a real judge)"
COLUMNS = (
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("tau", "τ_b", ColumnKind.NUMBER),
    Column("p", "p", ColumnKind.P_VALUE),
    Column("moved", "Moved", ColumnKind.SHARE),
)


def table(name: str = "agreement", *, judge: str = "scripted:seeded", n_in_text: int | None = None) -> Table:
    rows = (
        Row(("desc_alignment", judge, 50, Estimate(-0.4567, Interval(-0.6, -0.2, 0.95)), 0.00001, 0.25), LABEL),
        Row(("policy_alignment", "openai:gpt-5.4", 2, Estimate(None, reason="2 tasks; 3 are needed"), 1.0, 0.0)),
    )
    return Table(name, "Agreement of each judge", COLUMNS, rows, about="One row a judge.", n_in_text=n_in_text)


def curves(name: str = "curve", *, judge: str = "scripted:seeded") -> Figure:
    values = {0: 9.0, 0.2: 8.0, 0.8: 5.0}
    points = tuple(Point(rate, Estimate(mean, Interval(mean - 1, mean + 1, 0.95))) for rate, mean in values.items())
    broken = (Point(0, Estimate(7.0)), Point(0.2, Estimate(None, reason="no verdict")), Point(0.8, Estimate(6.5)))
    return Figure(
        name=name,
        title="Score by rate",
        kind=FigureKind.CURVES,
        x=Axis("Share of tasks", ColumnKind.SHARE),
        y=Axis("Mean score", low=1.0, high=10.0),
        series=(Series(judge, points, LABEL), Series("openai:gpt-5.4", broken)),
        table="agreement",
        reference=5.0,
        reference_title="the middle",
    )


def dots(name: str = "dots") -> Figure:
    points = (Point(0, Estimate(0.2, Interval(0.1, 0.4, 0.95))), Point(1, Estimate(None, reason="constant ratings")))
    return Figure(
        name=name,
        title="Agreement",
        kind=FigureKind.DOTS,
        x=Axis("τ_b", low=-1.0, high=1.0),
        y=Axis("Benchmark", categories=("a", "b")),
        series=(Series("one", points),),
        table="agreement",
        reference=0.0,
    )


def bars(name: str = "bars") -> Figure:
    points = tuple(Point(place, Estimate(float(n), Interval(0.0, n + 1.0, 0.95))) for place, n in enumerate((3, 0, 7)))
    return Figure(
        name=name,
        title="Use of the scale",
        kind=FigureKind.BARS,
        x=Axis("Score", categories=("1", "2", "3")),
        y=Axis("Tasks", ColumnKind.COUNT, low=0.0),
        series=(Series("one", points), Series("two", points[:1])),
        table="agreement",
    )


def scatter(name: str = "scatter") -> Figure:
    points = (Point(2.5, Estimate(3.0), 4), Point(7.0, Estimate(7.0)), Point(9.0, Estimate(None, reason="no verdict")))
    return Figure(
        name=name,
        title="Judge against people",
        kind=FigureKind.SCATTER,
        x=Axis("mean of people", low=1.0, high=10.0),
        y=Axis("score", low=1.0, high=10.0),
        series=(Series("openai:gpt-5.4", points),),
        table="agreement",
    )


def study(**fields: object) -> StudyResult:
    made = StudyResult(
        kind="agreement",
        title="Do the judges agree with people?",
        summary=("scripted:seeded agrees with nobody [scripted (not a real judge)].",),
        settings={"seed": 0, "metrics": ("desc_alignment", "policy_alignment"), "split": None, "is_fresh": False},
        tables=(table(),),
        figures=(curves(), dots(), bars(), scatter()),
        calls=(Calls("scripted:seeded", 10, 2, 3, 5, asked=5, undefined=1, models=("seeded",), label=LABEL),),
        subjects=(StudySubject("test/domain", 5, "ab" * 32, "1.0"),),
        prompts=(("desc_alignment.tau", "cd" * 32),),
        notes=("Mind the gap.",),
        tool_version="0.1",
        created_at="2026-01-02T03:04:05+00:00",
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # any field of the record

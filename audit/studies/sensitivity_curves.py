"""Scores over the share of tasks with a planted defect: curves, slopes, trends, and how well changed tasks show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.records.study import Axis, Column, ColumnKind, Estimate, Figure, FigureKind, Point, Row, Series, Table
from audit.reports.labels import metric_label
from audit.stats.agreement import kendall_tau_b
from audit.stats.discrimination import auroc, auroc_interval, share_interval
from audit.stats.multiple import holm
from audit.stats.trend import mean_slope, page_trend
from audit.studies.draws import is_coverage
from audit.studies.ground import Key, estimate, estimate_of, slug
from audit.studies.sensitivity_sets import (
    NO_VALUES,
    Changed,
    Judged,
    difference,
    must_fall,
    score_of,
)

FALL = "fall"
"""What a metric must do, in tables."""
DRAWN = frozenset({"desc_alignment", "policy_alignment", "violation_count", "violation_coverage@1", "offline_match"})
"""Metrics that get a figure of their own; the tables have all."""

CURVE_COLUMNS = (
    Column("kind", "Kind"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("rate", "Rate", ColumnKind.SHARE),
    Column("n_changed", "Changed", ColumnKind.COUNT),
    Column("n_used", "Judged", ColumnKind.COUNT),
    Column("mean", "Mean", ColumnKind.NUMBER),
    Column("difference", "Less untouched", ColumnKind.NUMBER),
    Column("auroc", "AUROC", ColumnKind.NUMBER),
)
SENSITIVITY_COLUMNS = (
    Column("kind", "Kind"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("must", "Must"),
    Column("n_changed", "Changed", ColumnKind.COUNT),
    Column("slope", "Slope", ColumnKind.NUMBER, unit="per whole benchmark changed"),
    Column("p_falling", "p of falling", ColumnKind.P_VALUE),
    Column("p_holm", "p, Holm", ColumnKind.P_VALUE),
    Column("tau", "τ over rates", ColumnKind.NUMBER, is_detail=True),
    Column("auroc", "AUROC", ColumnKind.NUMBER),
    Column("fell", "Fell", ColumnKind.SHARE),
    Column("tied", "Same", ColumnKind.SHARE),
)


def curve_table(judged: Judged) -> Table:
    """Return every mean of every rate, against the benchmark as it is."""
    rows = tuple(
        row
        for sets in judged.graded().values()
        for key in judged.keys
        for row in (_untouched_row(judged, sets[0], key), *(_curve_row(judged, each, key) for each in sets))
    )
    about = (
        "Less untouched: how far the mean of the same tasks moved. AUROC: the chance that a task left as it is "
        "scores above a changed one of the same set, ties counting half; 0.5 is chance."
    )
    return Table("curves", "Scores by share of changed tasks", CURVE_COLUMNS, rows, about=about)


def _untouched_row(judged: Judged, first: Changed, key: Key) -> Row:
    score = score_of(judged.untouched, key)
    nothing = Estimate(None, reason="nothing is changed at a rate of 0")
    cells = (first.kind.name, *key, 0.0, 0, score.n_used, estimate_of(score), Estimate(0.0), nothing)
    return Row(cells, judged.label(key))


def _curve_row(judged: Judged, each: Changed, key: Key) -> Row:
    score = score_of(each.run, key)
    by_task, changed = score.by_task, each.changed
    low = [value for task_id, value in by_task.items() if task_id in changed]
    high = [value for task_id, value in by_task.items() if task_id not in changed]
    cells = (
        each.kind.name,
        *key,
        each.perturbed.rate,
        len(changed),
        score.n_used,
        estimate_of(score),
        difference(judged, each, key=key),
        area(low, high, metric=key[0]),
    )
    return Row(cells, judged.label(key))


def area(low: Sequence[float], high: Sequence[float], *, metric: str) -> Estimate:
    """Return the AUROC of values that should be low against values that should be high, with its interval."""
    if is_coverage(metric):
        return Estimate(None, reason=NO_VALUES)

    def interval() -> Interval:
        return auroc_interval(auroc(low, high), len(low), n_high=len(high))

    return estimate(lambda: auroc(low, high), interval)


def sensitivity_table(judged: Judged) -> Table:
    """Return slope, trend, AUROC and share of falls for each kind, metric and judge."""
    rows = [_sensitivity_row(judged, sets, key) for sets in judged.graded().values() for key in judged.keys]
    demanded = [p for row in rows if row.cells[3] == FALL and (p := _p_of(row)) is not None]
    adjusted = iter(holm(demanded))
    final = tuple(_adjust(row, adjusted) for row in rows)
    about = (
        "Slope: change of the mean if the share of changed tasks went from none to all. p of falling: Page's trend "
        "test over the rates, each task against itself, one-sided; Holm: adjusted for all falls that are demanded "
        "here. AUROC: values of the changed tasks at the highest rate against those of all tasks as they were. Fell, "
        "Same: shares of the changed tasks."
    )
    return Table("sensitivity", "Do scores fall where a defect is planted?", SENSITIVITY_COLUMNS, final, about=about)


def _p_of(row: Row) -> float | None:
    found = row.cells[6]
    return found.value if isinstance(found, Estimate) else None


def _adjust(row: Row, adjusted: Iterator[float]) -> Row:
    """Put Holm's p behind a row's own, where a fall is demanded."""
    own = Estimate(None, reason="no fall is demanded")
    if row.cells[3] == FALL:
        own = Estimate(None, reason="there is no trend") if _p_of(row) is None else Estimate(next(adjusted))
    return replace(row, cells=(*row.cells[:7], own, *row.cells[7:]))


def _sensitivity_row(judged: Judged, sets: Sequence[Changed], key: Key) -> Row:
    last = sets[-1]
    head = (last.kind.name, *key, FALL if must_fall(last.kind, key[0]) else "–", len(last.changed))
    return Row((*head, *_trend_cells(judged, sets, key), *_task_cells(judged, last, key)), judged.label(key))


def _trend_cells(judged: Judged, sets: Sequence[Changed], key: Key) -> tuple[Estimate, Estimate, Estimate]:
    rates = [0.0, *(each.perturbed.rate for each in sets)]
    scores = [score_of(run, key) for run in (judged.untouched, *(each.run for each in sets))]
    means = [score.value for score in scores]
    tau = _over_rates(rates, means)
    if is_coverage(key[0]):
        return Estimate(None, reason=NO_VALUES), Estimate(None, reason=NO_VALUES), tau
    first, *others = (score.by_task for score in scores)
    table = [
        [first[task_id], *(by_task[task_id] for by_task in others)]
        for task_id in first
        if all(task_id in by_task for by_task in others)
    ]
    steep = slope_of(table, rates, rng=judged.rng(key, sets[0].kind.name, "slope"))
    return steep, estimate(lambda: page_trend(table).p_falling), tau


def slope_of(table: Sequence[Sequence[float]], rates: Sequence[float], *, rng: np.random.Generator) -> Estimate:
    """Return the slope of the mean as a cell."""
    try:
        found = mean_slope(table, rates, rng=rng)
    except UndefinedScoreError as error:
        return Estimate(None, reason=error.what)
    return Estimate(found.value, found.interval)


def _over_rates(rates: Sequence[float], means: Sequence[float | None]) -> Estimate:
    pairs = [(rate, mean) for rate, mean in zip(rates, means, strict=True) if mean is not None]
    if len(pairs) < 3:
        return Estimate(None, reason=f"{len(pairs)} rates with a mean; an order needs 3")
    if len({mean for _, mean in pairs}) == 1:
        return Estimate(None, reason="the mean is the same at every rate")
    return estimate(lambda: kendall_tau_b([rate for rate, _ in pairs], [mean for _, mean in pairs]))


def _task_cells(judged: Judged, last: Changed, key: Key) -> tuple[Estimate, Estimate, Estimate]:
    if is_coverage(key[0]):
        nothing = Estimate(None, reason=NO_VALUES)
        return nothing, nothing, nothing
    before, after = score_of(judged.untouched, key).by_task, score_of(last.run, key).by_task
    changed = [after[task_id] for task_id in last.perturbed.changed_ids if task_id in after]
    both = [task_id for task_id in last.perturbed.changed_ids if task_id in after and task_id in before]
    moves = [after[task_id] - before[task_id] for task_id in both]
    n = len(moves)

    def share(n_marked: int) -> Estimate:
        if not n:
            return Estimate(None, reason="no changed task was judged on both sides")
        return Estimate(n_marked / n, share_interval(n_marked, n))

    fell, tied = sum(move < 0 for move in moves), sum(move == 0 for move in moves)
    return area(changed, list(before.values()), metric=key[0]), share(fell), share(tied)


def curve_figures(table: Table) -> tuple[Figure, ...]:
    """Return a figure for each metric: the mean over the rates, a line a kind and judge."""
    metrics = dict.fromkeys(str(row.cells[1]) for row in table.rows)
    return tuple(_curve_figure(table, metric) for metric in metrics if metric in DRAWN)


def _curve_figure(table: Table, metric: str) -> Figure:
    lines: dict[tuple[str, str, str], list[Point]] = {}
    for row in table.rows:
        kind, name, judge, rate, _, _, mean, *_ = row.cells
        if name == metric:
            assert isinstance(rate, float)
            assert isinstance(mean, Estimate)
            lines.setdefault((str(kind), str(judge), row.label), []).append(Point(rate, mean))
    label = metric_label(metric)
    kind = ColumnKind.SHARE if label.is_share else ColumnKind.NUMBER
    low, high = {"violation_count": (0.0, None), "offline_match": (0.0, 1.0)}.get(
        metric, (0.0, 1.0) if label.is_share else (1.0, 10.0)
    )
    return Figure(
        name=f"curve-{slug(metric)}",
        title=label.title,
        kind=FigureKind.CURVES,
        x=Axis("Share of changed tasks", ColumnKind.SHARE),
        y=Axis("Mean over tasks", kind, low=low, high=high),
        series=tuple(Series(f"{k}, {judge}", tuple(points), tag) for (k, judge, tag), points in lines.items()),
        table=table.name,
    )


def auroc_figure(table: Table) -> Figure | None:
    """Return how well each kind's changed tasks show in the metrics that it must lower; ``None`` for no such metric."""
    rows = [row for row in table.rows if row.cells[3] == FALL]
    kinds = tuple(dict.fromkeys(str(row.cells[0]) for row in rows))
    lines: dict[tuple[str, str], list[Point]] = {}
    for row in rows:
        found = row.cells[9]
        if isinstance(found, Estimate):
            name = f"{row.cells[1]}, {row.cells[2]}"
            lines.setdefault((name, row.label), []).append(Point(kinds.index(str(row.cells[0])), found))
    if not lines:
        return None
    return Figure(
        name="auroc",
        title="Changed tasks told from untouched ones",
        kind=FigureKind.DOTS,
        x=Axis("AUROC", low=0.0, high=1.0),
        y=Axis("", categories=kinds),
        series=tuple(Series(name, tuple(points), label) for (name, label), points in lines.items()),
        table=table.name,
        reference=0.5,
        reference_title="chance",
    )

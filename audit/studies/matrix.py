"""Many benchmarks, judges and metrics side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.compare.scores import COVERAGE
from audit.metrics.measure import spawn_rng
from audit.records.run import RunResult
from audit.records.study import (
    Axis,
    Column,
    ColumnKind,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    StudyResult,
    Table,
)
from audit.reports.labels import metric_label, trust_label
from audit.reports.numbers import measure
from audit.stats.rarefaction import coverage_of_draws, coverage_of_draws_interval
from audit.studies.draws import item_ids, violated_by_task, violation_matrix
from audit.studies.ground import Ground, Key, ask, close, estimate, estimate_of, scores_by_key, settings_of, slug
from audit.suites.loading import Loaded, policy_groups

DRAWN = ("desc_alignment", "policy_alignment", "violation_count", "violation_coverage@1", "offline_match")
"""Metrics that get a figure of their own, and a column of the matrix; other tables have all."""
KS = (1, 2, 3)
"""Tasks that make an item covered, in the table of common sizes."""
_NO_SCORE = "nobody was asked for it"


def study_matrix(loaded: Sequence[Loaded], *, ground: Ground) -> StudyResult:
    """Judge several benchmarks and lay every metric of every judge side by side, with intervals.

    Coverage is told at a common number of tasks too, for a longer benchmark covers more by its length alone.
    """
    answers = ask([one.benchmark for one in loaded], ground)
    values = value_table(loaded, answers.results)
    tables = (matrix_table(loaded, answers.results), values, *_common(loaded, answers.results, ground))
    study = StudyResult(
        kind="matrix",
        title=f"{len(loaded)} benchmarks side by side",
        summary=tuple(_summary(values)),
        settings=settings_of(ground, benchmarks=tuple(one.member.name for one in loaded)),
        tables=tables,
        figures=(*value_figures(values), *_common_figures(tables)),
        notes=tuple(_notes(loaded)),
    )
    return close(study, answers, benchmarks=[one.benchmark for one in loaded])


def matrix_table(loaded: Sequence[Loaded], results: Sequence[RunResult]) -> Table:
    """Return a row a benchmark and judge, a column a metric."""
    keys = list(dict.fromkeys(key for run in results for key in scores_by_key(run)))
    metrics = [metric for metric in DRAWN if any(key[0] == metric for key in keys)]
    judges = list(dict.fromkeys(judge for _, judge in keys))
    columns = (
        Column("benchmark", "Benchmark"),
        Column("tier", "Tier"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("n_tasks", "Tasks", ColumnKind.COUNT),
        *(Column(slug(metric).replace("-", "_"), metric_label(metric).short, _kind(metric)) for metric in metrics),
    )
    rows = []
    for one, run in zip(loaded, results, strict=True):
        scores = scores_by_key(run)
        for judge in judges:
            own = [scores.get((metric, judge)) for metric in metrics]
            cells = (Estimate(None, reason=_NO_SCORE) if score is None else estimate_of(score) for score in own)
            label = next((trust_label(score.trust) for score in own if score is not None), "")
            head = (one.member.name, one.member.tier or "", judge, len(run.benchmark.tasks))
            rows.append(Row((*head, *cells), label))
    return Table("matrix", "Benchmarks, judges and metrics", columns, tuple(rows))


def value_table(loaded: Sequence[Loaded], results: Sequence[RunResult]) -> Table:
    """Return every score of every benchmark, a row each."""
    columns = (
        Column("benchmark", "Benchmark"),
        Column("tier", "Tier"),
        Column("domain", "Domain"),
        Column("family", "Written by"),
        Column("metric", "Metric"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("n_used", "Judged", ColumnKind.COUNT),
        Column("n_missing", "Missing", ColumnKind.COUNT),
        Column("value", "Value", ColumnKind.NUMBER),
    )
    rows = tuple(
        Row(
            (
                one.member.name,
                one.member.tier or "",
                one.member.domain,
                one.benchmark.author_family or "",
                *key,
                score.n_used,
                score.n_missing,
                estimate_of(score),
            ),
            trust_label(score.trust),
        )
        for one, run in zip(loaded, results, strict=True)
        for key, score in scores_by_key(run).items()
    )
    return Table("values", "Every value", columns, rows, n_in_text=0)


def value_figures(values: Table) -> Iterator[Figure]:
    """Yield a figure for each metric: a line a benchmark, a mark a judge."""
    for metric in DRAWN:
        rows = [row for row in values.rows if row.cells[4] == metric]
        if not rows:
            continue
        names = tuple(dict.fromkeys(_named(row) for row in rows))
        lines: dict[tuple[str, str], list[Point]] = {}
        for row in rows:
            found = row.cells[8]
            assert isinstance(found, Estimate)
            lines.setdefault((str(row.cells[5]), row.label), []).append(Point(names.index(_named(row)), found))
        label = metric_label(metric)
        yield Figure(
            name=f"values-{slug(metric)}",
            title=label.title,
            kind=FigureKind.DOTS,
            x=Axis(label.unit, _kind(metric)),
            y=Axis("", categories=names),
            series=tuple(Series(judge, tuple(points), tag) for (judge, tag), points in lines.items()),
            table=values.name,
        )


def _named(row: Row) -> str:
    name, tier = row.cells[:2]
    return f"{name} ({tier})" if tier else str(name)


def _kind(metric: str) -> ColumnKind:
    return ColumnKind.SHARE if metric_label(metric).is_share else ColumnKind.NUMBER


def _common(loaded: Sequence[Loaded], results: Sequence[RunResult], ground: Ground) -> Iterator[Table]:
    """Yield coverage at a common number of tasks: that of the benchmark with the fewest judged ones."""
    judges = dict.fromkeys(judge for run in results for metric, judge in scores_by_key(run) if _is_first(metric))
    sizes = {judge: [len(violated_by_task(run, (f"{COVERAGE}1", judge))) for run in results] for judge in judges}
    columns = (
        Column("benchmark", "Benchmark"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("n_tasks", "Judged", ColumnKind.COUNT),
        Column("n_common", "At tasks", ColumnKind.COUNT),
        *(Column(f"coverage_{k}", f"Coverage@{k}", ColumnKind.SHARE) for k in KS),
    )
    rows = []
    for judge in judges:
        n_common = min((n for n in sizes[judge] if n), default=0)
        for one, run, n in zip(loaded, results, sizes[judge], strict=True):
            key = (f"{COVERAGE}1", judge)
            cells = tuple(_at(run, judge, k=k, n_common=n_common, seed=ground.settings.seed) for k in KS)
            label = trust_label(scores_by_key(run)[key].trust)
            rows.append(Row((one.member.name, judge, n, n_common, *cells), label))
    if rows:
        about = (
            "The coverage to expect if each benchmark had only as many judged tasks as the one with the fewest: the "
            "mean over every choice of so many of its tasks, with a bootstrap interval over tasks."
        )
        yield Table("coverage-common", "Coverage at a common number of tasks", columns, tuple(rows), about=about)


def _is_first(metric: str) -> bool:
    return metric == f"{COVERAGE}1"


def _at(run: RunResult, judge: str, *, k: int, n_common: int, seed: int) -> Estimate:
    key: Key = (f"{COVERAGE}{k}", judge)
    matrix = violation_matrix(violated_by_task(run, key), item_ids(run))
    if not matrix.shape[0]:
        return Estimate(None, reason="no verdict on any task")
    rng = spawn_rng(seed, metric=f"{key[0]}\0common\0{run.benchmark.name}", judge=judge)
    return estimate(
        lambda: coverage_of_draws(matrix, k=k, n_tasks=n_common),
        lambda: coverage_of_draws_interval(matrix, k=k, n_tasks=n_common, rng=rng),
    )


def _common_figures(tables: Sequence[Table]) -> Iterator[Figure]:
    for table in tables:
        if table.name != "coverage-common":
            continue
        names = tuple(dict.fromkeys(str(row.cells[0]) for row in table.rows))
        lines: dict[tuple[str, str], list[Point]] = {}
        for row in table.rows:
            found = row.cells[4]
            assert isinstance(found, Estimate)
            lines.setdefault((str(row.cells[1]), row.label), []).append(Point(names.index(str(row.cells[0])), found))
        yield Figure(
            name="coverage-common",
            title="Coverage@1 at a common number of tasks",
            kind=FigureKind.DOTS,
            x=Axis("share of policy items", ColumnKind.SHARE, low=0.0, high=1.0),
            y=Axis("", categories=names),
            series=tuple(Series(judge, tuple(points), tag) for (judge, tag), points in lines.items()),
            table=table.name,
        )


def _summary(values: Table) -> Iterator[str]:
    """Yield the lowest and the highest benchmark of each metric and judge."""
    found: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
    for row in values.rows:
        cell = row.cells[8]
        if isinstance(cell, Estimate) and cell.value is not None and row.cells[4] in DRAWN:
            key = (str(row.cells[4]), str(row.cells[5]), row.label)
            found.setdefault(key, []).append((cell.value, str(row.cells[0])))
    for (metric, judge, label), pairs in found.items():
        (low, lowest), (high, highest) = min(pairs), max(pairs)
        is_share = metric_label(metric).is_share
        ends = f"from {measure(low, is_share=is_share)} ({lowest}) to {measure(high, is_share=is_share)} ({highest})"
        if len(pairs) == 1:
            ends = f"{measure(low, is_share=is_share)} ({lowest})"
        yield f"{metric}, {judge}{f' [{label}]' if label else ''}: {ends}."


def _notes(loaded: Sequence[Loaded]) -> Iterator[str]:
    groups = policy_groups(loaded)
    if len(groups) > 1:
        parts = " | ".join(", ".join(names) for names in groups)
        yield f"Violations and coverage compare only under the same policy and items, that is within: {parts}."

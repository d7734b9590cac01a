"""A run's figures and the numbers behind them: scores by task, policy coverage, agreement of judges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from audit.records.panel import AgreementStatistic, PanelResult
from audit.records.run import RunResult
from audit.records.score import Score
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
    Table,
)
from audit.reports.distribution import Bin, distribute
from audit.reports.labels import coverage_k, criterion_title, judge_names, metric_label, trust_label
from audit.reports.pairs import score_pairs
from audit.reports.pattern_figures import pattern_figure, pattern_table
from audit.reports.study_files import figure_files

_ODD = re.compile(r"[^a-z0-9]+")
_NO_VALUE = "has no value"


def render(result: RunResult) -> dict[str, bytes]:
    """Return every file by its name: one CSV a table, SVG and PNG a figure; the same result gives the same bytes."""
    tables = tuple(_tables(result))
    return figure_files(tables, tuple(_figures(result)))


def _tables(result: RunResult) -> Iterator[Table]:
    yield _scores(result)
    for metric, scores in _drawn(result).items():
        yield _distribution_table(result, metric, scores)
    if covered := _covered(result):
        yield _coverage_table(result, covered)
    if result.panel is not None:
        yield _agreement_table(result, result.panel)
        yield _pair_table(result, result.panel)
    if result.patterns is not None and result.patterns.patterns:
        yield pattern_table(result.patterns)


def _figures(result: RunResult) -> Iterator[Figure]:
    for metric, scores in _drawn(result).items():
        yield _distribution_figure(result, metric, scores)
    if covered := _covered(result):
        yield _coverage_figure(result, covered)
    if result.panel is not None and (figure := _agreement_figure(result, result.panel)):
        yield figure
    if result.patterns is not None and result.patterns.patterns:
        yield pattern_figure(result.patterns)


def _estimate(score: Score) -> Estimate:
    return Estimate(score.value, score.interval, score.reason or ("" if score.value is not None else _NO_VALUE))


def _name(result: RunResult, judge: str) -> str:
    return judge_names(result)[judge] if judge in result.settings.judges else judge


def _scores(result: RunResult) -> Table:
    panel = result.panel.scores if result.panel else ()
    columns = (
        Column("metric", "Metric"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("value", "Value", ColumnKind.NUMBER),
        Column("n_used", "Tasks", ColumnKind.COUNT),
        Column("n_missing", "Missing", ColumnKind.COUNT),
    )
    rows = tuple(
        Row((score.metric, score.judge, _estimate(score), score.n_used, score.n_missing), trust_label(score.trust))
        for score in (*result.scores, *panel)
        if score.is_applicable
    )
    return Table("scores", "Scores", columns, rows)


def _drawn(result: RunResult) -> dict[str, list[Score]]:
    groups: dict[str, list[Score]] = {}
    for score in result.scores:
        if distribute(score) is not None:
            groups.setdefault(score.metric, []).append(score)
    return groups


def _file(metric: str) -> str:
    return f"distribution-{_ODD.sub('-', metric.lower()).strip('-') or 'metric'}"


def _bins(score: Score) -> tuple[Bin, ...]:
    found = distribute(score)
    return () if found is None else found.bins


def _distribution_table(result: RunResult, metric: str, scores: Sequence[Score]) -> Table:
    columns = (
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("score", "Score"),
        Column("n_tasks", "Tasks", ColumnKind.COUNT),
    )
    rows = tuple(
        Row((_name(result, score.judge), bar.label, bar.n_tasks), trust_label(score.trust))
        for score in scores
        for bar in _bins(score)
    )
    return Table(_file(metric), metric_label(metric).title, columns, rows)


def _distribution_figure(result: RunResult, metric: str, scores: Sequence[Score]) -> Figure:
    centres = {bar.centre: bar.label for score in scores for bar in _bins(score)}
    places = {centre: place for place, centre in enumerate(sorted(centres))}
    label = metric_label(metric)
    return Figure(
        name=_file(metric),
        title=f"{label.title}: tasks by score",
        kind=FigureKind.BARS,
        x=Axis(label.unit or "Score", categories=tuple(centres[centre] for centre in places)),
        y=Axis("Tasks", ColumnKind.COUNT, low=0.0),
        series=tuple(
            Series(
                _name(result, score.judge),
                tuple(Point(places[bar.centre], Estimate(bar.n_tasks)) for bar in _bins(score)),
                trust_label(score.trust),
            )
            for score in scores
        ),
        table=_file(metric),
    )


def _covered(result: RunResult) -> dict[str, list[Score]]:
    groups: dict[str, list[Score]] = {}
    for score in result.scores:
        if coverage_k(score.metric) is not None and score.value is not None:
            groups.setdefault(score.judge, []).append(score)
    return groups


def _k(score: Score) -> int:
    k = coverage_k(score.metric)
    assert k is not None, "the caller has looked"
    return k


def _coverage_table(result: RunResult, covered: dict[str, list[Score]]) -> Table:
    columns = (
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("k", "K", ColumnKind.COUNT),
        Column("coverage", "Coverage", ColumnKind.SHARE),
        Column("untested", "Untested items"),
    )
    rows = tuple(
        Row(
            (_name(result, judge), _k(score), _estimate(score), " ".join(score.untested_items)),
            trust_label(score.trust),
        )
        for judge, scores in covered.items()
        for score in scores
    )
    return Table("coverage", "Policy violation coverage over K", columns, rows)


def _coverage_figure(result: RunResult, covered: dict[str, list[Score]]) -> Figure:
    return Figure(
        name="coverage",
        title="Policy violation coverage over K",
        kind=FigureKind.CURVES,
        x=Axis("K: tasks that must challenge an item", ColumnKind.COUNT),
        y=Axis("Share of policy items", ColumnKind.SHARE, low=0.0, high=1.0),
        series=tuple(
            Series(
                _name(result, judge),
                tuple(Point(_k(score), _estimate(score)) for score in scores),
                trust_label(scores[0].trust),
            )
            for judge, scores in covered.items()
        ),
        table="coverage",
    )


def _agreement_table(result: RunResult, panel: PanelResult) -> Table:
    columns = (
        Column("criterion", "Criterion"),
        Column("judge_a", "Judge", ColumnKind.JUDGE),
        Column("judge_b", "Other judge", ColumnKind.JUDGE),
        Column("statistic", "Statistic"),
        Column("value", "Value", ColumnKind.NUMBER),
        Column("n", "Tasks", ColumnKind.COUNT),
    )
    label = _panel_label(result, panel)
    rows = tuple(
        Row(
            (
                each.criterion,
                *(_name(result, judge) for judge in each.judges),
                each.statistic.value,
                Estimate(each.value, reason=each.reason or ("" if each.value is not None else _NO_VALUE)),
                each.n,
            ),
            label,
        )
        for each in panel.agreements
    )
    return Table("agreement", "Agreement of judges", columns, rows)


def _pair_table(result: RunResult, panel: PanelResult) -> Table:
    columns = (
        Column("criterion", "Criterion"),
        Column("judge_a", "Judge", ColumnKind.JUDGE),
        Column("judge_b", "Other judge", ColumnKind.JUDGE),
        Column("score_a", "Score", ColumnKind.NUMBER),
        Column("score_b", "Other score", ColumnKind.NUMBER),
        Column("n_tasks", "Tasks", ColumnKind.COUNT),
    )
    label = _panel_label(result, panel)
    rows = tuple(
        Row((pair.criterion, *(_name(result, judge) for judge in pair.judges), one, other, n), label)
        for pair in score_pairs(panel)
        for (one, other), n in pair.n_tasks.items()
    )
    return Table("score-pairs", "Pairs of scores", columns, rows)


def _agreement_figure(result: RunResult, panel: PanelResult) -> Figure | None:
    wanted = [each for each in panel.agreements if each.statistic is AgreementStatistic.KENDALL_TAU_B]
    pairs = list(dict.fromkeys(each.judges for each in wanted))
    if not any(each.value is not None for each in wanted):
        return None
    label = _panel_label(result, panel)
    series = tuple(
        Series(
            criterion_title(criterion),
            tuple(
                Point(pairs.index(each.judges), Estimate(each.value, reason=each.reason or _NO_VALUE))
                for each in wanted
                if each.criterion == criterion
            ),
            label,
        )
        for criterion in dict.fromkeys(each.criterion for each in wanted)
    )
    return Figure(
        name="agreement",
        title="Agreement of judges, Kendall's τ_b",
        kind=FigureKind.DOTS,
        x=Axis("τ_b", low=-1.0, high=1.0),
        y=Axis("", categories=tuple(" / ".join(_name(result, judge) for judge in pair) for pair in pairs)),
        series=series,
        table="agreement",
        reference=0.0,
    )


def _panel_label(result: RunResult, panel: PanelResult) -> str:
    trusts = {score.trust for score in result.scores if score.judge in panel.judges and score.value is not None}
    return ", ".join(label for label in (trust_label(trust) for trust in sorted(trusts)) if label)

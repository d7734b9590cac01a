"""Do metrics order benchmarks as their tiers say?"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.errors import UndefinedScoreError, UsageError
from audit.families import model_family
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
from audit.records.suite import Suite
from audit.reports import numbers
from audit.reports.labels import trust_label
from audit.stats.ordering import Ordering, order_tiers
from audit.studies.draws import draw_values
from audit.studies.ground import Ground, Key, ask, close, scores_by_key, settings_of
from audit.studies.matrix import value_figures, value_table
from audit.suites.loading import Loaded

ORDERING_COLUMNS = (
    Column("domain", "Domain"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n_pairs", "Pairs", ColumnKind.COUNT),
    Column("n_ordered", "Ordered", ColumnKind.COUNT),
    Column("n_ties", "Ties", ColumnKind.COUNT),
    Column("n_failing", "Failing", ColumnKind.COUNT),
    Column("score", "Ordering score", ColumnKind.SHARE),
    Column("without_own", "Without own family", ColumnKind.SHARE),
)
PAIR_COLUMNS = (
    Column("domain", "Domain"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("outcome", "Outcome"),
    Column("better", "Should be above"),
    Column("worse", "Should be below"),
    Column("difference", "Difference", ColumnKind.NUMBER, digits=3),
    Column("probability", "Chance above", ColumnKind.SHARE),
    Column("tie_probability", "Chance of a tie", ColumnKind.SHARE),
)
_PAIRS_ABOUT = "Each pair by name, with the chance over draws of tasks that the better one is above, or level."
_NO_DRAWS = "a benchmark has fewer than two judged tasks"


@dataclass(frozen=True, slots=True)
class _Ordered:
    """One ordering score with where it is from."""

    domain: str
    key: Key
    label: str
    ordering: Ordering | None
    reason: str
    without_own: Estimate


def study_ordering(suite: Suite, loaded: Sequence[Loaded], *, ground: Ground) -> StudyResult:
    """Judge benchmarks of different tiers and say how far each metric orders them so.

    Parameters
    ----------
    loaded
        The suite's members; those in no tier are judged and shown, and enter no pair.

    Returns
    -------
    StudyResult
        A score for each domain, metric and judge, with ties and failing pairs by name. Where a benchmark was written
        by a model of the judge's own family, the score without such benchmarks stands beside it.

    Raises
    ------
    UsageError
        If there are fewer than two tiers in every domain.
    """
    check_tiers(suite)
    answers = ask([one.benchmark for one in loaded], ground)
    runs = {one.member.name: run for one, run in zip(loaded, answers.results, strict=True)}
    ordered = tuple(_order(suite, loaded, runs, ground))
    pairs = tuple(_pair_rows(ordered))
    failing = tuple(row for row in pairs if row.cells[3] != "holds")
    values = value_table(loaded, answers.results)
    about = (
        "Pairs of benchmarks from different tiers of a domain; the score is the share in which the one of the better "
        "tier is strictly above. Without own family: the same without benchmarks that the judge's own model family "
        "wrote."
    )
    table = Table("ordering", "How far the tiers' order shows", ORDERING_COLUMNS, tuple(map(_row, ordered)), about)
    study = StudyResult(
        kind="ordering",
        title="Do the metrics order benchmarks as their tiers say?",
        summary=tuple(_summary(ordered)),
        settings=settings_of(ground, **_tiers_of(suite)),
        tables=(
            table,
            *_means(ordered),
            Table(
                "failing",
                "Failing pairs and ties",
                PAIR_COLUMNS,
                failing,
                _PAIRS_ABOUT,
            ),
            values,
            Table("pairs", "Every pair", PAIR_COLUMNS, pairs, n_in_text=0),
        ),
        figures=(*_figure(ordered), *value_figures(values)),
    )
    return close(study, answers, benchmarks=[one.benchmark for one in loaded])


def check_tiers(suite: Suite) -> None:
    """Raise :class:`UsageError` unless some domain has benchmarks in two tiers."""
    for domain in suite.domains:
        if sum(bool(suite.in_tier(tier, domain=domain)) for tier in suite.tiers) > 1:
            return
    mend = "Name two tiers or more, the best first: --tier top=A --tier small=B, or --suite FILE"
    raise UsageError("no two benchmarks of one domain are in different tiers", where=suite.where, mend=mend)


def _tiers_of(suite: Suite) -> Mapping[str, tuple[str, ...]]:
    named = {
        f"tier {tier}": tuple(member.name for member in suite.members if member.tier == tier) for tier in suite.tiers
    }
    return {"tiers": suite.tiers, **named}


def _order(suite: Suite, loaded: Sequence[Loaded], runs: Mapping[str, RunResult], ground: Ground) -> Iterator[_Ordered]:
    families = {one.member.name: one.benchmark.author_family for one in loaded}
    for domain in suite.domains:
        tiers = [[member.name for member in suite.in_tier(tier, domain=domain)] for tier in suite.tiers]
        names = [name for tier in tiers for name in tier]
        if sum(map(bool, tiers)) < 2:
            continue
        for key, score in scores_by_key(runs[names[0]]).items():
            ordering, reason = _try_order(names, tiers, runs, key=key, seed=ground.settings.seed)
            without = _without_own(tiers, families, runs, key=key, seed=ground.settings.seed)
            yield _Ordered(domain, key, trust_label(score.trust), ordering, reason, without)


def _try_order(
    names: Sequence[str], tiers: Sequence[Sequence[str]], runs: Mapping[str, RunResult], *, key: Key, seed: int
) -> tuple[Ordering | None, str]:
    scores = {name: scores_by_key(runs[name])[key] for name in names}
    values = {name: score.value for name, score in scores.items() if score.value is not None}
    draws = {name: draw_values(runs[name], key, seed=seed) for name in values}
    known = {name: found for name, found in draws.items() if found is not None}
    try:
        return order_tiers(values, tiers, draws=known if len(known) == len(values) else None), ""
    except UndefinedScoreError as error:
        return None, error.what


def _without_own(
    tiers: Sequence[Sequence[str]],
    families: Mapping[str, str | None],
    runs: Mapping[str, RunResult],
    *,
    key: Key,
    seed: int,
) -> Estimate:
    family = model_family(key[1])
    if family is None:
        return Estimate(None, reason="the judge's name tells no model family")
    left = [[name for name in tier if (families[name] or "").lower() != family] for tier in tiers]
    names = [name for tier in left for name in tier]
    if len(names) == sum(map(len, tiers)):
        return Estimate(None, reason="none of the benchmarks is known to be by the judge's family")
    ordering, reason = _try_order(names, left, runs, key=key, seed=seed)
    return Estimate(None, reason=reason) if ordering is None else Estimate(ordering.score, ordering.interval)


def _row(one: _Ordered) -> Row:
    found = one.ordering
    if found is None:
        return Row((one.domain, *one.key, 0, 0, 0, 0, Estimate(None, reason=one.reason), one.without_own), one.label)
    n = len(found.pairs)
    n_ties, n_failing = len(found.ties), len(found.failing)
    score = Estimate(found.score, found.interval)
    return Row((one.domain, *one.key, n, n - n_ties - n_failing, n_ties, n_failing, score, one.without_own), one.label)


def _pair_rows(ordered: Sequence[_Ordered]) -> Iterator[Row]:
    for one in ordered:
        for pair in one.ordering.pairs if one.ordering else ():
            outcome = "holds" if pair.holds else "tie" if pair.is_tie else "fails"
            chances = (_chance(pair.probability), _chance(pair.tie_probability))
            yield Row((one.domain, *one.key, outcome, pair.better, pair.worse, pair.difference, *chances), one.label)


def _chance(share: float | None) -> Estimate:
    return Estimate(share, reason="" if share is not None else _NO_DRAWS)


def _means(ordered: Sequence[_Ordered]) -> Iterator[Table]:
    """Yield the mean over metrics and domains of each judge, where there are several."""
    by_judge: dict[tuple[str, str], list[float]] = {}
    for one in ordered:
        if one.ordering is not None:
            by_judge.setdefault((one.key[1], one.label), []).append(one.ordering.score)
    if any(len(scores) > 1 for scores in by_judge.values()):
        columns = (
            Column("judge", "Judge", ColumnKind.JUDGE),
            Column("n_scores", "Scores", ColumnKind.COUNT),
            Column("mean", "Mean ordering score", ColumnKind.SHARE),
        )
        rows = (
            Row((judge, len(scores), statistics.fmean(scores)), label) for (judge, label), scores in by_judge.items()
        )
        yield Table("means", "Mean over metrics and domains", columns, tuple(rows))


def _summary(ordered: Sequence[_Ordered]) -> Iterator[str]:
    for one in ordered:
        label = f" [{one.label}]" if one.label else ""
        domain = f"{one.domain}: " if one.domain else ""
        who = f"{domain}{one.key[0]}, {one.key[1]}{label}"
        if one.ordering is None:
            yield f"{who}: undefined ({one.reason})."
            continue
        n, score = len(one.ordering.pairs), one.ordering.score
        held = f"{numbers.count(sum(pair.holds for pair in one.ordering.pairs))} of {numbers.plural(n, 'pair')}"
        n_ties = len(one.ordering.ties)
        tied = f", {numbers.count(n_ties)} level" if n_ties else ""
        failing = "; ".join(f"{pair.better} below {pair.worse}" for pair in one.ordering.failing[:3])
        more = " …" if len(one.ordering.failing) > 3 else ""
        rest = f"{tied}; failing: {failing}{more}" if failing else tied
        yield f"{who}: {held} in order ({numbers.percent(score)}){rest}."


def _figure(ordered: Sequence[_Ordered]) -> Iterator[Figure]:
    metrics = tuple(dict.fromkeys(one.key[0] for one in ordered))
    lines: dict[tuple[str, str], list[Point]] = {}
    for one in ordered:
        name = f"{one.domain}, {one.key[1]}" if one.domain else one.key[1]
        found = one.ordering
        cell = Estimate(None, reason=one.reason) if found is None else Estimate(found.score, found.interval)
        lines.setdefault((name, one.label), []).append(Point(metrics.index(one.key[0]), cell))
    yield Figure(
        name="ordering",
        title="Share of pairs in the tiers' order",
        kind=FigureKind.DOTS,
        x=Axis("Ordering score", ColumnKind.SHARE, low=0.0, high=1.0),
        y=Axis("", categories=metrics),
        series=tuple(Series(name, tuple(points), label) for (name, label), points in lines.items()),
        table="ordering",
    )

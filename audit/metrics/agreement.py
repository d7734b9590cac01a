"""How far each pair of judges agrees, statistic by statistic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations

from audit.errors import UndefinedScoreError
from audit.metrics.outcomes import POLICY_VIOLATIONS, Outcomes
from audit.records.mode import Mode, mode_of
from audit.records.panel import Agreement, AgreementStatistic
from audit.records.verdict import nearest_level
from audit.stats.agreement import exact_match_share, kendall_tau_b, mean_absolute_difference, mean_jaccard


def measure_agreement(by_judge: Mapping[str, Outcomes], *, criterion: str) -> tuple[Agreement, ...]:
    """Return every statistic of every pair of judges, over the tasks that both have a verdict on.

    Values are a judge's means over trials; for violations, numbers of items, while exact match and Jaccard compare
    the sets themselves. Scores that decisions give are means over levels: for an exact match the nearest level counts.
    A statistic that doesn't exist for a pair comes with its reason.
    """
    return tuple(
        agreement
        for pair in combinations(by_judge, 2)
        for agreement in _pair_agreement(pair, by_judge, criterion=criterion)
    )


def _pair_agreement(judges: tuple[str, str], by_judge: Mapping[str, Outcomes], *, criterion: str) -> list[Agreement]:
    first, second = (by_judge[judge] for judge in judges)
    common = [id_ for id_ in first.value_by_task if id_ in second.value_by_task]
    values = [[each.value_by_task[id_] for id_ in common] for each in (first, second)]
    known = partial(_agreement, judges, criterion)
    tau = known(AgreementStatistic.KENDALL_TAU_B, len(common), lambda: kendall_tau_b(*values))
    apart = known(AgreementStatistic.MEAN_ABSOLUTE_DIFFERENCE, len(common), lambda: mean_absolute_difference(*values))
    if criterion != POLICY_VIOLATIONS:
        levels = [_levels(judge, own) for judge, own in zip(judges, values, strict=True)]
        return [tau, known(AgreementStatistic.EXACT_MATCH, len(common), lambda: exact_match_share(*levels)), apart]
    sets = [[each.violated_by_task[id_] for id_ in common] for each in (first, second)]
    n_either = sum(bool(a or b) for a, b in zip(*sets, strict=True))
    exact = known(AgreementStatistic.EXACT_MATCH, len(common), lambda: exact_match_share(*sets))
    return [tau, exact, apart, known(AgreementStatistic.JACCARD, n_either, lambda: mean_jaccard(*sets))]


def _levels(judge: str, values: list[float]) -> list[float]:
    return [nearest_level(value) for value in values] if mode_of(judge) is Mode.DECISIONS else values


def _agreement(
    judges: tuple[str, str],
    criterion: str,
    statistic: AgreementStatistic,
    n: int,
    measure: Callable[[], float],
) -> Agreement:
    try:
        return Agreement(criterion, judges, statistic, measure(), n)
    except UndefinedScoreError as error:
        return Agreement(criterion, judges, statistic, None, n, error.what)

"""Rank correlations with their p-values: Kendall and Spearman, pooled and within strata."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.agreement import MIN_TASKS, kendall_tau_b
from audit.stats.bootstrap import LEVEL, Floats, weighted_interval

N_ENUMERATED = 8
"""Up to this many tasks with ties, all orders are gone through: 40,320."""
N_EXACT = 50
"""Up to this many tasks without ties, the distribution of Kendall's statistic is computed exactly."""
EXACT, NORMAL = "exact", "normal approximation"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation, its two-sided p under independence, and how that p was found."""

    value: float
    p: float
    method: str
    n: int


def kendall_test(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Return Kendall's tau-b with a two-sided p: the chance of a value as far from 0 if the ratings were unrelated.

    Exact without ties up to ``N_EXACT`` tasks, and with ties up to ``N_ENUMERATED`` by all orders of one side; beyond
    that by the normal approximation with the variance corrected for ties.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or a side is constant.

    Notes
    -----
    Kendall (1970), "Rank correlation methods", chapters 3 to 5.

    Examples
    --------
    >>> found = kendall_test([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(found.value, 4), round(found.p, 4), found.method
    (0.6667, 0.3333, 'exact')
    """
    value, n = kendall_tau_b(first, second), len(first)
    has_ties = len(set(first)) < n or len(set(second)) < n
    if has_ties and n <= N_ENUMERATED:
        return Correlation(value, _enumerate(first, second, _kendall_sums), EXACT, n)
    if not has_ties and n <= N_EXACT:
        from scipy.stats import kendalltau  # noqa: PLC0415  # a second of import that only studies need

        return Correlation(value, float(kendalltau(first, second, method="exact").pvalue), EXACT, n)
    return Correlation(value, _normal_p(kendall_sum(first, second), kendall_variance(first, second)), NORMAL, n)


def stratified_kendall_test(
    first: Sequence[float], second: Sequence[float], *, strata: Sequence[Hashable]
) -> Correlation:
    """Return tau-b over the pairs of tasks that lie in the same stratum, with a two-sided p.

    Where strata differ in level on both sides, the pooled tau-b is high even if no judge tells two tasks of the same
    stratum apart; this one is not. The p is of the normal approximation, with the variances of the strata added.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or a side is constant within every stratum.

    Examples
    --------
    >>> stratified_kendall_test([1, 2, 8, 9], [2, 1, 9, 8], strata=["a", "a", "b", "b"]).value
    -1.0
    """
    _require(first, second)
    value = float(tau_b_of(first, second, strata=strata)(np.ones((1, len(first))))[0])
    if math.isnan(value):
        raise UndefinedScoreError("constant ratings within every stratum")
    groups = _groups(strata)
    pairs = [([first[i] for i in group], [second[i] for i in group]) for group in groups]
    total = sum(kendall_sum(a, b) for a, b in pairs)
    variance = sum(kendall_variance(a, b) for a, b in pairs)
    return Correlation(value, _normal_p(total, variance), NORMAL, len(first))


def tau_b_of(
    first: Sequence[float], second: Sequence[float], *, strata: Sequence[Hashable] | None = None
) -> Callable[[Floats], Floats]:
    """Return tau-b as a function of how often each task is drawn, for bootstraps; ``nan`` where it does not exist.

    Copies of one task are no pair. With ``strata``, only pairs within a stratum count.
    """
    a, b = (np.sign(np.subtract.outer(x, x)).astype(np.float64) for x in map(np.asarray, (first, second)))
    if strata is not None:
        number = {name: place for place, name in enumerate(dict.fromkeys(strata))}
        codes = np.array([number[name] for name in strata])
        same = codes[:, None] == codes[None, :]
        a, b = a * same, b * same

    def statistic(weights: Floats) -> Floats:
        concordance, first_untied, second_untied = (
            ((weights @ matrix) * weights).sum(axis=1) for matrix in (a * b, np.abs(a), np.abs(b))
        )
        scale = np.sqrt(first_untied * second_untied)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(scale > 0, np.clip(concordance / scale, -1.0, 1.0), np.nan)
        return found

    return statistic


def tau_b_interval(
    first: Sequence[float],
    second: Sequence[float],
    *,
    rng: np.random.Generator,
    strata: Sequence[Hashable] | None = None,
    level: float = LEVEL,
) -> Interval | None:
    """Return the percentile bootstrap interval of tau-b over tasks; ``None`` where too many draws are constant."""
    _require(first, second)
    return weighted_interval(tau_b_of(first, second, strata=strata), len(first), rng=rng, level=level)


def spearman_test(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Return Spearman's rank correlation, ties at their mean rank, with a two-sided p.

    Exact up to ``N_ENUMERATED`` tasks by all orders of one side; beyond that by Student's t with n - 2 degrees.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or a side is constant.

    Examples
    --------
    >>> found = spearman_test([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    >>> round(found.value, 4), round(found.p, 4)
    (0.8, 0.1333)
    """
    from scipy.stats import rankdata, t  # noqa: PLC0415  # a second of import that only studies need

    _require(first, second)
    _require_variety(first, second)
    ranks = [rankdata(x) for x in (first, second)]
    value = float(np.clip(np.corrcoef(ranks[0], ranks[1])[0, 1], -1.0, 1.0))
    n = len(first)
    if n <= N_ENUMERATED:
        return Correlation(value, _enumerate(ranks[0].tolist(), ranks[1].tolist(), _products), EXACT, n)
    if abs(value) > 1 - 1e-12:
        return Correlation(math.copysign(1.0, value), 0.0, "Student's t", n)
    score = abs(value) * math.sqrt((n - 2) / (1 - value**2))
    return Correlation(value, float(2 * t.sf(score, n - 2)), "Student's t", n)


def spearman_interval(
    first: Sequence[float], second: Sequence[float], *, rng: np.random.Generator, level: float = LEVEL
) -> Interval | None:
    """Return the percentile bootstrap interval of Spearman's correlation over tasks."""
    _require(first, second)
    a, b = (np.asarray(x, dtype=np.float64) for x in (first, second))
    below = [(x[None, :] < x[:, None]).astype(np.float64) for x in (a, b)]
    equal = [(x[None, :] == x[:, None]).astype(np.float64) for x in (a, b)]

    def statistic(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        ranks = [weights @ under.T + (weights @ same.T + 1) / 2 for under, same in zip(below, equal, strict=True)]
        x, y = (rank - (rank * weights).sum(axis=1, keepdims=True) / n[:, None] for rank in ranks)
        scale = np.sqrt((weights * x * x).sum(axis=1) * (weights * y * y).sum(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(scale > 1e-9, (weights * x * y).sum(axis=1) / scale, np.nan)
        return np.clip(found, -1.0, 1.0)

    return weighted_interval(statistic, len(first), rng=rng, level=level)


def kendall_sum(first: Sequence[float], second: Sequence[float]) -> float:
    """Return concordant less discordant pairs."""
    return float(_kendall_sums(np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)[None, :])[0])


def kendall_variance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the variance of :func:`kendall_sum` under independence, with ties on either side.

    Examples
    --------
    >>> round(kendall_variance([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    8.6667
    """
    n = len(first)
    if n < 2:
        return 0.0
    t, u = (np.unique(np.asarray(x), return_counts=True)[1].astype(np.float64) for x in (first, second))
    whole = n * (n - 1) * (2 * n + 5)
    tied = sum(float((x * (x - 1) * (2 * x + 5)).sum()) for x in (t, u))
    pairs = float((t * (t - 1)).sum()) * float((u * (u - 1)).sum()) / (2 * n * (n - 1))
    triples = float((t * (t - 1) * (t - 2)).sum()) * float((u * (u - 1) * (u - 2)).sum())
    return (whole - tied) / 18 + pairs + (triples / (9 * n * (n - 1) * (n - 2)) if n > 2 else 0.0)


def _kendall_sums(first: Floats, orders: Floats) -> Floats:
    upper = np.triu_indices(first.size, 1)
    signs = np.sign(first[upper[0]] - first[upper[1]])
    found: Floats = np.sign(orders[:, upper[0]] - orders[:, upper[1]]) @ signs
    return found


def _products(first: Floats, orders: Floats) -> Floats:
    centred: Floats = (orders - orders.mean(axis=1, keepdims=True)) @ (first - first.mean())
    return centred


def _enumerate(first: Sequence[float], second: Sequence[float], statistic: Callable[[Floats, Floats], Floats]) -> float:
    """Return the share of all orders of ``second`` whose statistic is as far from 0 as the one at hand."""
    fixed = np.asarray(first, dtype=np.float64)
    orders = np.array(list(permutations(second)), dtype=np.float64)
    sums = np.abs(statistic(fixed, orders))
    return float((sums >= sums[0] - 1e-9).mean())  # the first order is the one at hand


def _normal_p(total: float, variance: float) -> float:
    return math.erfc(abs(total) / math.sqrt(variance) / math.sqrt(2)) if variance > 0 else 1.0


def _groups(strata: Sequence[Hashable]) -> list[list[int]]:
    return [[i for i, name in enumerate(strata) if name == own] for own in dict.fromkeys(strata)]


def _require(first: Sequence[float], second: Sequence[float]) -> None:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} ratings on one side, {len(second)} on the other")
    if len(first) < MIN_TASKS:
        raise UndefinedScoreError(f"{len(first)} tasks rated by both; agreement needs {MIN_TASKS}")


def _require_variety(*sides: Sequence[float]) -> None:
    for ratings in sides:
        if min(ratings) == max(ratings):
            raise UndefinedScoreError(f"constant ratings: one side rates every task {ratings[0]:g}")

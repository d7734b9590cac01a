"""Agreement of several raters, with gaps: Krippendorff's alpha and Gwet's AC2, both for ordered ratings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.agreement import MIN_TASKS
from audit.stats.bootstrap import LEVEL, Floats, weighted_interval

Ratings = Sequence[Sequence[float | None]]
"""A row a task, a cell a rater; ``None`` where a rater gave nothing."""
Statistic = Callable[[Floats], Floats]


def krippendorff_alpha(ratings: Ratings) -> float:
    """Return Krippendorff's alpha for ordinal ratings: 1 less disagreement seen over disagreement expected.

    Parameters
    ----------
    ratings
        A row a task; tasks with fewer than two ratings don't count.

    Returns
    -------
    float
        At most 1; 0 is what chance gives, below 0 is systematic disagreement.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two raters, fewer than three tasks with two ratings, or all ratings are the same.

    Notes
    -----
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability".

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 1], [2, 3], [4, None], [3, 3], [5, 5]]), 4)
    0.9103
    """
    table = _tabulate(ratings, None)
    value = float(_alpha_of(table)(np.ones((1, table.counts.shape[0])))[0])
    if math.isnan(value):
        raise UndefinedScoreError("constant ratings: every rating is the same")
    return value


def alpha_interval(ratings: Ratings, *, rng: np.random.Generator, level: float = LEVEL) -> Interval | None:
    """Return the percentile bootstrap interval of :func:`krippendorff_alpha` over tasks."""
    table = _tabulate(ratings, None)
    return weighted_interval(_alpha_of(table), table.counts.shape[0], rng=rng, level=level)


def gwet_ac2(ratings: Ratings, *, categories: Sequence[float] | None = None) -> float:
    """Return Gwet's AC2 with ordinal weights, which stays steady where nearly all ratings are the same.

    Parameters
    ----------
    ratings
        A row a task. Tasks with one rating say how often a rating is used, and nothing on agreement.
    categories
        The scale in order, whether used or not; ``None`` for the ratings that occur.

    Returns
    -------
    float
        At most 1; 0 is what chance gives.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two raters, fewer than three tasks with two ratings, or one category alone.
    ValueError
        If a rating is none of ``categories``.

    Notes
    -----
    Gwet (2014), "Handbook of inter-rater reliability", 4th edition, chapters 2 to 4.

    Examples
    --------
    >>> round(gwet_ac2([[1, 1], [2, 3], [4, None], [3, 3], [5, 5]]), 4)
    0.9161
    """
    table = _tabulate(ratings, categories)
    if table.counts.shape[1] < 2:
        raise UndefinedScoreError("constant ratings: every rating is the same")
    return float(_ac2_of(table)(np.ones((1, table.counts.shape[0])))[0])


def ac2_interval(
    ratings: Ratings,
    *,
    rng: np.random.Generator,
    categories: Sequence[float] | None = None,
    level: float = LEVEL,
) -> Interval | None:
    """Return the percentile bootstrap interval of :func:`gwet_ac2` over tasks."""
    table = _tabulate(ratings, categories)
    return weighted_interval(_ac2_of(table), table.counts.shape[0], rng=rng, level=level)


@dataclass(frozen=True, slots=True)
class _Table:
    """How often each task got each category; tasks without any rating are left out."""

    counts: Floats


def _tabulate(ratings: Ratings, categories: Sequence[float] | None) -> _Table:
    given = [[rating for rating in row if rating is not None] for row in ratings]
    n_raters = len({place for row in ratings for place, rating in enumerate(row) if rating is not None})
    if n_raters < 2:
        raise UndefinedScoreError(f"{'one rater' if n_raters else 'no rater'}; agreement needs two")
    n_paired = sum(len(row) > 1 for row in given)
    if n_paired < MIN_TASKS:
        raise UndefinedScoreError(f"{n_paired} tasks rated by two or more; agreement needs {MIN_TASKS}")
    scale = sorted({rating for row in given for rating in row}) if categories is None else list(categories)
    number = {category: place for place, category in enumerate(scale)}
    if unknown := sorted({rating for row in given for rating in row} - number.keys()):
        raise ValueError(f"ratings that are not on the scale: {unknown}")
    counts = np.zeros((len(given), len(scale)))
    for place, row in enumerate(given):
        for rating in row:
            counts[place, number[rating]] += 1
    return _Table(counts[counts.sum(axis=1) > 0])


def _alpha_of(table: _Table) -> Statistic:
    counts = table.counts[table.counts.sum(axis=1) > 1]
    n_given = counts.sum(axis=1)
    per_task = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    per_task[:, diagonal, diagonal] -= counts
    per_task /= (n_given - 1)[:, None, None]
    is_paired = table.counts.sum(axis=1) > 1

    def statistic(weights: Floats) -> Floats:
        together = np.einsum("bt,tcd->bcd", weights[:, is_paired], per_task)
        totals = together.sum(axis=2)
        distance = _ordinal_distance(totals)
        n = totals.sum(axis=1)
        seen = (together * distance).sum(axis=(1, 2))
        expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(expected > 0, 1 - (n - 1) * seen / expected, np.nan)
        return found

    return statistic


def _ordinal_distance(totals: Floats) -> Floats:
    """Return the squared number of ratings between each two categories, their own counting half."""
    reached = np.cumsum(totals, axis=1) - totals / 2
    found: Floats = (reached[:, :, None] - reached[:, None, :]) ** 2
    return found


def _ac2_of(table: _Table) -> Statistic:
    counts, n_categories = table.counts, table.counts.shape[1]
    n_given = counts.sum(axis=1)
    weights_of = _ordinal_weights(n_categories)
    is_paired = n_given > 1
    near = counts @ weights_of
    pairs = np.where(is_paired, n_given * (n_given - 1), 1.0)
    agreed = np.where(is_paired, (counts * (near - 1)).sum(axis=1) / pairs, 0.0)
    shares = counts / n_given[:, None]

    def statistic(weights: Floats) -> Floats:
        used = weights @ shares / weights.sum(axis=1, keepdims=True)
        scale = weights_of.sum() / (n_categories * (n_categories - 1))
        chance = scale * (used * (1 - used)).sum(axis=1)
        n_paired = weights @ is_paired
        with np.errstate(invalid="ignore", divide="ignore"):
            seen = np.where(n_paired > 0, weights @ agreed / n_paired, np.nan)
        found: Floats = (seen - chance) / (1 - chance)
        return found

    return statistic


def _ordinal_weights(n: int) -> Floats:
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) + 1.0
    pairs = steps * (steps - 1) / 2
    weights: Floats = 1 - pairs / pairs.max() if n > 1 else np.ones((n, n))
    return weights

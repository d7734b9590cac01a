"""Bootstrap intervals over tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.errors import UndefinedScoreError
from audit.records.score import Interval

N_RESAMPLES = 2000
LEVEL = 0.95
_MOST_UNDEFINED = 0.1
_BLOCK = 2_000_000
"""Indices held at once, so that memory stays flat for large benchmarks."""

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]


def resample(statistic: Callable[[Indices], Floats], n: int, *, rng: np.random.Generator) -> Floats:
    """Return the statistic of ``N_RESAMPLES`` samples of ``n`` from ``n`` with replacement.

    Parameters
    ----------
    statistic
        From indices of shape (b, n) to values whose first dimension is b.
    n
        How many there are to draw from, at least 2.

    Raises
    ------
    UndefinedScoreError
        If ``n`` is below 2: one task has no spread.
    """
    if n < 2:
        raise UndefinedScoreError(f"a bootstrap needs two tasks at least, not {n}")
    size = max(1, _BLOCK // n)
    blocks = [min(size, N_RESAMPLES - start) for start in range(0, N_RESAMPLES, size)]
    return np.concatenate([statistic(rng.integers(0, n, size=(block, n))) for block in blocks])


def mean_interval(values: Sequence[float], *, rng: np.random.Generator, level: float = LEVEL) -> Interval:
    """Return the percentile bootstrap interval of the mean; it does not depend on the order of ``values``.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two values.

    Notes
    -----
    The percentile method of Efron (1979), "Bootstrap methods: another look at the jackknife".

    Examples
    --------
    >>> mean_interval([4.0, 4.0, 4.0], rng=np.random.default_rng(0))
    Interval(low=4.0, high=4.0, level=0.95)
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    replicates = resample(lambda index: ordered[index].mean(axis=1), ordered.size, rng=rng)
    low, high = _percentiles(np.clip(replicates, ordered[0], ordered[-1]), level)  # a mean of 0.1s may round above 0.1
    return Interval(low, high, level)


def weighted_interval(
    statistic: Callable[[Floats], Floats], n: int, *, rng: np.random.Generator, level: float = LEVEL
) -> Interval | None:
    """Return the percentile bootstrap interval of a statistic of ``n`` weighted tasks.

    Parameters
    ----------
    statistic
        From weights of shape (b, n), how often each task was drawn, to b values; ``nan`` where the statistic does not
        exist for a draw, such as one of constant ratings.
    n
        Tasks, at least 2.

    Returns
    -------
    Interval or None
        ``None`` where the statistic does not exist for more than a tenth of the draws: the rest would be a selection.

    Raises
    ------
    UndefinedScoreError
        If ``n`` is below 2.
    """
    replicates = resample(lambda index: statistic(times_drawn(index).astype(np.float64)), n, rng=rng)
    defined = replicates[np.isfinite(replicates)]
    if defined.size < (1 - _MOST_UNDEFINED) * replicates.size:
        return None
    return Interval(*_percentiles(defined, level), level)


def times_drawn(index: Indices) -> NDArray[np.intp]:
    """Return how often each of n tasks was drawn, from indices of shape (b, n) and in that shape."""
    n_resamples, n_tasks = index.shape
    flat = index + np.arange(n_resamples)[:, None] * n_tasks
    return np.bincount(flat.ravel(), minlength=n_resamples * n_tasks).reshape(n_resamples, n_tasks)


def coverage_intervals(
    violated: NDArray[np.bool_], ks: Sequence[int], *, rng: np.random.Generator, level: float = LEVEL
) -> tuple[Interval, ...]:
    """Return a bootstrap interval of coverage@k for each of ``ks``, from the same resamples.

    Parameters
    ----------
    violated
        Shape (tasks, items): whether a task violates an item.
    ks
        Tasks that make an item covered, each at least 1.

    Returns
    -------
    tuple of Interval
        Inside [0, 1], and around the value.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two tasks, or no items.

    Notes
    -----
    A resample repeats some tasks and so lacks others: at k = 1 it can only lose items, and plain percentiles often
    leave out the very value that they are meant to surround. The percentiles are therefore moved by the difference
    between the value and the mean of its replicates. In simulations with 20 to 114 tasks and 30 to 52 items of uneven
    frequency, intervals at a nominal 95 % held the expected coverage of a fresh draw of tasks in 90 % of the runs or
    more for k of 3 and 5, and in 70 to 86 % for k = 1 (plain percentiles: 35 to 61 %).
    """
    n_tasks, n_items = violated.shape
    if n_items == 0:
        raise UndefinedScoreError("the policy has no items")
    counts = violated.astype(np.float64)
    replicates = resample(lambda index: _coverages(index, counts, ks), n_tasks, rng=rng)
    values = (counts.sum(axis=0)[None, :] >= np.asarray(ks)[:, None]).mean(axis=1)
    return tuple(_centred(column, float(value), level) for column, value in zip(replicates.T, values, strict=True))


def _coverages(index: Indices, counts: Floats, ks: Sequence[int]) -> Floats:
    """Coverage at each k (columns) of each resample (rows)."""
    per_item = times_drawn(index) @ counts
    return np.stack([(per_item >= k).mean(axis=1) for k in ks], axis=1)


def _percentiles(replicates: Floats, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail])
    return float(low), float(high)


def _centred(replicates: Floats, value: float, level: float) -> Interval:
    low, high = _percentiles(replicates, level)
    shift = value - float(replicates.mean())
    return Interval(max(min(low + shift, value), 0.0), min(max(high + shift, value), 1.0), level)

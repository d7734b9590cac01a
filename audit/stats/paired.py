"""Bootstrap intervals, and a test, of a difference between two runs over the same tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.bootstrap import LEVEL, Floats, Indices, mean_interval, resample, times_drawn

N_DRAWS = 9_999
_BLOCK = 2_000_000


def paired_mean_interval(
    old: Sequence[float], new: Sequence[float], *, rng: np.random.Generator, level: float = LEVEL
) -> Interval:
    """Return the percentile bootstrap interval of the mean of ``new - old``, task by task.

    Parameters
    ----------
    old, new
        Values of the same tasks in the same order, two at least.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two tasks.
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> paired_mean_interval([4.0, 9.0], [3.0, 8.0], rng=np.random.default_rng(0))
    Interval(low=-1.0, high=-1.0, level=0.95)
    """
    differences = [after - before for before, after in zip(old, new, strict=True)]
    return mean_interval(differences, rng=rng, level=level)


def paired_coverage_interval(
    old: NDArray[np.bool_], new: NDArray[np.bool_], *, k: int, rng: np.random.Generator, level: float = LEVEL
) -> Interval:
    """Return a bootstrap interval of coverage@k of ``new`` minus that of ``old``, both from the same resamples.

    Parameters
    ----------
    old, new
        Shape (tasks, items): whether a task violates an item; the same tasks in the same order, while the items may be
        those of two policies.
    k
        Tasks that make an item covered, at least 1.

    Returns
    -------
    Interval
        Around the difference, inside [-1, 1]. A resample lacks some tasks, on both sides alike; what that still
        moves the replicates by is taken out, as in :func:`audit.stats.bootstrap.coverage_intervals`.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two tasks, or no items.
    ValueError
        If the two differ in their number of tasks.
    """
    n_tasks = old.shape[0]
    if n_tasks != new.shape[0]:
        raise ValueError(f"shapes differ: {old.shape} and {new.shape}")
    if 0 in (old.shape[1], new.shape[1]):
        raise UndefinedScoreError("the policy has no items")
    value = _coverage(new.sum(axis=0), k) - _coverage(old.sum(axis=0), k)

    def statistic(index: Indices) -> Floats:
        times = times_drawn(index)
        difference: Floats = _coverage(times @ new, k) - _coverage(times @ old, k)
        return difference

    replicates = resample(statistic, n_tasks, rng=rng)
    tail = (1 - level) / 2
    low, high = np.quantile(replicates + (value - replicates.mean()), [tail, 1 - tail])
    return Interval(max(-1.0, min(float(low), float(value))), min(1.0, max(float(high), float(value))), level)


def paired_coverage_p(old: NDArray[np.bool_], new: NDArray[np.bool_], *, k: int, rng: np.random.Generator) -> float:
    """Return a two-sided p for a difference in coverage@k: how often one as wide arises if sides are a coin's.

    Parameters
    ----------
    old, new
        Shape (tasks, items), as for :func:`paired_coverage_interval`, over the same items. In each of 9,999 draws the
        two sides of every task change places or stay.

    Returns
    -------
    float
        In (0, 1], at least 1 in 10,000: the difference itself counts as a draw. 1 where there is none.

    Raises
    ------
    ValueError
        If the two differ in shape.

    Notes
    -----
    A randomization test with the observed value among the draws: Phipson and Smyth (2010).
    """
    if old.shape != new.shape:
        raise ValueError(f"shapes differ: {old.shape} and {new.shape}")
    differs = np.flatnonzero((old != new).any(axis=1))
    before, after = old.sum(axis=0), new.sum(axis=0)
    observed = abs(_coverage(after, k) - _coverage(before, k))
    moved = new[differs].astype(np.float64) - old[differs]
    n_as_wide, left = 1, N_DRAWS
    while left:
        n = min(left, max(1, _BLOCK // max(1, differs.size)))
        shift = np.rint(rng.integers(0, 2, size=(n, differs.size)).astype(np.float64) @ moved)
        drawn = np.abs(_coverage(after - shift, k) - _coverage(before + shift, k))
        n_as_wide += int((drawn >= observed - 1e-12).sum())
        left -= n
    return n_as_wide / (N_DRAWS + 1)


def _coverage(counts: NDArray[np.intp] | Floats, k: int) -> Floats:
    share: Floats = (counts >= k).mean(axis=-1)
    return share

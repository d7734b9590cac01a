"""Coverage at a common number of tasks, so that a long benchmark does not win by its length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.bootstrap import LEVEL, Floats, Indices, resample, times_drawn


def coverage_of_draws(violated: NDArray[np.bool_], *, k: int, n_tasks: int) -> float:
    """Return the coverage@k to expect of ``n_tasks`` of the tasks, drawn without replacement.

    Parameters
    ----------
    violated
        Shape (tasks, items): whether a task violates an item.
    k
        Tasks that make an item covered, at least 1.

    Returns
    -------
    float
        In [0, 1]: the mean over every possible draw, computed and not simulated.

    Raises
    ------
    UndefinedScoreError
        If there are no items, or fewer tasks than are to be drawn.

    Notes
    -----
    Rarefaction; Hurlbert (1971), "The nonconcept of species diversity", with items for species and tasks for samples.

    Examples
    --------
    >>> coverage_of_draws(np.array([[True], [False], [False], [True]]), k=1, n_tasks=2)
    0.8333333333333334
    """
    _require(violated, n_tasks)
    return float(_chances(violated.shape[0], k, n_tasks)[violated.sum(axis=0)].mean())


def coverage_of_draws_interval(
    violated: NDArray[np.bool_], *, k: int, n_tasks: int, rng: np.random.Generator, level: float = LEVEL
) -> Interval:
    """Return a bootstrap interval of :func:`coverage_of_draws` over tasks, around its value.

    Replicates are moved by what resampling alone loses, as in :func:`audit.stats.bootstrap.coverage_intervals`.

    Raises
    ------
    UndefinedScoreError
        As for the value, or if there are fewer than two tasks.
    """
    value = coverage_of_draws(violated, k=k, n_tasks=n_tasks)
    chances = _chances(violated.shape[0], k, n_tasks)

    def statistic(index: Indices) -> Floats:
        found: Floats = chances[times_drawn(index) @ violated].mean(axis=1)
        return found

    replicates = resample(statistic, violated.shape[0], rng=rng)
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2]) + (value - replicates.mean())
    return Interval(max(0.0, min(float(low), value)), min(1.0, max(float(high), value)), level)


def _chances(n: int, k: int, n_drawn: int) -> Floats:
    """By how many of ``n`` tasks violate an item, the chance that at least ``k`` of ``n_drawn`` do."""
    from scipy.stats import hypergeom  # noqa: PLC0415  # a second of import that only studies need

    found = np.asarray(hypergeom.sf(k - 1, n, np.arange(n + 1), n_drawn), dtype=np.float64)
    return np.clip(found, 0.0, 1.0)


def _require(violated: NDArray[np.bool_], n_tasks: int) -> None:
    n, n_items = violated.shape
    if n_items == 0:
        raise UndefinedScoreError("the policy has no items")
    if n < n_tasks or n_tasks < 1:
        raise UndefinedScoreError(f"{n} tasks, of which {n_tasks} can't be drawn")

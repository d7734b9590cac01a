"""Whether values of the same tasks fall or rise over ordered conditions, and how fast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.agreement import MIN_TASKS
from audit.stats.bootstrap import LEVEL, Floats, mean_interval


@dataclass(frozen=True, slots=True)
class Trend:
    """Page's L, its standard score (negative where values fall), and the one-sided p of falling."""

    statistic: float
    z: float
    p_falling: float
    n: int


def page_trend(values: Sequence[Sequence[float]]) -> Trend:
    """Return Page's test for ordered alternatives: do a task's values fall from one condition to the next?

    Each task is compared only with itself, which suits nested sets of changed tasks. Ties get their mean rank, and
    the variance is that of the ranks at hand; a task whose values are all the same says nothing and is counted.

    Parameters
    ----------
    values
        A row a task, a column a condition, in order.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks or conditions, or no task's values differ.

    Notes
    -----
    Page (1963), "Ordered hypotheses for multiple treatments"; the normal approximation.

    Examples
    --------
    >>> found = page_trend([[9, 8, 7], [9, 7, 6], [8, 8, 3]])
    >>> found.statistic, round(found.z, 4)
    (30.5, -2.3452)
    """
    from scipy.stats import rankdata  # noqa: PLC0415  # a second of import that only studies need

    table = _table(values)
    ranks = rankdata(table, axis=1)
    n_tasks, n = table.shape
    places = np.arange(1, n + 1)
    statistic = float((ranks @ places).sum())
    expected = n_tasks * n * (n + 1) ** 2 / 4
    spread = ((places - places.mean()) ** 2).sum()
    variance = float((((ranks - (n + 1) / 2) ** 2).sum(axis=1) * spread).sum()) / (n - 1)
    if variance == 0:
        raise UndefinedScoreError("no task's values differ from one condition to another")
    z = (statistic - expected) / math.sqrt(variance)
    return Trend(statistic, z, math.erfc(-z / math.sqrt(2)) / 2, n_tasks)


@dataclass(frozen=True, slots=True)
class Slope:
    """Change of the mean for a whole unit of the condition, with its interval over tasks."""

    value: float
    interval: Interval | None


def mean_slope(
    values: Sequence[Sequence[float]],
    conditions: Sequence[float],
    *,
    rng: np.random.Generator,
    level: float = LEVEL,
) -> Slope:
    """Return the least-squares slope of the mean over numeric conditions; bootstrap over tasks.

    Parameters
    ----------
    values
        A row a task, a column a condition.
    conditions
        Where the columns stand, such as the shares of changed tasks.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks or conditions.
    ValueError
        If all conditions are the same, or not as many as columns.

    Examples
    --------
    >>> mean_slope([[9, 8, 7]] * 3, [0.0, 0.5, 1.0], rng=np.random.default_rng(0)).value
    -2.0
    """
    table, x = _table(values), np.asarray(conditions, dtype=np.float64)
    if x.size != table.shape[1] or x.min() == x.max():
        raise ValueError(f"{table.shape[1]} columns and conditions {list(conditions)}")
    centred = x - x.mean()
    own: Floats = table @ centred / (centred @ centred)  # the slope of the mean is the mean of the tasks' slopes
    return Slope(float(own.mean()), mean_interval(own.tolist(), rng=rng, level=level))


def _table(values: Sequence[Sequence[float]]) -> Floats:
    if len(values) < MIN_TASKS:
        raise UndefinedScoreError(f"{len(values)} tasks judged in every condition; a trend needs {MIN_TASKS}")
    table = np.asarray(values, dtype=np.float64)
    if table.shape[1] < 3:
        raise UndefinedScoreError(f"{table.shape[1]} conditions; a trend needs 3")
    return table

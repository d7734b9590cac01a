"""Agreement of two raters on a scale, beyond chance and in its own unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.agreement import require_tasks
from audit.stats.bootstrap import LEVEL, Floats, weighted_interval

LINEAR, QUADRATIC = 1, 2


def weighted_kappa(first: Sequence[float], second: Sequence[float], *, power: int = QUADRATIC) -> float:
    """Return Cohen's weighted kappa: 1 less the disagreement seen over that expected by chance.

    Disagreement is the distance of the two ratings, or its square. On whole-number scales this is the kappa of linear
    and of quadratic weights; means over trials need no rounding.

    Parameters
    ----------
    power
        1 for linear weights, 2 for quadratic ones.

    Returns
    -------
    float
        At most 1; 0 is what chance gives.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or both rate all of them the same.

    Notes
    -----
    Cohen (1968), "Weighted kappa".

    Examples
    --------
    >>> round(weighted_kappa([1, 2, 3, 3], [1, 2, 3, 2], power=1), 4)
    0.7143
    """
    require_tasks(first, second)
    value = float(kappa_of(first, second, power=power)(np.ones((1, len(first))))[0])
    if math.isnan(value):
        raise UndefinedScoreError(f"constant ratings: both rate every task {first[0]:g}")
    return value


def kappa_of(first: Sequence[float], second: Sequence[float], *, power: int) -> Callable[[Floats], Floats]:
    """Return weighted kappa as a function of how often each task is drawn; ``nan`` where it does not exist."""
    a, b = (np.asarray(x, dtype=np.float64) for x in (first, second))
    seen = np.abs(a - b) ** power
    expected = np.abs(a[:, None] - b[None, :]) ** power

    def statistic(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        chance = ((weights @ expected) * weights).sum(axis=1) / n**2
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(chance > 0, 1 - weights @ seen / n / chance, np.nan)
        return found

    return statistic


def kappa_interval(
    first: Sequence[float],
    second: Sequence[float],
    *,
    rng: np.random.Generator,
    power: int = QUADRATIC,
    level: float = LEVEL,
) -> Interval | None:
    """Return the percentile bootstrap interval of weighted kappa over tasks."""
    require_tasks(first, second)
    return weighted_interval(kappa_of(first, second, power=power), len(first), rng=rng, level=level)

"""How well a score tells two groups of tasks apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.bootstrap import LEVEL

_EDGE = 1e-9
"""At 0 and 1 the variance is 0 and the equation has a second root; the one that counts lies inside."""


def auroc(low: Sequence[float], high: Sequence[float]) -> float:
    """Return the chance that a task of ``high`` scores above one of ``low``, ties counting half.

    Parameters
    ----------
    low
        Scores of the tasks that should score lower, such as those with a planted defect.
    high
        Scores of the others.

    Returns
    -------
    float
        In [0, 1]; one half is what chance gives.

    Raises
    ------
    UndefinedScoreError
        If a group is empty.

    Notes
    -----
    The Mann–Whitney statistic over the number of pairs; Hanley and McNeil (1982).

    Examples
    --------
    >>> auroc([1, 2, 2], [2, 3])
    0.8333333333333334
    """
    if not low or not high:
        raise UndefinedScoreError(f"{len(low)} changed and {len(high)} untouched tasks have a score; both are needed")
    a, b = np.asarray(low, dtype=np.float64), np.sort(np.asarray(high, dtype=np.float64))
    above = b.size - np.searchsorted(b, a, side="right")
    equal = b.size - np.searchsorted(b, a, side="left") - above
    return float((above + equal / 2).sum() / (a.size * b.size))


def auroc_interval(area: float, n_low: int, *, n_high: int, level: float = LEVEL) -> Interval:
    """Return the interval of an :func:`auroc` from the sizes of its groups; never empty, not even at 0 and 1.

    Notes
    -----
    Newcombe (2006), "Confidence intervals for an effect size measure based on the Mann–Whitney statistic, part 2",
    method 5: the areas from which this one lies as many standard errors away as the level allows, with the variance
    of Hanley and McNeil for groups of equal size.

    Examples
    --------
    >>> found = auroc_interval(1.0, 20, n_high=20)
    >>> round(found.low, 3), found.high
    (0.899, 1.0)
    """
    from scipy.optimize import brentq  # noqa: PLC0415  # a second of import that only studies need
    from scipy.stats import norm  # noqa: PLC0415

    if n_low < 1 or n_high < 1:
        raise UndefinedScoreError(f"groups of {n_low} and {n_high} tasks have no interval")
    z = float(norm.ppf((1 + level) / 2))

    def distance(theta: float) -> float:
        return (theta - area) ** 2 - z**2 * _variance(theta, n_low, n_high)

    low = 0.0 if area <= 0 else float(brentq(distance, 0.0, min(area, 1 - _EDGE)))
    high = 1.0 if area >= 1 else float(brentq(distance, max(area, _EDGE), 1.0))
    return Interval(low, high, level)


def _variance(theta: float, n_low: int, n_high: int) -> float:
    n = (n_low + n_high) / 2 - 1
    shape = 1 + n * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return theta * (1 - theta) * shape / (n_low * n_high)


def share_interval(n_marked: int, n: int, *, level: float = LEVEL) -> Interval:
    """Return the interval of a share of ``n`` tasks.

    Raises
    ------
    UndefinedScoreError
        If there are no tasks.

    Notes
    -----
    Wilson (1927), "Probable inference, the law of succession, and statistical inference".

    Examples
    --------
    >>> found = share_interval(0, 10)
    >>> found.low, round(found.high, 4)
    (0.0, 0.2775)
    """
    from scipy.stats import norm  # noqa: PLC0415  # a second of import that only studies need

    if n < 1:
        raise UndefinedScoreError("a share of no tasks")
    z = float(norm.ppf((1 + level) / 2))
    share = n_marked / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if n_marked == 0 else middle - half
    return Interval(low, 1.0 if n_marked == n else middle + half, level)

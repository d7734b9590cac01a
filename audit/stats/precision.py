"""How wide an interval is to be expected for a number of tasks, before any is rated."""

from __future__ import annotations

import math
from collections.abc import Callable

from audit.errors import UndefinedScoreError
from audit.records.score import Interval

_Z = 1.959963984540054
"""Of a two-sided interval of 95 %."""
LEVEL = 0.95


def expected_tau_interval(tau: float, n: int) -> Interval:
    """Return the interval to be expected around Kendall's tau of ``n`` tasks.

    Parameters
    ----------
    tau
        The value that is planned for, in (-1, 1).

    Raises
    ------
    UndefinedScoreError
        Below five tasks.

    Notes
    -----
    Fisher's transform with the variance 0.437 / (n - 4) of Fieller, Hartley and Pearson (1957), "Tests for rank
    correlation coefficients. I", Biometrika 44. It is for ratings without ties and values up to about 0.8 in size;
    ties of a ten-point scale make real intervals somewhat wider.

    Examples
    --------
    >>> found = expected_tau_interval(0.5, 50)
    >>> round(found.low, 2), round(found.high, 2)
    (0.34, 0.63)
    """
    return _fisher(tau, n, lambda n: 0.437 / (n - 4), least=5)


def expected_kappa_interval(kappa: float, n: int) -> Interval:
    """Return the interval to be expected around a quadratically weighted kappa of two raters on ``n`` tasks.

    Parameters
    ----------
    kappa
        The value that is planned for, in (-1, 1).

    Raises
    ------
    UndefinedScoreError
        Below three tasks.

    Notes
    -----
    With quadratic weights kappa is the intraclass correlation but for terms of order 1/n (Fleiss and Cohen 1973, "The
    equivalence of weighted kappa and the intraclass correlation coefficient"), whose transform has the variance
    1 / (n - 3/2) for pairs (Fisher 1925, "Statistical methods for research workers", section 39).

    Examples
    --------
    >>> found = expected_kappa_interval(0.6, 50)
    >>> round(found.low, 2), round(found.high, 2)
    (0.39, 0.75)
    """
    return _fisher(kappa, n, lambda n: 1 / (n - 1.5), least=3)


def expected_mean_half_width(sd: float, n: int) -> float:
    """Return half the width of the interval to be expected around a mean of ``n`` tasks: t times sd over root n.

    Raises
    ------
    UndefinedScoreError
        Below two tasks.

    Notes
    -----
    Student (1908). The set of tasks is taken as a draw from many, so that nothing is taken off for having drawn a
    large part of a small benchmark.

    Examples
    --------
    >>> round(expected_mean_half_width(2.0, 50), 2)
    0.57
    """
    if n < 2:
        raise UndefinedScoreError(f"needs two tasks at least, not {n}")
    from scipy.stats import t  # noqa: PLC0415  # a second of import that only plans need

    return float(t.ppf((1 + LEVEL) / 2, n - 1)) * sd / math.sqrt(n)


def _fisher(value: float, n: int, variance: Callable[[int], float], *, least: int) -> Interval:
    if n < least:
        raise UndefinedScoreError(f"needs {least} tasks at least, not {n}")
    if not -1 < value < 1:
        raise ValueError(f"a correlation of {value} has no interval of this kind")
    middle, half = math.atanh(value), _Z * math.sqrt(variance(n))
    return Interval(math.tanh(middle - half), math.tanh(middle + half), LEVEL)

"""What a number of rated tasks can tell, said before anybody rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.reports import numbers
from audit.stats.precision import expected_kappa_interval, expected_mean_half_width, expected_tau_interval

VALUES = (0.3, 0.5, 0.7)
"""Agreements that are planned for."""
USUAL_SD = 2.0
"""Of ratings from 1 to 10, where no run tells another one."""
_OTHERS = (25, 50, 100, 200)


def expect(n: int, *, sd: float | None) -> Iterator[str]:
    """Yield lines: the 95 % intervals to be expected of ``n`` rated tasks, and half a width at other numbers.

    Parameters
    ----------
    sd
        Standard deviation of the ratings to plan with; ``None`` for the usual one.

    Notes
    -----
    The formulas and their sources stand in :mod:`audit.stats.precision`.
    """
    yield f"Intervals (95 %) to be expected when all {n} are rated:"
    for value in VALUES:
        tau = _words(expected_tau_interval, value, n)
        kappa = _words(expected_kappa_interval, value, n)
        yield f"  agreement {value:.1f}: Kendall tau_b {tau}; weighted kappa {kappa}"
    chosen, source = (USUAL_SD, "a guess") if sd is None else (sd, "of the run")
    try:
        half = f"± {expected_mean_half_width(chosen, n):.2f}"
    except UndefinedScoreError as error:
        half = f"undefined ({error.what})"
    yield f"  mean of a score from 1 to 10, standard deviation {chosen:.1f} ({source}): {half}"
    widths = [f"{other}: {_width(expected_tau_interval(0.5, other)):.2f}" for other in _OTHERS if other != n]
    yield f"  whole width of the interval around a tau_b of 0.5 at other numbers of tasks: {', '.join(widths)}"
    yield "  Ties make real intervals of tau_b somewhat wider; docs/annotation.md has the formulas."


def _words(interval: Callable[[float, int], Interval], value: float, n: int) -> str:
    try:
        found = interval(value, n)
    except UndefinedScoreError as error:
        return f"undefined ({error.what})"
    return f"{numbers.fixed(found.low)} to {numbers.fixed(found.high)}"


def _width(interval: Interval) -> float:
    return interval.high - interval.low

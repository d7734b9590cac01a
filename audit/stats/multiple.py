"""Several tests at once, and a test of paired differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit.errors import UndefinedScoreError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return each p-value adjusted for the whole family, in the same order.

    A test whose adjusted p is below a level is significant with that chance of even one false alarm in the family.

    Raises
    ------
    ValueError
        If one is not in [0, 1].

    Notes
    -----
    Holm (1979), "A simple sequentially rejective multiple test procedure".

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"p-values lie in [0, 1]: {list(p_values)}")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda each: p_values[each])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def sign_flip_p(differences: Sequence[float]) -> float:
    """Return a two-sided p for paired differences: the chance of a mean as far from 0 if signs were a coin's.

    Exact up to 16 differences that are not 0; beyond that by the normal approximation to the same distribution.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three differences, or all are 0.

    Examples
    --------
    >>> sign_flip_p([-1.0, -2.0, -3.0])
    0.25
    """
    if len(differences) < 3:
        raise UndefinedScoreError(f"{len(differences)} differences; a test needs 3")
    sizes = [abs(each) for each in differences if each != 0]
    if not sizes:
        raise UndefinedScoreError("every difference is 0")
    total = abs(math.fsum(differences))
    if len(sizes) > 16:
        return math.erfc(total / math.sqrt(math.fsum(each**2 for each in sizes)) / math.sqrt(2))
    sums = [0.0]
    for size in sizes:
        sums = [s + sign * size for s in sums for sign in (1, -1)]
    return sum(abs(s) >= total - 1e-9 for s in sums) / len(sums)

"""The spread of a list of numbers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from audit.errors import UndefinedScoreError


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean, median, sample standard deviation (``None`` for one value), least and greatest value."""

    n: int
    mean: float
    median: float
    sd: float | None
    minimum: float
    maximum: float


def summarise(values: Sequence[float]) -> Summary:
    """Return the summary of ``values``, the same to the last bit in whatever order they come.

    Parameters
    ----------
    values
        At least one finite number.

    Returns
    -------
    Summary
        ``sd`` divides by n - 1, and is ``None`` for a single value.

    Raises
    ------
    UndefinedScoreError
        If there are no values.

    Examples
    --------
    >>> summarise([2, 4, 4, 4, 5, 5, 7, 9]).mean
    5.0
    """
    n = len(values)
    if n == 0:
        raise UndefinedScoreError("no values to summarise")
    least, greatest = min(values), max(values)
    mean = min(max(math.fsum(values) / n, least), greatest)
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else None
    return Summary(n, float(mean), float(statistics.median(values)), sd, float(least), float(greatest))

"""Whether benchmarks of better tiers score higher: the ordering score, its ties, failures and probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.bootstrap import LEVEL, Floats

_SAME = 1e-12
"""Values no further apart are a tie: sums of the same numbers in another order."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A benchmark of a better tier and one of a worse tier.

    Parameters
    ----------
    probability, tie_probability
        Share of the draws of tasks in which the better one is strictly above, and in which both are the same;
        ``None`` without draws.
    """

    better: str
    worse: str
    difference: float
    probability: float | None = None
    tie_probability: float | None = None

    @property
    def is_tie(self) -> bool:
        """Whether both have the same value."""
        return abs(self.difference) <= _SAME

    @property
    def holds(self) -> bool:
        """Whether the better one is strictly above."""
        return self.difference > _SAME


@dataclass(frozen=True, slots=True)
class Ordering:
    """What became of every pair from different tiers.

    Parameters
    ----------
    interval
        Of the score over draws of tasks; ``None`` without draws.
    """

    pairs: tuple[Pair, ...]
    interval: Interval | None = None

    @property
    def score(self) -> float:
        """Share of the pairs in which the better benchmark is strictly above."""
        return sum(pair.holds for pair in self.pairs) / len(self.pairs)

    @property
    def failing(self) -> tuple[Pair, ...]:
        """Pairs in which the better benchmark is strictly below."""
        return tuple(pair for pair in self.pairs if not pair.holds and not pair.is_tie)

    @property
    def ties(self) -> tuple[Pair, ...]:
        """Pairs of equal values; they don't count as ordered."""
        return tuple(pair for pair in self.pairs if pair.is_tie)


def order_tiers(
    values: Mapping[str, float],
    tiers: Sequence[Sequence[str]],
    *,
    draws: Mapping[str, Floats] | None = None,
    level: float = LEVEL,
) -> Ordering:
    """Return how far a metric orders benchmarks as their tiers do.

    Parameters
    ----------
    values
        Benchmark to its value, the higher the better; benchmarks without one are absent, and their pairs with them.
    tiers
        Names of benchmarks, the best tier first.
    draws
        Benchmark to its values over draws of its tasks, as many for each.

    Raises
    ------
    UndefinedScoreError
        If no two benchmarks with a value are of different tiers.

    Notes
    -----
    Section 5.2 of "Benchmarking the Benchmarks" (arXiv 2608.06329).

    Examples
    --------
    >>> order_tiers({"a": 9.0, "b": 8.0, "c": 8.5}, [["a"], ["b"], ["c"]]).score
    0.6666666666666666
    """
    known = [[name for name in tier if name in values] for tier in tiers]
    names = [(a, b) for better, worse in combinations(known, 2) for a in better for b in worse]
    if not names:
        raise UndefinedScoreError("no two benchmarks of different tiers have a value")
    if draws is None or not all(name in draws for pair in names for name in pair):
        return Ordering(tuple(Pair(a, b, values[a] - values[b]) for a, b in names))
    ahead = np.stack([draws[a] - draws[b] for a, b in names])
    above, same = ahead > _SAME, np.abs(ahead) <= _SAME
    low, high = np.quantile(above.mean(axis=0), [(1 - level) / 2, (1 + level) / 2])
    pairs = tuple(
        Pair(a, b, values[a] - values[b], float(over.mean()), float(tied.mean()))
        for (a, b), over, tied in zip(names, above, same, strict=True)
    )
    return Ordering(pairs, Interval(float(low), float(high), level))

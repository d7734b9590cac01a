"""How well sets of violated items match reference sets, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.agreement import require_tasks
from audit.stats.bootstrap import Floats, weighted_interval

Sets = Sequence[AbstractSet[str]]


@dataclass(frozen=True, slots=True)
class SetMatch:
    """Items summed over all tasks: named by both, by the judge alone, by the reference alone."""

    n_both: int
    n_judge_only: int
    n_reference_only: int

    @property
    def precision(self) -> float:
        """Share of the judge's items that the reference has too; undefined where the judge names none."""
        return _share(self.n_both, self.n_both + self.n_judge_only, "the judge names no item")

    @property
    def recall(self) -> float:
        """Share of the reference's items that the judge names too; undefined where the reference names none."""
        return _share(self.n_both, self.n_both + self.n_reference_only, "the reference names no item")

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; undefined only where neither names an item."""
        n = 2 * self.n_both + self.n_judge_only + self.n_reference_only
        return _share(2 * self.n_both, n, "neither side names an item")


def match_sets(judge: Sets, reference: Sets) -> SetMatch:
    """Return how the judge's sets match the reference's, task by task in the same order.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks.

    Examples
    --------
    >>> found = match_sets([{"p1", "p2"}, set(), {"p3"}], [{"p1"}, {"p4"}, {"p3"}])
    >>> found.precision == found.recall == found.f1 == 2 / 3
    True
    """
    counts = _count(judge, reference).sum(axis=0)
    return SetMatch(int(counts[0]), int(counts[1]), int(counts[2]))


def precision_interval(judge: Sets, reference: Sets, *, rng: np.random.Generator) -> Interval | None:
    """Return the percentile bootstrap interval of precision over tasks; ``None`` where too many draws have none."""
    both, judge_only, _ = _count(judge, reference).T
    return _ratio_interval(both, both + judge_only, rng)


def recall_interval(judge: Sets, reference: Sets, *, rng: np.random.Generator) -> Interval | None:
    """Return the percentile bootstrap interval of recall over tasks; ``None`` where too many draws have none."""
    both, _, reference_only = _count(judge, reference).T
    return _ratio_interval(both, both + reference_only, rng)


def f1_interval(judge: Sets, reference: Sets, *, rng: np.random.Generator) -> Interval | None:
    """Return the percentile bootstrap interval of F1 over tasks; ``None`` where too many draws name no item."""
    both, judge_only, reference_only = _count(judge, reference).T
    return _ratio_interval(2 * both, 2 * both + judge_only + reference_only, rng)


def jaccard_interval(judge: Sets, reference: Sets, *, rng: np.random.Generator) -> Interval | None:
    """Return that of :func:`audit.stats.agreement.mean_jaccard`; ``None`` where too many draws name no item."""
    counts = _count(judge, reference)
    whole = counts.sum(axis=1)
    shares = np.divide(counts[:, 0], whole, out=np.zeros_like(whole), where=whole > 0)
    return _ratio_interval(shares, (whole > 0).astype(np.float64), rng)


def _ratio_interval(parts: Floats, wholes: Floats, rng: np.random.Generator) -> Interval | None:
    """Return the interval of the sum of ``parts`` over that of ``wholes``, both task by task."""

    def statistic(weights: Floats) -> Floats:
        part, whole = weights @ parts, weights @ wholes
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(whole > 0, part / whole, np.nan)
        return found

    return weighted_interval(statistic, len(parts), rng=rng)


def _count(judge: Sets, reference: Sets) -> Floats:
    require_tasks(judge, reference)
    pairs = zip(judge, reference, strict=True)
    return np.array([[len(a & b), len(a - b), len(b - a)] for a, b in pairs], dtype=np.float64)


def _share(part: int, whole: int, problem: str) -> float:
    if whole == 0:
        raise UndefinedScoreError(problem)
    return part / whole

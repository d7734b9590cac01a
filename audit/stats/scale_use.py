"""How a judge uses its scale, and how steady it is when asked again."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from audit.errors import UndefinedScoreError
from audit.stats.agreement import MIN_TASKS

Answer = TypeVar("Answer", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScaleUse:
    """What a list of ratings uses of its scale.

    Parameters
    ----------
    n_distinct
        Different ratings that occur.
    entropy
        In bits; 0 where all are the same.
    share_of_most
        Entropy over the greatest that the scale allows; ``None`` for a scale without end.
    tied_pairs
        Share of all pairs of tasks that are rated the same.
    """

    minimum: float
    maximum: float
    n_distinct: int
    entropy: float
    share_of_most: float | None
    tied_pairs: float


def use_of_scale(ratings: Sequence[float], *, n_points: int | None = None) -> ScaleUse:
    """Return how ratings spread over their scale.

    Parameters
    ----------
    n_points
        Ratings that the scale has, such as 10; ``None`` where it has no end.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three ratings.

    Notes
    -----
    Entropy as in Shannon (1948).

    Examples
    --------
    >>> found = use_of_scale([7, 7, 8, 9], n_points=10)
    >>> found.entropy, round(found.tied_pairs, 4)
    (1.5, 0.1667)
    """
    n = len(ratings)
    if n < MIN_TASKS:
        raise UndefinedScoreError(f"{n} ratings; the use of a scale needs {MIN_TASKS}")
    counts = Counter(ratings).values()
    entropy = abs(-math.fsum(count / n * math.log2(count / n) for count in counts))
    most = math.log2(n_points) if n_points is not None and n_points > 1 else None
    tied = sum(count * (count - 1) for count in counts) / (n * (n - 1))
    share = None if most is None else min(1.0, entropy / most)
    return ScaleUse(float(min(ratings)), float(max(ratings)), len(counts), entropy, share, tied)


def flip_rate(trials: Sequence[Sequence[Hashable]]) -> float:
    """Return the share of tasks whose answers are not all the same.

    Parameters
    ----------
    trials
        A row a task: its answer in each trial, such as a band or a set of items; tasks with one answer don't count.

    Raises
    ------
    UndefinedScoreError
        If no task has two answers.

    Examples
    --------
    >>> flip_rate([["low", "low"], ["low", "high"], ["high"]])
    0.5
    """
    repeated = _repeated(trials)
    return sum(len(set(row)) > 1 for row in repeated) / len(repeated)


def pairwise_flips(trials: Sequence[Sequence[Hashable]]) -> float:
    """Return the chance that two answers to the same question differ; unlike `flip_rate` it does not rise with trials.

    Raises
    ------
    UndefinedScoreError
        If no task has two answers.

    Examples
    --------
    >>> round(pairwise_flips([["a", "a", "b"], ["a", "a", "a"]]), 4)
    0.3333
    """
    shares = [_differing(row) for row in _repeated(trials)]
    return math.fsum(shares) / len(shares)


def mean_spread(trials: Sequence[Sequence[float]]) -> float:
    """Return how far a judge's answers to the same question scatter: the root of the mean variance within tasks.

    Raises
    ------
    UndefinedScoreError
        If no task has two answers.

    Examples
    --------
    >>> mean_spread([[7, 9], [5, 5]])
    1.0
    """
    variances = [statistics.variance(map(float, row)) for row in _repeated(trials)]
    return math.sqrt(math.fsum(variances) / len(variances))


def _differing(row: Sequence[Hashable]) -> float:
    n = len(row)
    return 1 - sum(count * (count - 1) for count in Counter(row).values()) / (n * (n - 1))


def _repeated(trials: Sequence[Sequence[Answer]]) -> list[Sequence[Answer]]:
    repeated = [row for row in trials if len(row) > 1]
    if not repeated:
        raise UndefinedScoreError("no task has two verdicts; ask with two trials or more")
    return repeated

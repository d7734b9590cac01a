"""How far two judges agree on the same tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from audit.errors import UndefinedScoreError

MIN_TASKS = 3
"""Below this, agreement says nothing: every statistic here is undefined."""


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Kendall's rank correlation, corrected for ties.

    Parameters
    ----------
    first, second
        The two judges' ratings, task by task.

    Returns
    -------
    float
        In [-1, 1]; 1 is the same order.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or a judge rates all of them alike.

    Notes
    -----
    Kendall (1945), "The treatment of ties in ranking problems"; computed by scipy.

    Examples
    --------
    >>> round(kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    0.6667
    """
    from scipy.stats import kendalltau  # noqa: PLC0415  # a second of import that only panels need

    require_tasks(first, second)
    for ratings in (first, second):
        if min(ratings) == max(ratings):
            raise UndefinedScoreError(f"constant ratings: one judge rates every task {ratings[0]:g}")
    return min(1.0, max(-1.0, float(kendalltau(first, second, variant="b").statistic)))


def exact_match_share(first: Sequence[object], second: Sequence[object]) -> float:
    """Return the share of tasks on which both judges say the same, in [0, 1].

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks.

    Examples
    --------
    >>> exact_match_share([1, 2, 3, 4], [1, 2, 4, 3])
    0.5
    """
    require_tasks(first, second)
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


def mean_absolute_difference(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how far two judges' ratings lie apart on average, in the ratings' own unit; 0 is never.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks.

    Examples
    --------
    >>> mean_absolute_difference([1, 2, 3], [1, 4, 2])
    1.0
    """
    require_tasks(first, second)
    return math.fsum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first)


def mean_jaccard(first: Sequence[AbstractSet[str]], second: Sequence[AbstractSet[str]]) -> float:
    """Return the mean share of common items among the items that either judge names.

    Tasks where neither names any are left out, or a sparse benchmark would look like agreement;
    `exact_match_share` counts them.

    Returns
    -------
    float
        In [0, 1]; 1 is the same items everywhere.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three tasks, or no judge names an item in any of them.

    Notes
    -----
    Jaccard (1912), "The distribution of the flora in the alpine zone".

    Examples
    --------
    >>> round(mean_jaccard([{"p1"}, set(), {"p1", "p2"}], [{"p1"}, set(), {"p2", "p3"}]), 4)
    0.6667
    """
    require_tasks(first, second)
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a or b]
    if not pairs:
        raise UndefinedScoreError("neither judge names a violated item")
    return math.fsum(len(a & b) / len(a | b) for a, b in pairs) / len(pairs)


def require_tasks(first: Sequence[object], second: Sequence[object]) -> None:
    """Raise ``UndefinedScoreError`` for fewer than three tasks, and ``ValueError`` for sides that don't fit."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} ratings on one side, {len(second)} on the other")
    if len(first) < MIN_TASKS:
        raise UndefinedScoreError(f"{len(first)} tasks rated by both; agreement needs {MIN_TASKS}")

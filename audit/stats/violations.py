"""Sets of violated policy items: coverage, untested items, majorities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from audit.errors import UndefinedScoreError


def violation_coverage(violations: Mapping[str, AbstractSet[str]], item_ids: AbstractSet[str], *, k: int) -> float:
    """Return the share of policy items that at least ``k`` tasks violate.

    Parameters
    ----------
    violations
        Violated item ids by task id; a task that violates nothing maps to an empty set.
    item_ids
        Every item of the policy, N of them.
    k
        Tasks that make an item covered, at least 1.

    Returns
    -------
    float
        In [0, 1]; 1 is every item covered. Never rises with ``k``.

    Raises
    ------
    UndefinedScoreError
        If the policy has no items.
    ValueError
        If ``k`` is below 1, or a task violates an item that the policy doesn't have.

    Notes
    -----
    Coverage@K in "Benchmarking the Benchmarks" (arXiv 2608.06329), section 3.

    Examples
    --------
    >>> violation_coverage({"t1": {"p1"}, "t2": {"p1", "p2"}}, {"p1", "p2"}, k=2)
    0.5
    """
    if not item_ids:
        raise UndefinedScoreError("the policy has no items")
    return (len(item_ids) - len(untested_items(violations, item_ids, k=k))) / len(item_ids)


def untested_items(violations: Mapping[str, AbstractSet[str]], item_ids: AbstractSet[str], *, k: int) -> frozenset[str]:
    """Return the items that fewer than ``k`` tasks violate; parameters and errors as in `violation_coverage`.

    Examples
    --------
    >>> untested_items({"t1": {"p1"}, "t2": {"p1", "p2"}}, {"p1", "p2"}, k=2)
    frozenset({'p2'})
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1")
    counts = Counter(item for violated in violations.values() for item in violated)
    if unknown := counts.keys() - item_ids:
        raise ValueError(f"violated items that the policy doesn't have: {sorted(unknown)}")
    return frozenset(item for item in item_ids if counts[item] < k)


def majority_items(votes: Sequence[AbstractSet[str]]) -> frozenset[str]:
    """Return the items that more than half of the votes hold; a tie is no majority.

    Parameters
    ----------
    votes
        One set of violated items a trial or a judge; at least one.

    Raises
    ------
    UndefinedScoreError
        If there are no votes.

    Examples
    --------
    >>> sorted(majority_items([{"p1", "p2"}, {"p1"}, {"p3", "p2"}]))
    ['p1', 'p2']
    """
    if not votes:
        raise UndefinedScoreError("no votes to count")
    counts = Counter(item for vote in votes for item in vote)
    return frozenset(item for item, count in counts.items() if 2 * count > len(votes))

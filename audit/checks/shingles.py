"""Near-duplicate texts by word 3-grams, without comparing every pair."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

_WIDTH = 3


def shingles(text: str) -> frozenset[str]:
    """Return the runs of three words of a text, in lower case; all words together if there are fewer.

    Examples
    --------
    >>> sorted(shingles("You want a Room, now"))
    ['a room now', 'want a room', 'you want a']
    """
    words = re.findall(r"\w+", text.lower())
    if len(words) < _WIDTH:
        return frozenset([" ".join(words)]) if words else frozenset()
    return frozenset(" ".join(words[n : n + _WIDTH]) for n in range(len(words) - _WIDTH + 1))


def near_groups(texts: Sequence[str], *, least: float) -> list[list[int]]:
    """Return the groups of texts that are connected by shingles that overlap by at least ``least`` (Jaccard).

    Parameters
    ----------
    texts
        Distinct texts; equal ones are best grouped before.
    least
        In (0, 1].

    Returns
    -------
    list of list of int
        Positions, groups of two or more, each in order.

    Notes
    -----
    Two sets that overlap by t share one of the n - ceil(t n) + 1 rarest shingles of each, so only texts that share
    such a shingle are compared ("prefix filter"); and of these only texts that are not connected already, for many
    variants of one text are as many pairs as their number squared.

    Examples
    --------
    >>> near_groups(["you want a room", "go home now please", "you want a room now"], least=0.6)
    [[0, 2]]
    """
    sets = [shingles(text) for text in texts]
    frequency = Counter(shingle for found in sets for shingle in found)
    groups = Groups(len(texts))
    holders: dict[str, list[int]] = defaultdict(list)
    for position, found in enumerate(sets):
        rare = sorted(found, key=lambda shingle: (frequency[shingle], shingle))
        prefix = rare[: len(found) - math.ceil(least * len(found)) + 1]
        for other in dict.fromkeys(other for shingle in prefix for other in holders[shingle]):
            if groups.root(other) != groups.root(position) and jaccard(found, sets[other]) >= least:
                groups.connect(other, position)
        for shingle in prefix:
            holders[shingle].append(position)
    return groups.found()


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of shingles that both have among those that one has; 0 for two empty sets."""
    either = len(left | right)
    return len(left & right) / either if either else 0.0


def grouped(n: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the groups of two or more among ``range(n)`` that pairs connect, each in order.

    Examples
    --------
    >>> grouped(5, [(0, 3), (3, 4)])
    [[0, 3, 4]]
    """
    groups = Groups(n)
    for left, right in pairs:
        groups.connect(left, right)
    return groups.found()


class Groups:
    """Numbers up to ``n`` in groups that grow as two of them are connected."""

    def __init__(self, n: int) -> None:
        self._parent = list(range(n))

    def root(self, node: int) -> int:
        """Return the least member of a number's group."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def connect(self, left: int, right: int) -> None:
        """Make one group of those of two numbers."""
        one, other = self.root(left), self.root(right)
        self._parent[max(one, other)] = min(one, other)

    def found(self) -> list[list[int]]:
        """Return the groups of two or more, each in order."""
        groups: dict[int, list[int]] = defaultdict(list)
        for node in range(len(self._parent)):
            groups[self.root(node)].append(node)
        return [group for group in groups.values() if len(group) > 1]

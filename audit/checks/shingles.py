"""Near-duplicate texts by word 3-grams, without comparing every pair."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

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


def near_pairs(texts: Sequence[str], *, least: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of texts whose shingles overlap by at least ``least`` (Jaccard), with the overlap.

    Parameters
    ----------
    texts
        Distinct texts; equal ones are best grouped before, for every pair of them is one.
    least
        In (0, 1].

    Notes
    -----
    Two sets that overlap by t share one of the n - ceil(t n) + 1 rarest shingles of each, so only texts that share
    such a shingle are compared ("prefix filter").
    """
    sets = [shingles(text) for text in texts]
    frequency = Counter(shingle for found in sets for shingle in found)
    holders: dict[str, list[int]] = defaultdict(list)
    for position, found in enumerate(sets):
        rare = sorted(found, key=lambda shingle: (frequency[shingle], shingle))
        prefix = rare[: len(found) - math.ceil(least * len(found)) + 1]
        for other in sorted({other for shingle in prefix for other in holders[shingle]}):
            overlap = jaccard(found, sets[other])
            if overlap >= least:
                yield other, position, overlap
        for shingle in prefix:
            holders[shingle].append(position)


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of shingles that both have among those that one has; 0 for two empty sets."""
    either = len(left | right)
    return len(left & right) / either if either else 0.0


def grouped(n: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the groups of two or more among ``range(n)`` that pairs connect, each in order.

    Examples
    --------
    >>> grouped(5, [(0, 3), (3, 4)])
    [[0, 3, 4]]
    """
    parent = list(range(n))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for left, right in pairs:
        parent[max(root(left), root(right))] = min(root(left), root(right))
    groups: dict[int, list[int]] = defaultdict(list)
    for node in range(n):
        groups[root(node)].append(node)
    return [group for group in groups.values() if len(group) > 1]

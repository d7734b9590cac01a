"""Seeded choices: which tasks, and what in a task. The same at every rate."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable

import numpy as np


def digest(seed: int, *words: str) -> bytes:
    """Return a hash that stands for a seed and words."""
    return hashlib.sha256("\0".join((str(seed), *words)).encode()).digest()


def make_rng(seed: int, *words: str) -> np.random.Generator:
    """Return a generator of a seed and words, such as a kind and a task's id: what one task gets hangs on no other."""
    return np.random.default_rng(list(digest(seed, *words)))


def shuffle(ids: Iterable[str], *, seed: int, kind: str) -> list[str]:
    """Return ids in a seeded order that does not depend on the order in which they come."""
    return sorted(ids, key=lambda task_id: (digest(seed, kind, task_id), task_id))


def count(rate: float, n: int) -> int:
    """Return how many of ``n`` tasks a rate comes to, a half upwards.

    Examples
    --------
    >>> count(0.2, 12), count(0.5, 5), count(1.0, 7)
    (2, 3, 7)
    """
    return min(n, math.floor(rate * n + 0.5 + 1e-9))

"""How far two sets of items for one document agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from audit.records.item_set import SetItem

SAME = 0.5
"""Share of their joint characters that two spans must have in common to state the same rule."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Proposed items against those that people made.

    Parameters
    ----------
    n_proposed, n_made
        Items of each.
    n_same
        Pairs, each item in one at most, that share at least :data:`SAME` of their joint characters.
    n_touching
        Proposed items that share any character with one that people made.
    share_covered
        Of the characters of the items that people made, in [0, 1].
    """

    n_proposed: int
    n_made: int
    n_same: int
    n_touching: int
    share_covered: float

    @property
    def precision(self) -> float | None:
        """Share of the proposed items that are the same as one that people made."""
        return self.n_same / self.n_proposed if self.n_proposed else None

    @property
    def recall(self) -> float | None:
        """Share of the items that people made that were proposed."""
        return self.n_same / self.n_made if self.n_made else None


def measure_agreement(proposed: Sequence[SetItem], made: Sequence[SetItem]) -> Agreement:
    """Compare proposed items with those that people made for the same document."""
    shares = np.array([[_shared(a, b) / _joint(a, b) for b in made] for a in proposed]).reshape(
        len(proposed), len(made)
    )
    pairs = zip(*linear_sum_assignment(np.where(shares >= SAME, shares, 0.0), maximize=True), strict=True)
    covered = sum(_shared(a, b) for a in proposed for b in made)
    n_characters = sum(item.end - item.start for item in made)
    return Agreement(
        n_proposed=len(proposed),
        n_made=len(made),
        n_same=sum(bool(shares[pair] >= SAME) for pair in pairs),
        n_touching=int((shares > 0).any(axis=1).sum()),
        share_covered=covered / n_characters if n_characters else 0.0,
    )


def _shared(one: SetItem, other: SetItem) -> int:
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _joint(one: SetItem, other: SetItem) -> int:
    return (one.end - one.start) + (other.end - other.start) - _shared(one, other)

"""Several runs or versions side by side, each held against one of them."""

from __future__ import annotations

from dataclasses import dataclass

from audit.records.comparison import Comparison, ScoreChange, Snapshot
from audit.records.score import Score
from audit.records.verdict import Trust

ALPHA = 0.05
"""Chance of even one false difference in the whole lineup."""


@dataclass(frozen=True, slots=True)
class SideChange:
    """What a score is on a side, less what it is on the baseline.

    Parameters
    ----------
    p
        Of the paired difference alone; ``None`` where there is none, or too few tasks for a test.
    p_holm
        Adjusted for every tested difference of the lineup.
    """

    change: ScoreChange
    p: float | None = None
    p_holm: float | None = None

    @property
    def has_fallen(self) -> bool:
        """Whether the whole interval lies below zero, and the test holds among all that were made."""
        return self.change.has_fallen and self._holds

    @property
    def has_risen(self) -> bool:
        """Whether the whole interval lies above zero, and the test holds among all that were made."""
        return self.change.has_risen and self._holds

    @property
    def holds_only_alone(self) -> bool:
        """Whether the interval lies on one side of zero, and the difference would still be no rare chance among all."""
        return (self.change.has_fallen or self.change.has_risen) and not self._holds

    @property
    def _holds(self) -> bool:
        return self.p_holm is not None and self.p_holm <= ALPHA


@dataclass(frozen=True, slots=True)
class LineupCell:
    """One metric on one side; ``change`` is ``None`` on the baseline and where one of the two has no such score."""

    score: Score | None
    change: SideChange | None = None


@dataclass(frozen=True, slots=True)
class LineupRow:
    """One metric on every side.

    Parameters
    ----------
    judge
        Who judged it on every side that has it; empty where each side has a judge of its own.
    cells
        In the order of the sides.
    """

    metric: str
    judge: str
    trust: Trust
    cells: tuple[LineupCell, ...]

    @property
    def is_across_judges(self) -> bool:
        """Whether the differences are between judges."""
        return not self.judge


@dataclass(frozen=True, slots=True)
class Lineup:
    """Several sides, and what changed from the baseline to each of the others.

    Parameters
    ----------
    sides, names
        As the user named them, and a letter for each.
    baseline
        Which of them the others are held against, from 0.
    comparisons
        From the baseline to each side; ``None`` for the baseline itself. Their scores are not adjusted: ``rows`` says
        what holds.
    n_tests
        Differences that were tested, which is the family that p-values are adjusted for.
    notes
        What every reader must see, as sentences.
    """

    sides: tuple[Snapshot, ...]
    names: tuple[str, ...]
    baseline: int
    comparisons: tuple[Comparison | None, ...]
    rows: tuple[LineupRow, ...]
    n_tests: int
    notes: tuple[str, ...] = ()

"""What people say of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VIOLATIONS = "policy_violations"
"""The criterion whose ratings are sets of items."""
SCALES: dict[str, tuple[float, float | None]] = {
    "desc_alignment": (1.0, 10.0),
    "policy_alignment": (1.0, 10.0),
    "violation_count": (0.0, None),
}
"""Criteria of ours whose ratings are numbers, with the least and the greatest."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One rater's answer on one task for one criterion.

    Parameters
    ----------
    benchmark, tier
        Empty where the file does not say.
    value
        The number; for violations, how many items there are.
    items
        Violations only.
    is_simulated
        Whether a program made it up; such ratings are labelled wherever they count.
    where
        File, line and column, for messages.
    """

    task_id: str
    rater: str
    criterion: str
    value: float
    items: tuple[str, ...] | None = None
    benchmark: str = ""
    tier: str = ""
    is_simulated: bool = False
    where: str = ""


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that is no rating, and why, as a clause."""

    file: str
    line: int
    column: str
    what: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}, {self.column}: {self.what}" if self.column else f"{place}: {self.what}"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a sheet that people filled: its number, and its cells by column."""

    file: str
    number: int
    cells: Mapping[str, str]

    def bad(self, column: str, what: str) -> BadCell:
        """Return the fault of one of its cells."""
        return BadCell(self.file, self.number, column, what)

    def cell(self, column: str) -> str:
        """Return a cell; empty where the sheet has no such column."""
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class RatingFile:
    """A file of ratings as it was read: what can be used, and each cell that can't."""

    path: str
    sha256: str
    ratings: tuple[Rating, ...]
    bad: tuple[BadCell, ...] = ()

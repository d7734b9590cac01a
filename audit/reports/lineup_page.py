"""What the page of a lineup shows, as strings."""

from __future__ import annotations

from dataclasses import dataclass

from audit.reports.comparison_views import BarView, FindingGroup
from audit.reports.view_method import Fact


@dataclass(frozen=True, slots=True)
class SideView:
    """One side; ``letter`` is what the tables call it."""

    letter: str
    label: str
    is_baseline: bool
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class ClauseView:
    """One clause of the answer, and where the page shows more."""

    text: str
    level: str
    href: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One metric on one side; ``judge`` where each side has its own."""

    value: str
    interval: str
    judge: str
    trust: str
    difference: str
    level: str
    answer: str


@dataclass(frozen=True, slots=True)
class RowView:
    """One metric on every side."""

    metric: str
    judge: str
    trust: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One side against the baseline in one metric."""

    metric: str
    judge: str
    trust: str
    side: str
    difference: str
    interval: str
    bar: BarView | None
    n: str
    p: str
    p_holm: str
    answer: str
    level: str
    why: str


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One task that moved, with its value on every side."""

    task: str
    values: tuple[str, ...]
    widest: str
    level: str


@dataclass(frozen=True, slots=True)
class MoveTable:
    """The tasks that moved most in one row."""

    metric: str
    judge: str
    trust: str
    moves: tuple[MoveRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """What else changed from the baseline to one side."""

    letter: str
    label: str
    tasks: tuple[str, ...]
    counts: tuple[str, ...]
    findings: tuple[FindingGroup, ...]
    no_counts: str


@dataclass(frozen=True, slots=True)
class LineupPage:
    """What the template shows; every string of it is fit to be shown."""

    title: str
    base: str
    trust: str
    level: str
    headline: str
    method: str
    clauses: tuple[ClauseView, ...]
    sides: tuple[SideView, ...]
    rows: tuple[RowView, ...]
    differences: tuple[DifferenceView, ...]
    moves: tuple[MoveTable, ...]
    fates: tuple[str, ...]
    changes: tuple[ChangeView, ...]
    notes: tuple[str, ...]

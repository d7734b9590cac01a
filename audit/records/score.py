"""Numbers measured from verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.verdict import Trust


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval; ``level`` is its confidence, ``None`` for bounds that hold with certainty."""

    low: float
    high: float
    level: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one judge over a benchmark.

    Parameters
    ----------
    metric
        ``desc_alignment``, ``policy_alignment``, ``violation_count``, ``violation_coverage@1`` … or ``offline_match``.
    value
        The mean over tasks (or the share of items); ``None`` when undefined or not applicable.
    scale
        Least and greatest value that the metric can take; the greatest is ``None`` when it has none.
    n_used, n_missing
        Tasks with at least one verdict, and tasks without any.
    n_verdicts_missing
        Verdicts (task × trial) that are missing.
    missing
        Verdict state to how many verdicts are missing for that reason.
    interval
        Bootstrap over tasks, seeded; ``None`` below two tasks.
    bounds
        What the value could be if the missing tasks had been judged; ``None`` when nothing is missing.
    reason
        Why ``value`` is ``None``, or a caveat to be shown with it.
    is_applicable
        False when the metric needs a judge and none was asked.
    by_task
        Task id to its value (mean over trials); tasks without a verdict are absent.
    """

    metric: str
    judge: str
    value: float | None
    scale: tuple[float, float | None]
    unit: str = ""
    median: float | None = None
    sd: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    n_used: int = 0
    n_missing: int = 0
    n_verdicts_missing: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    interval: Interval | None = None
    bounds: Interval | None = None
    reason: str = ""
    is_applicable: bool = True
    trust: Trust = Trust.MODEL
    by_task: Mapping[str, float] = field(default_factory=dict)
    untested_items: tuple[str, ...] = ()
    """Violation coverage only: items that fewer than K tasks violate."""

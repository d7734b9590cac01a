"""Which tasks of a benchmark were kept, and why the others were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.finding import Finding
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One task that was left out.

    Parameters
    ----------
    reasons
        A clause each, at least one.
    scores
        Metric to its value, of those that the expression names and that exist.
    """

    task_id: str
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Selection:
    """What an expression keeps of a benchmark.

    Parameters
    ----------
    benchmark
        As it was looked at; ``kept`` and ``left_out`` part its tasks, and ``left_out`` holds those of the files that
        nobody looked at as well.
    keep
        The expression.
    whole_set
        Findings about the set as a whole, which leaving out tasks need not mend.
    judges
        Whose scores the expression was decided with; empty if it names none.
    """

    benchmark: Benchmark
    keep: str
    kept: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    whole_set: tuple[Finding, ...] = ()
    judges: tuple[str, ...] = ()
    tool_version: str = ""
    is_complete: bool = True
    """Whether every verdict that was wanted is there."""

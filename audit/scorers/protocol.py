"""The seam to whole-benchmark scorers."""

from __future__ import annotations

from typing import Protocol

from audit.records.task import Benchmark
from audit.records.verdict import Verdict


class Scorer(Protocol):
    """Scores a whole benchmark at once, without a provider."""

    @property
    def criterion(self) -> str:
        """What its verdicts are about."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever a score can change: part of the store's key."""
        ...

    @property
    def limits(self) -> str:
        """One sentence that says what the scorer can't see."""
        ...

    def score(self, benchmark: Benchmark) -> tuple[Verdict, ...]:
        """Return one verdict a task, in task order."""
        ...

"""The seam from verdicts to scores."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from audit.metrics.outcomes import Outcomes
from audit.records.score import Score
from audit.records.task import Benchmark


class Metric(Protocol):
    """A rule from what one judge, or a panel of them, says task by task to one or more scores."""

    @property
    def name(self) -> str:
        """What a user calls it."""
        ...

    @property
    def criterion(self) -> str:
        """The verdicts that it reads."""
        ...

    @property
    def summary(self) -> str:
        """What it measures, in one line, with its scale."""
        ...

    def measure(
        self, benchmark: Benchmark, outcomes: Outcomes, *, judge: str, rng: np.random.Generator
    ) -> tuple[Score, ...]:
        """Measure the outcomes of this metric's criterion; what is missing is told, never filled in."""
        ...

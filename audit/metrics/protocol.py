"""The seam from verdicts to scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from audit.records.score import Score
from audit.records.task import Benchmark
from audit.records.verdict import Verdict


class Metric(Protocol):
    """A rule from the verdicts of one judge to one or more scores."""

    name: str
    criterion: str
    """The verdicts that it reads."""

    def measure(
        self, benchmark: Benchmark, verdicts: Sequence[Verdict], *, judge: str, rng: np.random.Generator
    ) -> tuple[Score, ...]:
        """Measure ``verdicts``, all of them this judge's and this criterion's, missing ones included."""
        ...

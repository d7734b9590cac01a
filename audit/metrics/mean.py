"""What every metric that averages over tasks shares."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from audit.metrics.blank import blank_score
from audit.metrics.outcomes import Outcomes
from audit.records.score import Interval, Score
from audit.records.task import Benchmark, Task
from audit.stats.bootstrap import mean_interval
from audit.stats.summary import summarise


@dataclass(frozen=True, slots=True)
class MeanMetric:
    """The mean over tasks of what a judge says on one criterion.

    Undefined without any verdict. The interval is a bootstrap over tasks, ``None`` for a single one. The bounds put
    every task that has no verdict at all at the least and at the greatest value it could have; a task with only
    some of its trials judged counts as it is.

    Parameters
    ----------
    scale
        Least and greatest value of a task; the greatest is ``None`` when it differs by task.
    ceiling
        The greatest value of one task, for scales without a common one.
    """

    name: str
    criterion: str
    summary: str
    scale: tuple[float, float | None]
    ceiling: Callable[[Benchmark, Task], float]
    unit: str = ""

    def measure(
        self, benchmark: Benchmark, outcomes: Outcomes, *, judge: str, rng: np.random.Generator
    ) -> tuple[Score, ...]:
        """Return one score: the mean with its spread, interval and bounds."""
        blank = blank_score(outcomes, metric=self.name, judge=judge, scale=self.scale, unit=self.unit)
        values = list(outcomes.value_by_task.values())
        if not values:
            return (blank,)
        spread = summarise(values)
        score = replace(
            blank,
            value=spread.mean,
            median=spread.median,
            sd=spread.sd,
            minimum=spread.minimum,
            maximum=spread.maximum,
            interval=mean_interval(values, rng=rng) if spread.n > 1 else None,
            bounds=self._bounds(benchmark, outcomes),
            by_task=outcomes.value_by_task,
        )
        return (score,)

    def _bounds(self, benchmark: Benchmark, outcomes: Outcomes) -> Interval | None:
        if not outcomes.missing_tasks:
            return None
        missing = set(outcomes.missing_tasks)
        ceilings = [self.ceiling(benchmark, task) for task in benchmark.tasks if task.id in missing]
        used = list(outcomes.value_by_task.values())
        n = len(used) + len(ceilings)
        low = math.fsum([*used, *([self.scale[0]] * len(ceilings))]) / n
        return Interval(low, math.fsum([*used, *ceilings]) / n)

"""How many policy items a task's requests violate."""

from __future__ import annotations

from audit.metrics.mean import MeanMetric
from audit.metrics.outcomes import POLICY_VIOLATIONS

VIOLATION_COUNT = MeanMetric(
    name="violation_count",
    criterion=POLICY_VIOLATIONS,
    summary="Policy items that a task's requests violate, 0 or more: mean over tasks",
    scale=(0.0, None),
    ceiling=lambda benchmark, task: float(len(benchmark.policy_of(task).items)),
    unit="items per task",
)

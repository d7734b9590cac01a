"""Alignment of the expected behavior with the description, and with the policy."""

from __future__ import annotations

from audit.metrics.mean import MeanMetric

DESC_ALIGNMENT = MeanMetric(
    name="desc_alignment",
    criterion="desc_alignment",
    summary="How well the expected behavior fits the description, 1 to 10: mean over tasks",
    scale=(1.0, 10.0),
    ceiling=lambda _benchmark, _task: 10.0,
    unit="points",
)
POLICY_ALIGNMENT = MeanMetric(
    name="policy_alignment",
    criterion="policy_alignment",
    summary="How well the expected behavior keeps to the policy, 1 to 10: mean over tasks",
    scale=(1.0, 10.0),
    ceiling=lambda _benchmark, _task: 10.0,
    unit="points",
)

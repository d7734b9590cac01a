"""The offline scorer's match, never averaged with a judge."""

from __future__ import annotations

from audit.metrics.mean import MeanMetric

OFFLINE_MATCH = MeanMetric(
    name="offline_match",
    criterion="offline_match",
    summary="How well expected behavior and description match by names and words, 0 to 1, without a judge: "
    "mean over tasks",
    scale=(0.0, 1.0),
    ceiling=lambda _benchmark, _task: 1.0,
)

"""The metrics by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from audit.errors import UsageError
from audit.metrics.alignment import DESC_ALIGNMENT, POLICY_ALIGNMENT
from audit.metrics.offline import OFFLINE_MATCH
from audit.metrics.protocol import Metric
from audit.metrics.violation_count import VIOLATION_COUNT
from audit.metrics.violation_coverage import ViolationCoverage

_ALL: tuple[Metric, ...] = (DESC_ALIGNMENT, POLICY_ALIGNMENT, VIOLATION_COUNT, ViolationCoverage(), OFFLINE_MATCH)

METRICS: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in _ALL})
JUDGED_METRICS = tuple(metric.name for metric in _ALL if metric is not OFFLINE_MATCH)
"""Those that need a judge, in the order in which they are shown."""


def find_metric(name: str) -> Metric:
    """Return the metric of this name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in METRICS:
        raise UsageError(f"no metric {name!r}", mend=f"Choose from {', '.join(METRICS)}")
    return METRICS[name]


def needed_criterion(name: str) -> str:
    """Return the criterion whose verdicts a metric reads.

    Raises
    ------
    UsageError
        If there is no such metric.

    Examples
    --------
    >>> needed_criterion("violation_count")
    'policy_violations'
    """
    return find_metric(name).criterion

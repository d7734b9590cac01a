"""Which share of the policy's items the tasks violate, and which items stay untested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from audit.metrics.blank import blank_score
from audit.metrics.outcomes import NO_ITEMS, POLICY_VIOLATIONS, Outcomes, no_items_reason
from audit.records.score import Interval, Score
from audit.records.task import Benchmark
from audit.stats.bootstrap import coverage_intervals
from audit.stats.violations import untested_items, violation_coverage

KS = (1, 2, 3, 4, 5)
"""Tasks that make an item covered; one score each."""
ONE_SIDED = "the missing tasks can only raise this"


@dataclass(frozen=True, slots=True)
class ViolationCoverage:
    """The share of policy items that at least K tasks violate, for each K of ``KS``.

    A property of the whole benchmark: there is no value by task. Undefined without a verdict, or without policy
    items; where policies differ by task, the items of all of them count. The bounds let the tasks without a
    verdict violate nothing, and everything.
    """

    name: str = "violation_coverage"
    criterion: str = POLICY_VIOLATIONS
    summary: str = (
        "Share of policy items that at least K tasks violate, 0 to 1, for K of 1 to 5, with the untested items"
    )

    def measure(
        self, benchmark: Benchmark, outcomes: Outcomes, *, judge: str, rng: np.random.Generator
    ) -> tuple[Score, ...]:
        """Return one score a K, named ``violation_coverage@K``."""
        items = _item_ids(benchmark)
        blanks = [
            blank_score(outcomes, metric=f"{self.name}@{k}", judge=judge, scale=(0.0, 1.0), unit="share of items")
            for k in KS
        ]
        if not items:
            return tuple(replace(blank, reason=_no_items(benchmark)) for blank in blanks)
        violated = outcomes.violated_by_task
        if not violated:
            return tuple(blanks)
        intervals = _intervals(violated, items, rng=rng)
        untested = {k: untested_items(violated, set(items), k=k) for k in KS}
        return tuple(
            replace(
                blank,
                value=(len(items) - len(untested[k])) / len(items),
                interval=interval,
                bounds=_bounds(benchmark, outcomes, items, k=k),
                reason=f"{blank.reason}; {ONE_SIDED}" if outcomes.missing_tasks else blank.reason,
                untested_items=tuple(item for item in items if item in untested[k]),
            )
            for k, blank, interval in zip(KS, blanks, intervals, strict=True)
        )


def _item_ids(benchmark: Benchmark) -> tuple[str, ...]:
    """Every item that some task's policy has, in document order, policy by policy."""
    policies = {policy.sha256: policy for policy in map(benchmark.policy_of, benchmark.tasks)}
    ordered = sorted(policies.values(), key=lambda policy: (policy.name, policy.sha256))
    return tuple(dict.fromkeys(item.id for policy in ordered for item in policy.items))


def _no_items(benchmark: Benchmark) -> str:
    reasons = sorted({no_items_reason(benchmark, task) for task in benchmark.tasks})
    return " / ".join(reasons) or NO_ITEMS


def _intervals(
    violated: Mapping[str, frozenset[str]], items: Sequence[str], *, rng: np.random.Generator
) -> Sequence[Interval | None]:
    if len(violated) < 2:
        return [None] * len(KS)
    matrix = np.array([[item in violated[id_] for item in items] for id_ in sorted(violated)], dtype=np.bool_)
    return coverage_intervals(matrix, KS, rng=rng)


def _bounds(benchmark: Benchmark, outcomes: Outcomes, items: Sequence[str], *, k: int) -> Interval | None:
    if not outcomes.missing_tasks:
        return None
    missing = set(outcomes.missing_tasks)
    nothing = {id_: frozenset[str]() for id_ in missing}
    everything = {task.id: benchmark.policy_of(task).item_ids for task in benchmark.tasks if task.id in missing}
    low = violation_coverage({**outcomes.violated_by_task, **nothing}, set(items), k=k)
    high = violation_coverage({**outcomes.violated_by_task, **everything}, set(items), k=k)
    return Interval(low, high)

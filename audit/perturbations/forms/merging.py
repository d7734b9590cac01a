"""Tasks put back into their benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from audit.records.task import Benchmark, Task


def with_tasks(benchmark: Benchmark, changed: Mapping[str, Task]) -> Benchmark:
    """Return the benchmark with some tasks replaced, among all of its files' too."""
    return replace(
        benchmark,
        tasks=tuple(changed.get(task.id, task) for task in benchmark.tasks),
        corpus=tuple(changed.get(task.id, task) for task in benchmark.corpus),
    )

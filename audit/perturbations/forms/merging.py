"""Sentences put into entries, and tasks into their benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from audit.perturbations.json_paths import Path, look, put
from audit.records.task import Benchmark, Json, Task


def add_sentence(raw: Json, path: Path, *, text: str) -> Json:
    """Return an entry with a sentence more at the end of a text, or with that sentence alone."""
    found = look(raw, path)
    return put(raw, path, new=f"{found.rstrip()} {text}" if isinstance(found, str) and found.strip() else text)


def with_tasks(benchmark: Benchmark, changed: Mapping[str, Task]) -> Benchmark:
    """Return the benchmark with some tasks replaced, among all of its files' too."""
    return replace(
        benchmark,
        tasks=tuple(changed.get(task.id, task) for task in benchmark.tasks),
        corpus=tuple(changed.get(task.id, task) for task in benchmark.corpus),
    )

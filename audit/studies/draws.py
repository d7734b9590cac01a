"""Values of a metric over draws of a benchmark's tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.compare.scores import COVERAGE
from audit.metrics.measure import gather_judge, spawn_rng
from audit.metrics.registry import needed_criterion
from audit.records.run import RunResult
from audit.stats.bootstrap import Floats, resample, times_drawn
from audit.studies.ground import Key, scores_by_key


def is_coverage(metric: str) -> bool:
    """Whether a metric is a property of the whole benchmark, without a value by task."""
    return metric.startswith(COVERAGE)


def violated_by_task(run: RunResult, key: Key) -> dict[str, frozenset[str]]:
    """Return the items that a judge says each task violates."""
    criterion = needed_criterion(key[0].partition("@")[0])
    outcomes = gather_judge(run.benchmark, run.verdicts, criterion=criterion, judge=key[1])
    return dict(outcomes.violated_by_task)


def item_ids(run: RunResult) -> tuple[str, ...]:
    """Return the items of every policy that governs a task, sorted."""
    policies = (run.benchmark.policy_of(task) for task in run.benchmark.tasks)
    return tuple(sorted({item.id for policy in policies for item in policy.items}))


def violation_matrix(violated: dict[str, frozenset[str]], items: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each task (rows) violates each item (columns)."""
    table = [[item in found for item in items] for found in violated.values()]
    return np.array(table, dtype=np.bool_).reshape(len(violated), len(items))


def draw_values(run: RunResult, key: Key, *, seed: int) -> Floats | None:
    """Return a metric's values over draws of tasks with replacement; ``None`` below two tasks.

    Coverage loses items in a draw; its values are moved by what that takes off on average, as its interval is, and by
    whole items, so that equal shares stay equal.
    """
    score = scores_by_key(run)[key]
    if score.value is None:
        return None
    rng = spawn_rng(seed, metric=f"{key[0]}\0draws\0{run.benchmark.name}", judge=key[1])
    if not is_coverage(key[0]):
        values = np.sort(np.array(list(score.by_task.values()), dtype=np.float64))
        return resample(lambda index: values[index].mean(axis=1), values.size, rng=rng) if values.size > 1 else None
    matrix, k = violation_matrix(violated_by_task(run, key), item_ids(run)), int(key[0].removeprefix(COVERAGE))
    if matrix.shape[0] < 2:
        return None
    found = resample(lambda index: (times_drawn(index) @ matrix >= k).mean(axis=1), matrix.shape[0], rng=rng)
    n_items = matrix.shape[1]
    n_lost = round(float(score.value - found.mean()) * n_items)
    centred: Floats = np.clip(found + n_lost / n_items, 0.0, 1.0)
    return centred

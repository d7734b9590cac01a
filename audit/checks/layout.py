"""Where tasks hold their script and what they are scored by: in τ² and τ³ below two fields, in τ1 at the top."""

from __future__ import annotations

from audit.checks.raw import child, place
from audit.records.task import Benchmark, Json, Origin, Task

SCRIPT, CRITERIA = "user_scenario", "evaluation_criteria"
PLAIN, TAU1 = "plain", "tau1"
"""Names of formats."""
_TAU1_NAMES = {"actions": "actions", "communicate_info": "outputs"}
"""Field of τ² to τ1's; τ1 has no others."""


def is_flat(task: Task) -> bool:
    """Return whether a task with τ-style criteria has them at the top, as in τ1."""
    return CRITERIA not in task.raw and SCRIPT not in task.raw and "instruction" in task.raw


def has_criteria(benchmark: Benchmark) -> bool:
    """Return whether the benchmark's tasks are scored by τ-style criteria."""
    return benchmark.format == TAU1 or any(CRITERIA in task.raw for task in benchmark.tasks)


def criterion(task: Task, field: str) -> Json:
    """Return a field of the criteria by its name in τ²; ``None`` where the task has none."""
    if is_flat(task):
        return child(task.raw, _TAU1_NAMES[field]) if field in _TAU1_NAMES else None
    return child(task.raw, CRITERIA, field)


def criterion_path(task: Task, field: str = "") -> str:
    """Return the path of a field of the criteria, or of all of them."""
    if is_flat(task):
        return _TAU1_NAMES.get(field, "actions")
    return f"{CRITERIA}.{field}" if field else CRITERIA


def criterion_name(task: Task, field: str) -> str:
    """Return what the task's own format calls a field of the criteria."""
    return criterion_path(task, field).rpartition(".")[2]


def criterion_place(task: Task, field: str = "", *, position: int | None = None) -> Origin:
    """Return the origin of a field of the criteria, or of one entry of its list."""
    return place(task, criterion_path(task, field) + ("" if position is None else f"[{position}]"))


def script_place(task: Task) -> Origin:
    """Return the origin of what the simulated user is told."""
    if SCRIPT in task.raw or not task.description:
        return place(task, SCRIPT)
    return task.description[0].origin

"""What a page shows of a benchmark beyond scores, findings and verdicts: its texts, so that it can be drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from audit.records.policy import Policy
from audit.records.replay import ReplayedCall
from audit.records.run import RunResult
from audit.records.task import Action, Json, Row, Task
from audit.reports.plain import Plain, fields_of, to_plain


def material_of(result: RunResult) -> Plain:
    """Return policies and tasks, in the files' order, and what the gold actions returned."""
    benchmark = result.benchmark
    policies = list(dict.fromkeys([benchmark.policy, *(task.policy for task in benchmark.tasks if task.policy)]))
    return {
        "policies": [fields_of(policy) for policy in policies],
        "columns": to_plain(benchmark.columns),
        "tasks": [_task(task, policies) for task in benchmark.tasks],
        "replays": {task_id: [_call(call) for call in calls] for task_id, calls in result.replays.items()},
    }


def _task(task: Task, policies: list[Policy]) -> Plain:
    return {
        "id": task.id,
        "policy": None if task.policy is None else policies.index(task.policy),
        "description": to_plain(task.description),
        "behavior": to_plain(task.behavior),
        "rows": [_row(row) for row in task.rows],
        "actions": None if task.actions is None else [_action(action) for action in task.actions],
        "tags": list(task.tags),
        "origin": to_plain(task.origin),
    }


def _row(row: Row) -> Plain:
    return {"table": row.table, "key": row.key, "value": _value(row.value), "origin": to_plain(row.origin)}


def _action(action: Action) -> Plain:
    return {**fields_of(replace(action, arguments={})), "arguments": _value(action.arguments)}


def _call(call: ReplayedCall) -> Plain:
    return {
        "result": _value(call.result),
        "error": call.error,
        "detail": call.detail,
        "changed": to_plain(call.changed),
    }


def _value(value: Json) -> Plain:
    """Return a value of the files as plain JSON; a stray NaN, which JSON can't hold, as its name."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): _value(inner) for key, inner in value.items()}
    return [_value(inner) for inner in value]

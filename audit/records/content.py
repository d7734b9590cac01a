"""What a task says, as digests: one a component, so that an edit can be named, and one of everything."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from audit.records.task import Json, PartKind, Task

COMPONENTS = ("description", "behavior", "actions", "rows", "policy", "other")
"""What a task is made of. ``policy`` is the task's own, where policies differ by task; ``other`` is whatever the
file says of the task that no part and no action shows, such as what it is rewarded for."""

DIGITS = 16
"""Hex digits that are kept of a SHA-256."""


def component_digests(task: Task) -> dict[str, str]:
    """Return a digest of each of :data:`COMPONENTS`; where the files lie does not matter."""
    shown = (part for part in task.behavior if part.kind not in (PartKind.ACTION, PartKind.NO_WRITE))
    actions = task.actions
    content: dict[str, object] = {
        "description": [[part.kind, part.text] for part in task.description],
        "behavior": [[part.kind, part.text] for part in shown],
        "actions": None
        if actions is None
        else [[action.name, action.arguments, action.requestor, action.compare_args] for action in actions],
        "rows": [[row.table, row.key, row.value] for row in task.rows],
        "policy": task.policy and task.policy.sha256,
        "other": _rest(task),
    }
    return {name: digest(content[name]) for name in COMPONENTS}


def task_digest(task: Task) -> str:
    """Return a digest of all that the files say of a task: any edit of it, or of its rows, changes the digest."""
    return digest([task.id, task.raw, component_digests(task)])


def digest(content: object) -> str:
    """Return the digest of a JSON value in canonical form.

    Examples
    --------
    >>> digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    True
    """
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _rest(task: Task) -> list[tuple[str, Json]]:
    origins = [part.origin for part in (*task.description, *task.behavior) if part.kind is not PartKind.NO_WRITE]
    origins += [action.origin for action in task.actions or ()]
    shown = {origin.field for origin in origins}
    return list(_leaves("", task.raw, shown))


def _leaves(path: str, value: Json, shown: set[str]) -> Iterator[tuple[str, Json]]:
    """Yield path and value of what no member of ``shown`` covers; an empty container is a leaf."""
    if path in shown and path:
        return
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(f"{path}.{name}" if path else name, inner, shown)
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from _leaves(f"{path}[{number}]", inner, shown)
    else:
        yield path, value

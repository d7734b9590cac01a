"""One τ-style task: description, expected behavior and initial state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from audit.loaders.entry import Entry
from audit.loaders.relevant_rows import Database, Found, Patch, build_patch, find_rows
from audit.loaders.tau_behavior import read_actions, read_behavior
from audit.loaders.tau_description import read_description
from audit.records.task import Part, Task, Tool

CUT_ROWS = "rows cut"
"""Tag of a task whose relevant rows were too many to take all."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the tasks of one benchmark share."""

    tools: Mapping[tuple[str, str], Tool]
    database: Database | None
    splits: Mapping[str, Collection[str]]


def read_task(entry: Entry, surroundings: Surroundings) -> Task:
    """Return the task that ``entry`` holds, whose id is in ``entry.origin``.

    Unknown fields are left alone; all of them stay in ``Task.raw``.

    Raises
    ------
    LoadError
        Naming file, task and field, if a field that we read has the wrong type.
    """
    task_id = entry.origin.task_id or ""
    description = read_description(entry)
    actions = read_actions(entry, surroundings.tools)
    found = _find(entry, description, surroundings.database)
    tags = [name for name, ids in surroundings.splits.items() if task_id in ids]
    return Task(
        id=task_id,
        description=description,
        behavior=read_behavior(entry, actions),
        rows=found.rows,
        actions=actions,
        tags=(*tags, *([CUT_ROWS] if found.is_cut else [])),
        origin=entry.origin,
        raw=entry.values,
    )


def _find(entry: Entry, description: tuple[Part, ...], database: Database | None) -> Found:
    patch = _read_patch(entry, database)
    if database is None:
        return Found(())
    return find_rows(database, "\n".join(part.text for part in description), patch=patch)


def _read_patch(entry: Entry, database: Database | None) -> Patch | None:
    initial = entry.entry("initial_state")
    changes = initial.entry("initialization_data") if initial else None
    changed = changes.entry("agent_data") if changes else None
    if changed is None or database is None:
        return None
    return build_patch(database, changed.values, origin=changed.origin)

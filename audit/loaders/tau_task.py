"""One τ-style task: description, expected behavior and initial state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from audit.databases.tables import merge
from audit.loaders.database_view import Database, Found, Patch, build_patch
from audit.loaders.entry import Entry
from audit.loaders.relevant_rows import find_rows
from audit.loaders.tau_behavior import read_actions, read_behavior
from audit.loaders.tau_description import read_description
from audit.loaders.tau_policy import Policies
from audit.records.task import Json, Origin, Part, Row, Task, Tool

CUT_ROWS = "rows cut"
"""Tag of a task whose relevant rows were too many to take all."""


USER_TABLE = "user"
"""Table name of rows that are the user's own, such as a phone; no database has them."""


@dataclass(frozen=True, slots=True)
class UserRecords:
    """The records of the simulated user's own side, as their file holds them."""

    file: str
    values: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the tasks of one benchmark share."""

    tools: Mapping[tuple[str, str], Tool]
    database: Database | None
    splits: Mapping[str, Collection[str]]
    policies: Policies
    user: UserRecords | None = None


def read_task(entry: Entry, surroundings: Surroundings) -> Task:
    """Return the task that ``entry`` holds, whose id is in ``entry.origin``.

    Unknown fields are left alone; all of them stay in ``Task.raw``.

    Raises
    ------
    LoadError
        Naming file, task and field, if a field that we read has the wrong type.
    """
    task_id = entry.origin.task_id or ""
    description = read_description(entry, surroundings.tools)
    actions = read_actions(entry, surroundings.tools)
    found = _find(entry, description, surroundings.database)
    rows = (*found.rows, *_user_rows(entry, surroundings.user))
    tags = [name for name, ids in surroundings.splits.items() if task_id in ids]
    return Task(
        id=task_id,
        description=description,
        behavior=read_behavior(entry, actions),
        rows=rows,
        actions=actions,
        policy=surroundings.policies.of(entry),
        tags=(*tags, *([CUT_ROWS] if found.is_cut else [])),
        origin=entry.origin,
        raw=entry.values,
    )


def _find(entry: Entry, description: tuple[Part, ...], database: Database | None) -> Found:
    patch = _read_patch(entry, database)
    if database is None:
        return Found(())
    return find_rows(database, "\n".join(part.text for part in description), patch=patch)


def _user_rows(entry: Entry, user: UserRecords | None) -> Iterator[Row]:
    """Yield the records of the user's own side as they are when the task begins, each table or thing a row."""
    if user is None:
        return
    changed = _changes(entry, "user_data")
    for name, value in user.values.items():
        if changed is not None and name in changed.values:
            yield Row(USER_TABLE, name, merge(value, changed.values[name]), changed.origin_of(name))
        else:
            yield Row(USER_TABLE, name, value, Origin(user.file, name))


def _changes(entry: Entry, field: str) -> Entry | None:
    initial = entry.entry("initial_state")
    changes = initial.entry("initialization_data") if initial else None
    return changes.entry(field) if changes else None


def _read_patch(entry: Entry, database: Database | None) -> Patch | None:
    changed = _changes(entry, "agent_data")
    if changed is None or database is None:
        return None
    return build_patch(database, changed.values, origin=changed.origin)

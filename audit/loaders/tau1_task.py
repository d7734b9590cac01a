"""One τ1 task: an instruction, gold actions and outputs."""

from __future__ import annotations

from collections.abc import Mapping

from audit.loaders.database_view import Database, Found
from audit.loaders.entry import Entry
from audit.loaders.relevant_rows import find_rows
from audit.loaders.tau_behavior import CHANGES_NOTHING, DEFAULT_BASIS, NO_WRITE, action_part, told_parts
from audit.loaders.tau_task import CUT_ROWS
from audit.loaders.tools import kind_of_call
from audit.records.task import Action, Part, PartKind, Task, Tool

_CALLER = "assistant"


def read_task(entry: Entry, *, split: str, tools: Mapping[tuple[str, str], Tool], database: Database | None) -> Task:
    """Return the task that ``entry`` holds, whose id is in ``entry.origin``.

    Scored is what τ1 scores: the database after the gold actions, and that every output is said.

    Parameters
    ----------
    split
        The split that the task's file is; empty for none.

    Raises
    ------
    LoadError
        Naming file, task and field, if a field that we read has the wrong type.
    """
    told = entry.need_text("instruction")
    actions = _read_actions(entry, tools)
    found = Found(()) if database is None else find_rows(database, told)
    return Task(
        id=entry.origin.task_id or "",
        description=(Part(PartKind.SCENARIO, "Instruction to the user", told, entry.origin_of("instruction")),),
        behavior=_read_behavior(entry, actions),
        rows=found.rows,
        actions=actions,
        tags=(*([split] if split else []), *([CUT_ROWS] if found.is_cut else [])),
        origin=entry.origin,
        raw=entry.values,
    )


def _read_actions(entry: Entry, tools: Mapping[tuple[str, str], Tool]) -> tuple[Action, ...] | None:
    calls = entry.entries("actions")
    return None if calls is None else tuple(_read_action(call, tools) for call in calls)


def _read_action(call: Entry, tools: Mapping[tuple[str, str], Tool]) -> Action:
    name = call.need_text("name")
    arguments = call.mapping("kwargs") or call.mapping("arguments") or {}
    kind = kind_of_call(tools, name, arguments=arguments, caller=_CALLER)
    return Action(name=name, arguments=arguments, kind=kind, origin=call.origin)


def _read_behavior(entry: Entry, actions: tuple[Action, ...] | None) -> tuple[Part, ...]:
    parts = [action_part(n, action, basis=DEFAULT_BASIS) for n, action in enumerate(actions or (), 1)]
    if actions is not None and all(action.kind in CHANGES_NOTHING for action in actions):
        parts.append(Part(PartKind.NO_WRITE, "Database", NO_WRITE, entry.origin_of("actions")))
    return (*parts, *told_parts(entry, "outputs"))

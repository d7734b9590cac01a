"""Expected behaviors of τ-style tasks, as labelled parts that a run selects among."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.loaders.calls import read_side, write_call
from audit.loaders.entry import Entry, as_json
from audit.loaders.tools import kind_of_call
from audit.records.task import Action, Part, PartKind, Tool, ToolKind

DEFAULT_BASIS = ("DB", "COMMUNICATE")
"""What a task is rewarded for when it does not say."""

NO_WRITE = "The database must stay as it is: this task expects no call that changes a record."

_HAND_OVER = "transfer_to_"
"""How the names of tools begin that hand the talk to a person and change no record."""
CHANGES_NOTHING = frozenset({ToolKind.READ, ToolKind.GENERIC})
"""Kinds of tools that leave the database as it is."""
_DOES = {
    ToolKind.READ: "reads",
    ToolKind.WRITE: "writes",
    ToolKind.GENERIC: "changes no record",
    ToolKind.UNKNOWN: "its kind is not known, for the tool table does not list it",
}


def read_actions(task: Entry, tools: Mapping[tuple[str, str], Tool]) -> tuple[Action, ...] | None:
    """Return the gold actions; ``None`` when the task has no list of them, which is not an empty list."""
    criteria = task.entry("evaluation_criteria")
    calls = criteria.entries("actions") if criteria else None
    return None if calls is None else tuple(_read_action(call, tools) for call in calls)


def _read_action(call: Entry, tools: Mapping[tuple[str, str], Tool]) -> Action:
    name = call.need_text("name")
    requestor = read_side(call, "requestor")
    arguments = call.mapping("arguments") or {}
    return Action(
        name=name,
        arguments=arguments,
        kind=kind_of_call(tools, name, arguments=arguments, caller=requestor),
        origin=call.origin,
        requestor=requestor,
        compare_args=call.texts("compare_args"),
    )


def read_behavior(task: Entry, actions: tuple[Action, ...] | None) -> tuple[Part, ...]:
    """Return every part of the expected behavior that the task offers: see :data:`audit.records.task.BEHAVIOR_KINDS`.

    Raises
    ------
    LoadError
        If a field has the wrong type.
    """
    criteria = task.entry("evaluation_criteria")
    basis = (criteria.texts("reward_basis") if criteria else None) or DEFAULT_BASIS
    parts: list[Part] = []
    if criteria is not None:
        parts += _statements(criteria)
        parts += (action_part(n, action, basis=basis) for n, action in enumerate(actions or (), 1))
        if actions is not None and _leaves_database(criteria, actions, basis):
            parts.append(Part(PartKind.NO_WRITE, "Database", NO_WRITE, criteria.origin_of("actions")))
        parts += told_parts(criteria, "communicate_info")
        parts += _end_conditions(criteria)
    return (*parts, *_purpose(task))


def _statements(criteria: Entry) -> Iterator[Part]:
    for n, text in enumerate(criteria.texts("nl_assertions") or ()):
        label = f"Must hold of the talk, {n + 1}"
        yield Part(PartKind.ASSERTION, label, text, criteria.origin_of(f"nl_assertions[{n}]"))


def told_parts(entry: Entry, field: str) -> Iterator[Part]:
    """Yield what the agent must tell the user, as the list ``field`` has it."""
    for n, text in enumerate(entry.texts(field) or ()):
        yield Part(
            PartKind.COMMUNICATE, f"The agent must tell the user, {n + 1}", text, entry.origin_of(f"{field}[{n}]")
        )


def _end_conditions(criteria: Entry) -> Iterator[Part]:
    for n, entry in enumerate(criteria.entries("env_assertions") or (), 1):
        wanted = as_json(entry.flag("assert_value", default=True))
        side = read_side(entry, "env_type")
        call = write_call(entry.need_text("func_name"), entry.mapping("arguments") or {})
        message = entry.text("message")
        text = f"{call} returns {wanted}" + (f" ({message.strip()})" if message and message.strip() else "")
        label = f"Must hold at the end in the {side}'s environment, {n}"
        yield Part(PartKind.ENV_ASSERTION, label, text, entry.origin)


def _purpose(task: Entry) -> Iterator[Part]:
    description = task.entry("description")
    text = description.text("purpose") if description else None
    if description and text and text.strip():
        yield Part(PartKind.PURPOSE, "The author's purpose", text, description.origin_of("purpose"))


def action_part(number: int, action: Action, *, basis: tuple[str, ...]) -> Part:
    """Return a gold call in words, with how binding it is where the task is scored by ``basis``."""
    who = "by the user, " if action.requestor == "user" else ""
    label = f"Reference call {number} ({who}{_DOES[action.kind]}; {_weight(action, basis)}{_loose_arguments(action)})"
    return Part(PartKind.ACTION, label, write_call(action.name, action.arguments), action.origin)


def _weight(action: Action, basis: tuple[str, ...]) -> str:
    """Return in words how binding a gold call is."""
    if "ACTION" in basis:
        return "required: the benchmark looks for this very call"
    if action.kind is ToolKind.WRITE:
        return "required"
    if action.kind is ToolKind.READ:
        return "one way to find this out, not required"
    if _is_hand_over(action):
        return "required: the talk ends with a hand-over to a person"
    return "part of one way to the goal" if action.kind is ToolKind.UNKNOWN else "an aid, not required"


def _is_hand_over(action: Action) -> bool:
    return action.name.startswith(_HAND_OVER) and action.kind in {ToolKind.GENERIC, ToolKind.UNKNOWN}


def _loose_arguments(action: Action) -> str:
    """Return a remark on arguments that are not meant literally; what a write is given always counts."""
    if action.kind is ToolKind.WRITE:
        return ""
    compared = action.arguments.keys() if action.compare_args is None else action.compare_args
    free = {"summary"} if _is_hand_over(action) else set()
    loose = [key for key in action.arguments if key not in compared or key in free]
    return f"; not meant literally: {', '.join(loose)}" if loose else ""


def _leaves_database(criteria: Entry, actions: tuple[Action, ...], basis: tuple[str, ...]) -> bool:
    """Return whether the task expects an unchanged database.

    A missing list of actions says nothing about the database; an empty one, or one without a call that writes,
    makes the initial state the goal. Conditions on the end state can ask for more where that goal is not scored.
    """
    if any(action.kind not in CHANGES_NOTHING for action in actions):
        return False
    return "DB" in basis or not criteria.entries("env_assertions")

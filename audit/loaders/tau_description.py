"""Descriptions of τ-style tasks: what the simulated user is told, and context that only a judge sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.loaders.calls import read_call, read_side
from audit.loaders.entry import Entry, as_json
from audit.records.task import Part, PartKind, Tool

_INSTRUCTIONS = (
    ("domain", "Domain"),
    ("reason_for_call", "Reason for contact"),
    ("known_info", "What the user knows"),
    ("unknown_info", "What the user does not know"),
    ("task_instructions", "Instructions to the user"),
)
"""Fields of a script and our labels, in the order in which the simulated user reads them."""

_UNSAID = "context for the judge alone; the user does not say it"


def read_description(task: Entry, tools: Mapping[tuple[str, str], Tool]) -> tuple[Part, ...]:
    """Return the parts of a task's description, those for the judge alone last.

    Parameters
    ----------
    tools
        By caller and name: what prepares the environment before the talk is often no tool, and is then said to be none.

    Raises
    ------
    LoadError
        If the task gives its user no instructions, or a field has the wrong type.
    """
    scenario = task.entry("user_scenario")
    if scenario is None:
        raise task.error("the task has no user scenario", field="user_scenario", mend="Add it")
    told = (*_persona(scenario), *_instructions(scenario))
    if not any(part.kind is PartKind.SCENARIO for part in told):
        raise scenario.error("the user gets no instructions", field="instructions", mend="Add them")
    return (*told, *_context(task, tools))


def _persona(scenario: Entry) -> Iterator[Part]:
    text = scenario.text("persona")
    if text and text.strip():
        yield Part(PartKind.PERSONA, "Persona", text, scenario.origin_of("persona"))


def _instructions(scenario: Entry) -> Iterator[Part]:
    value = scenario.values.get("instructions")
    if isinstance(value, str):
        if value.strip():
            yield Part(PartKind.SCENARIO, "Instructions to the user", value, scenario.origin_of("instructions"))
        return
    script = scenario.entry("instructions")
    for field, label in _INSTRUCTIONS if script else ():
        text = script.text(field) if script else None
        if script and text and text.strip():
            yield Part(PartKind.SCENARIO, label, text, script.origin_of(field))


def _context(task: Entry, tools: Mapping[tuple[str, str], Tool]) -> Iterator[Part]:
    ticket = task.text("ticket")
    if ticket and ticket.strip():
        yield Part(PartKind.CONTEXT, f"Ticket ({_UNSAID})", ticket, task.origin_of("ticket"))
    initial = task.entry("initial_state")
    if initial is not None:
        yield from _changed_records(initial)
        yield from _preparations(initial, tools)
        yield from _earlier_messages(initial)
    yield from _user_tools(task)


def _changed_records(initial: Entry) -> Iterator[Part]:
    changes = initial.entry("initialization_data")
    for field, owner in (("agent_data", "the database"), ("user_data", "the user's own records")):
        changed = changes.mapping(field) if changes else None
        if changes and changed:
            label = f"Set in {owner} before the talk ({_UNSAID})"
            lines = "\n".join(f"{table}: {as_json(rows)}" for table, rows in changed.items())
            yield Part(PartKind.CONTEXT, label, lines, changes.origin_of(field))


def _preparations(initial: Entry, tools: Mapping[tuple[str, str], Tool]) -> Iterator[Part]:
    calls = initial.entries("initialization_actions")
    if calls:
        lines = [f"{n}. {_preparation(call, tools)}" for n, call in enumerate(calls, 1)]
        label = f"Done to the environment before the talk ({_UNSAID})"
        yield Part(PartKind.CONTEXT, label, "\n".join(lines), initial.origin_of("initialization_actions"))


def _preparation(call: Entry, tools: Mapping[tuple[str, str], Tool]) -> str:
    """Return a call in words: on whose side, and whether that side could make it itself."""
    side, said = read_side(call, "env_type"), read_call(call, name="func_name")
    if not tools:
        return f"{side}'s side: {said}"
    what = "a tool" if (side, call.need_text("func_name")) in tools else "a function of the environment, no tool"
    return f"{side}'s side: {said} ({what})"


def _user_tools(task: Entry) -> Iterator[Part]:
    names = task.texts("user_tools")
    if names is not None:
        label = f"Tools that the user has ({_UNSAID})"
        yield Part(PartKind.CONTEXT, label, ", ".join(names) or "none", task.origin_of("user_tools"))


def _earlier_messages(initial: Entry) -> Iterator[Part]:
    messages = initial.entries("message_history")
    if messages:
        lines = [line for message in messages for line in _message_lines(message)]
        label = "The talk so far (both sides know it; the task begins after it)"
        yield Part(PartKind.CONTEXT, label, "\n".join(lines), initial.origin_of("message_history"))


def _message_lines(message: Entry) -> Iterator[str]:
    role = message.need_text("role")
    content = message.text("content")
    if content and content.strip():
        yield f"{role}: {content}"
    for call in message.entries("tool_calls") or ():
        yield f"{role} calls {read_call(call)}"

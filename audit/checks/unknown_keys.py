"""Fields of a τ-style task that its format does not know."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, items, place, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Task

UNKNOWN_KEY = Rule(
    "unknown-field",
    "A task has a field that its format does not know",
    Severity.NOTE,
    Certainty.PROVED,
    "Readers of this format drop fields that they do not know, without a word. What stands there has no effect. "
    "Where the name is close to a known field that is empty, it is probably misspelt, and what it says is lost.",
    "Correct the field's name, or remove it.",
)
_TASK = frozenset(
    {"id", "description", "user_scenario", "ticket", "initial_state", "evaluation_criteria"}
    | {"issues", "required_documents", "user_tools", "annotations"}
)
_LEVELS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("description",): frozenset({"purpose", "relevant_policies", "notes"}),
    ("user_scenario",): frozenset({"persona", "instructions"}),
    ("user_scenario", "instructions"): frozenset(
        {"domain", "reason_for_call", "known_info", "unknown_info", "task_instructions"}
    ),
    ("initial_state",): frozenset({"initialization_data", "initialization_actions", "message_history"}),
    ("initial_state", "initialization_data"): frozenset({"agent_data", "user_data"}),
    ("evaluation_criteria",): frozenset(
        {"actions", "env_assertions", "communicate_info", "nl_assertions", "reward_basis"}
    ),
}
_ACTION = frozenset({"action_id", "name", "arguments", "requestor", "info", "compare_args"})
_FUNCTION = frozenset({"env_type", "func_name", "arguments"})
_LISTS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("evaluation_criteria", "actions"): _ACTION,
    ("evaluation_criteria", "env_assertions"): _FUNCTION | {"assert_value", "message"},
    ("initial_state", "initialization_actions"): _FUNCTION,
}


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the fields that readers of the format drop; only for tasks in the layout of τ²."""
    for task in subject.benchmark.tasks:
        if "user_scenario" not in task.raw:
            continue
        yield from _level(task, task.raw, known=_TASK, path="")
        for names, known in _LEVELS.items():
            yield from _level(task, child(task.raw, *names), known=known, path=".".join(names))
        for names, known in _LISTS.items():
            for position, entry in enumerate(items(child(task.raw, *names))):
                yield from _level(task, entry, known=known, path=f"{'.'.join(names)}[{position}]")


def _level(task: Task, value: Json, *, known: frozenset[str], path: str) -> Iterator[Finding]:
    for name, held in value.items() if isinstance(value, Mapping) else ():
        if name in known or held in (None, "", [], {}):
            continue
        field = f"{path}.{name}" if path else str(name)
        close = difflib.get_close_matches(str(name).lower(), sorted(known), n=1, cutoff=0.75)
        finding = report(
            UNKNOWN_KEY,
            f"The field {show(field)!r} is unknown to the format and has no effect"
            + (f"; {close[0]!r} comes close." if close else "."),
            origin=place(task, field),
            subject=field.split("[")[0] + str(name),
            evidence=(("field", show(field)), ("value", show(held))),
        )
        is_lost = bool(close) and child(value, close[0]) in (None, "", [], {})
        yield replace(finding, severity=Severity.WARNING) if is_lost else finding


CHECK = Check("unknown_keys", (UNKNOWN_KEY,), inspect)

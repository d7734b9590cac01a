"""Gold actions replayed on the task's own database: what fails, what changes nothing, what hangs on an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from audit.checks.layout import criterion_place
from audit.checks.list_orders import ORDER, inspect_orders, write_action
from audit.checks.protocol import Check, Subject
from audit.checks.raw import inside, leaves, place, show
from audit.checks.world import World, world_of
from audit.environments.protocol import Environment, Outcome, State
from audit.environments.replay import Replay
from audit.environments.toolset import BAD_ARGUMENTS, UNKNOWN_TOOL
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Action, Json, Task, ToolKind

WRITE_FAILS = Rule(
    "gold-write-fails",
    "A gold action that should change the database fails",
    Severity.ERROR,
    Certainty.PROVED,
    "Replayed on the task's own database, the tool refuses the call. Scoring skips a gold action that fails without "
    "a word, so the target state lacks what the author wanted, and an agent that reaches it in another way is marked "
    "wrong. It is harmless only where a later gold action does the same thing right.",
    "Correct the call's arguments or the rows that it needs, or remove it.",
)
READ_FAILS = Rule(
    "gold-read-fails",
    "A gold action that looks something up fails",
    Severity.WARNING,
    Certainty.LIKELY,
    "The tool finds nothing under the arguments of the call. A look-up does not change the target state, but a wrong "
    "id often stands in the writes or in the text as well. Where the user's script gives the wrong value, the failure "
    "is part of the story, and this is a note.",
    "Write the id or the expression that the author had in mind.",
)
SETUP_FAILS = Rule(
    "setup-fails",
    "A call that prepares the task's initial state fails",
    Severity.ERROR,
    Certainty.PROVED,
    "The task changes the database before the talk begins, and one of these calls is refused. The state that the "
    "author describes never exists: the run either stops at its start or tests something else.",
    "Correct the call in the task's initial state.",
)
NO_CHANGE = Rule(
    "planned-writes-change-nothing",
    "The gold actions write, and leave the database as it was",
    Severity.ERROR,
    Certainty.PROVED,
    "After all gold actions, writing ones among them, the target equals the initial state: the writes failed, or "
    "undid each other. An agent that does nothing passes, and one that does what is asked fails.",
    "Mend the failing writes, or remove them and say that the agent must refuse.",
)
SAME_ITEM = Rule(
    "identical-item-exchange",
    "A gold action exchanges something for itself",
    Severity.WARNING,
    Certainty.LIKELY,
    "An id stands at the same place in the list of what goes and in the list of what comes instead. Some tools refuse "
    "this, others note a change that changes nothing; mostly the author took the wrong id. It is right only where the "
    "user wants another piece of the very same kind.",
    "Write the id of the other item, or leave the pair out.",
)
_SIGNATURE: Final = (UNKNOWN_TOOL, BAD_ARGUMENTS)
"""Failures that the tool table shows too; another check reports them where there is a table."""
_MAX_FACTS: Final = 6
_SHORT: Final = 40


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield what replaying the gold actions shows; without an environment only what the arguments say themselves."""
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        yield from _same_items(task)
        run = world.replay(task)
        if run is None or subject.environment is None:
            continue
        yield from _setup_failures(subject.environment, task)
        for position, outcome in enumerate(run.outcomes):
            if outcome.error and not (outcome.error in _SIGNATURE and subject.benchmark.tools):
                is_read = subject.environment.kind_of(outcome.action) in (ToolKind.READ, ToolKind.GENERIC)
                finding = _failure(READ_FAILS if is_read else WRITE_FAILS, outcome, state=run.state_before(position))
                yield _weigh(world, task, outcome.action, finding=finding) if is_read else finding
        yield from _unchanged(subject.environment, task, run)
        for position, outcome in enumerate(run.outcomes):
            if not outcome.error and subject.environment.kind_of(outcome.action) is ToolKind.WRITE:
                yield from inspect_orders(subject.environment, run, position=position)


def _setup_failures(environment: Environment, task: Task) -> Iterator[Finding]:
    for outcome in environment.setup(task.id):
        if outcome.error:
            action = outcome.action
            yield report(
                SETUP_FAILS,
                f"{show(action.name)} fails before the talk begins: {_reason(outcome)}.",
                origin=place(task, action.origin.field),
                subject=write_action(action),
                evidence=(("call", write_action(action)), ("error", _reason(outcome))),
            )


def _failure(rule: Rule, outcome: Outcome, *, state: State) -> Finding:
    action = outcome.action
    return report(
        rule,
        f"{show(action.name)} fails: {_reason(outcome)}.",
        origin=action.origin,
        subject=write_action(action),
        evidence=(("call", write_action(action)), ("error", _reason(outcome)), *_facts(state, action)),
    )


def _weigh(world: World, task: Task, action: Action, *, finding: Finding) -> Finding:
    """Return the finding as a note where the user's script gives every text among the arguments.

    A value that is an id of another kind stays a warning: the script may be right, and the gold call asks for it in
    the wrong place.
    """
    told = task.description_text.lower()
    values = [leaf.value for leaf in leaves(action.arguments) if isinstance(leaf.value, str)]
    elsewhere = [value for value in values if world.spaces.spaces_of(value)]
    if elsewhere:
        spaces = " or ".join(sorted(world.spaces.spaces_of(elsewhere[0])))
        return replace(finding, what=f"{finding.what} There is {show(elsewhere[0])} among {spaces}.")
    if values and all(value.lower().lstrip("#") in told for value in values):
        return replace(finding, severity=Severity.NOTE, what=f"{finding.what} The user's script gives these values.")
    return finding


def _reason(outcome: Outcome) -> str:
    return show(f"{outcome.error} ({outcome.detail})" if outcome.detail else outcome.error)


def _facts(state: State, action: Action) -> tuple[tuple[str, str], ...]:
    """Return what the rows that the call names say in short values: a status, a balance, an owner."""
    words = {leaf.value for leaf in leaves(action.arguments) if isinstance(leaf.value, str)}
    named = {(table, word): rows[word] for word in words for table, rows in state.items() if word in rows}
    owners = {str(value) for row in named.values() for _, value in _short_values(row)}
    around = {(table, word): rows[word] for word in owners for table, rows in state.items() if word in rows}
    facts = [(f"{table} {key}", _describe(row, key)) for (table, key), row in sorted(named.items(), key=lambda x: x[0])]
    for row in (named | around).values():
        facts += [(f"{name} {key}", _describe(part, key)) for name, key, part in _entries(row) if key in words]
    return tuple((label, text) for label, text in dict.fromkeys(facts) if text)[:_MAX_FACTS]


def _short_values(row: Json) -> list[tuple[str, Json]]:
    entries = row.items() if isinstance(row, Mapping) else ()
    return [(name, value) for name, value in entries if isinstance(value, str | int | float) and value != ""]


def _entries(row: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield field, key and entry of the objects of objects in a row, such as a profile's payment methods."""
    for name, value in row.items() if isinstance(row, Mapping) else ():
        for key, part in value.items() if isinstance(value, Mapping) else ():
            if isinstance(part, Mapping):
                yield name, key, part


def _describe(row: Json, key: str) -> str:
    short = [(name, value) for name, value in _short_values(row) if value != key and len(str(value)) <= _SHORT]
    short.sort(key=lambda entry: entry[0] != "status")
    return show(", ".join(f"{name} {value}" for name, value in short))


def _unchanged(environment: Environment, task: Task, run: Replay) -> Iterator[Finding]:
    writes = [action for action in task.actions or () if environment.kind_of(action) is ToolKind.WRITE]
    if writes and run.is_unchanged:
        names = ", ".join(dict.fromkeys(action.name for action in writes))
        yield report(
            NO_CHANGE,
            f"{len(writes)} gold writes ({show(names)}) leave the database as it was."
            if len(writes) > 1
            else f"The gold write ({show(names)}) leaves the database as it was.",
            origin=criterion_place(task, "actions"),
            subject="target equals initial state",
            evidence=tuple(("call", show(write_action(action))) for action in writes[:_MAX_FACTS]),
        )


def _same_items(task: Task) -> Iterator[Finding]:
    for action in task.actions or ():
        for name, old in action.arguments.items():
            new = action.arguments.get(f"new_{name}")
            if not (isinstance(old, list) and isinstance(new, list)):
                continue
            for position, (one, other) in enumerate(zip(old, new, strict=False)):
                if one == other:
                    yield report(
                        SAME_ITEM,
                        f"{show(action.name)} exchanges {show(one)} for itself.",
                        origin=inside(action.origin, f"arguments.new_{name}[{position}]"),
                        subject=f"{action.name} {show(one)}",
                        evidence=((name, show(one)), (f"new_{name}", show(other))),
                    )


CHECK = Check("replay", (WRITE_FAILS, READ_FAILS, SETUP_FAILS, NO_CHANGE, ORDER, SAME_ITEM), inspect)

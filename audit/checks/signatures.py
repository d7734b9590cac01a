"""Gold actions against the tool table: names, callers and arguments."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, inside, show
from audit.checks.types import misfit
from audit.checks.world import World, world_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Tool

UNKNOWN_TOOL = Rule(
    "gold-unknown-tool",
    "A gold action calls a tool that does not exist",
    Severity.ERROR,
    Certainty.PROVED,
    "The tool table does not list the tool that a gold action calls, or not for this caller. Replaying the gold "
    "actions skips the call, so the target state misses its effect, and no agent can make it. It is a false alarm "
    "only if the tool table is out of date.",
    "Correct the tool's name or its caller, or add the tool to the table.",
)
MISSING = Rule(
    "gold-argument-missing",
    "A gold action lacks a required argument",
    Severity.ERROR,
    Certainty.PROVED,
    "The tool table says that the argument is required. The call fails when it is replayed, and what it was meant "
    "to do is missing from the target state.",
    "Add the argument, or mark it as optional in the tool table.",
)
EXTRA = Rule(
    "gold-argument-unknown",
    "A gold action has an argument that its tool does not take",
    Severity.ERROR,
    Certainty.PROVED,
    "No parameter of the tool has this name. The call fails when it is replayed, and an agent's call that is right "
    "can't be equal to it. Often the name is misspelt.",
    "Correct the argument's name, or remove it.",
)
TYPE = Rule(
    "gold-argument-type",
    "A gold argument is of another type than its tool takes",
    Severity.ERROR,
    Certainty.PROVED,
    "The tool table gives another type. Depending on the tool the call fails, or it stores a value that no agent "
    'who keeps to the tool\'s signature can store, such as the text "3" for the number 3.',
    "Write the value in the parameter's type.",
)
ENUM = Rule(
    "gold-argument-enum",
    "A gold argument is none of the values that its tool allows",
    Severity.ERROR,
    Certainty.PROVED,
    "The tool table lists the values that the parameter takes, and this is none of them. The call fails when it is "
    "replayed, or leaves a state that no agent can reach.",
    "Write one of the allowed values.",
)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the gold calls that do not fit the tool table; nothing without a table."""
    world = world_of(subject)
    if not world.tools:
        return
    for calls in world.calls.values():
        for call in calls:
            tool = world.tools.get((call.caller, call.name))
            yield from _fit(call, tool) if tool else [_unknown(call, world)]


def _unknown(call: Call, world: World) -> Finding:
    other = next((caller for caller, name in world.tools if name == call.name), None)
    close = difflib.get_close_matches(call.name, [name for caller, name in world.tools if caller == call.caller], n=1)
    hint = f"; only the {other} has it" if other else f"; {close[0]} comes close" if close else ""
    return report(
        UNKNOWN_TOOL,
        f"The {call.caller} has no tool {show(call.name)!r}{hint}.",
        origin=call.action.origin,
        subject=f"{call.caller} {call.name}",
        evidence=(("tool", show(call.name)), ("caller", call.caller)),
    )


def _fit(call: Call, tool: Tool) -> Iterator[Finding]:
    known = {parameter.name: parameter for parameter in tool.parameters}
    for parameter in tool.parameters:
        if parameter.is_required and parameter.name not in call.arguments:
            yield _finding(MISSING, call, parameter.name, f"{tool.name} needs the argument {parameter.name!r}")
    for name, value in call.arguments.items():
        if name not in known:
            close = difflib.get_close_matches(name, list(known), n=1)
            hint = f"; {close[0]!r} comes close" if close else ""
            yield _finding(EXTRA, call, name, f"{tool.name} takes no argument {show(name)!r}{hint}")
            continue
        problem = misfit(value, known[name].type)
        if problem is not None:
            rule = ENUM if problem.is_enum else TYPE
            what = f"{tool.name}({name}) takes {problem.wanted}, not {show(problem.value)!r}"
            yield _finding(rule, call, name, what, evidence=(("value", show(problem.value)), ("type", problem.wanted)))


def _finding(rule: Rule, call: Call, name: str, what: str, *, evidence: tuple[tuple[str, str], ...] = ()) -> Finding:
    value = call.arguments.get(name)
    return report(
        rule,
        f"{what}.",
        origin=inside(call.origin, name) if name in call.arguments else call.origin,
        subject=f"{call.name} {name} {show(value)}",
        evidence=(("tool", call.name), ("argument", show(name)), *evidence),
    )


CHECK = Check("signatures", (UNKNOWN_TOOL, MISSING, EXTRA, TYPE, ENUM), inspect)

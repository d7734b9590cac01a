"""Tools that gold actions hand out and never use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.checks.protocol import Check, Subject
from audit.checks.raw import as_object, inside, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Action, Benchmark, Origin

UNUSED = Rule(
    "gold-unlocks-unused-tool",
    "A gold action hands out a tool that no gold action uses",
    Severity.WARNING,
    Certainty.LIKELY,
    "In this benchmark a tool must be unlocked or handed over before it is called. Gold does so, and then never "
    "calls it. Mostly the call itself was forgotten: what it would look up, or change, is then missing from the gold "
    "actions, and an agent that does the whole task is measured against half of it. It is a false alarm where the "
    "handing out is all that the task asks for.",
    "Add the call, or drop the action that hands the tool out.",
)


@dataclass(frozen=True, slots=True)
class _Named:
    """A gold action that names a tool in one of its arguments."""

    action: Action
    tool: str
    argument: str
    carries: bool
    """Whether another argument holds an object: the named tool's own arguments."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the tools that are handed out by one tool and called by none of those that call others."""
    known = frozenset(tool.name for tool in subject.benchmark.tools)
    named = {task.id: tuple(_named(task.actions or (), known)) for task in subject.benchmark.tasks}
    callers = _callers(subject.benchmark, named)
    if not callers:
        return
    for task in subject.benchmark.tasks:
        used = {one.tool for one in named[task.id] if one.action.name in callers}
        used |= {action.name for action in task.actions or ()}
        for one in {one.tool: one for one in named[task.id] if one.tool not in used}.values():
            yield _finding(one)


def _named(actions: Sequence[Action], known: frozenset[str]) -> Iterator[_Named]:
    for action in actions:
        for name, value in action.arguments.items():
            if isinstance(value, str) and value in known and value != action.name:
                others = [other for key, other in action.arguments.items() if key != name]
                yield _Named(action, value, name, any(as_object(other) is not None for other in others))


def _callers(benchmark: Benchmark, named: Mapping[str, Sequence[_Named]]) -> frozenset[str]:
    """Return the tools that call others: gold gives them a tool's name with its arguments somewhere in the set."""
    return frozenset(one.action.name for task in benchmark.tasks for one in named[task.id] if one.carries)


def _finding(one: _Named) -> Finding:
    origin: Origin = inside(one.action.origin, f"arguments.{one.argument}")
    return report(
        UNUSED,
        f"{one.action.name} hands out {show(one.tool)}, and no gold action calls it.",
        origin=origin,
        subject=f"{one.action.name} {show(one.tool)}",
        evidence=(("handed out", show(one.tool)), ("by", one.action.name)),
    )


CHECK = Check("unused_tools", (UNUSED,), inspect)

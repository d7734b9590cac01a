"""Tools that gold actions hand out and never use, and tools that no document of the task tells of."""

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
UNDOCUMENTED = Rule(
    "gold-tool-undocumented",
    "Gold uses a tool of which no document of the task tells",
    Severity.WARNING,
    Certainty.LIKELY,
    "In this benchmark tools are called by name through another tool, and an agent learns the names from the policy "
    "and the documents that a task comes with. Nothing that this task comes with names the tool, though nearly all "
    "other tasks are given the names that their gold needs. Mostly a document is missing from the task's list. It is a "
    "false alarm where agents search all documents, whatever the task lists.",
    "Add the document that names the tool to the task's list, or drop the action.",
)
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class _Named:
    """A gold action that names a tool in one of its arguments."""

    action: Action
    tool: str
    argument: str
    carries: bool
    """Whether another argument holds an object: the named tool's own arguments."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the tools that are handed out by one tool and called by none of those that call others, and the tools that
    are named by gold alone.
    """
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
    yield from _undocumented(subject.benchmark, named)


def _undocumented(benchmark: Benchmark, named: Mapping[str, Sequence[_Named]]) -> Iterator[Finding]:
    """Yield the tools that their task's policy does not name, where policies differ and nearly all name them."""
    if all(task.policy is None for task in benchmark.tasks):
        return
    first = {(task.id, one.tool): (task, one) for task in benchmark.tasks for one in reversed(named[task.id])}
    missing = [(task, one) for task, one in first.values() if one.tool not in benchmark.policy_of(task).text]
    if len(missing) <= (1 - _MOSTLY) * len(first):
        for _, one in missing:
            yield report(
                UNDOCUMENTED,
                f"Gold uses {show(one.tool)}, which nothing that the task comes with names.",
                origin=inside(one.action.origin, f"arguments.{one.argument}"),
                subject=show(one.tool),
                evidence=(("tool", show(one.tool)), ("by", one.action.name)),
            )


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


CHECK = Check("unused_tools", (UNUSED, UNDOCUMENTED), inspect)

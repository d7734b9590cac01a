"""Gold writes to the same rows twice: in two steps where one does, or there and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from audit.checks.layout import criterion_place
from audit.checks.list_orders import write_action
from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, show
from audit.checks.world import world_of
from audit.environments.protocol import Environment, Outcome
from audit.environments.replay import Replay, run_calls
from audit.environments.view import differences
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Task, ToolKind

TWO_STEPS = Rule(
    "gold-two-steps-for-one",
    "Gold makes two calls where one does the same, and the target tells them apart",
    Severity.WARNING,
    Certainty.LIKELY,
    "Two gold calls of one tool change the same row. Without the first, the second leaves every value as wanted, and "
    "only a stored list, such as a history of payments, is another. So an agent that makes one call serves the user "
    "as well and is marked wrong. Where the user's script asks for the steps one after the other, this is a note.",
    "Let the user ask for the two steps, make one call of them, or leave the history out of the comparison.",
)
UNDONE = Rule(
    "gold-write-undone",
    "Gold changes a row and then changes it back",
    Severity.WARNING,
    Certainty.LIKELY,
    "A row that gold actions write to ends as it began, and these calls leave no trace elsewhere. The target can't "
    "tell an agent that does both steps from one that does neither, and how far a user who takes a wish back lets the "
    "agent go first is left to chance: one who does so early keeps the agent from the calls between.",
    "Say in the script when the user takes the wish back, and score something that shows both steps.",
)
_IN_STEPS = re.compile(
    r"\b(separate(?:ly)?|one after the other|two steps|step by step|first\b.{1,200}?\b(?:then|afterwards?|next))\b",
    re.IGNORECASE | re.DOTALL,
)
_MAX_WRITES = 40


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield what a replay of the gold actions shows; nothing without an environment."""
    environment = subject.environment
    if environment is None:
        return
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        run = world.replay(task)
        if run is not None:
            yield from _two_steps(environment, task, run)
            yield from _undone(environment, task, run)


def _writes(environment: Environment, run: Replay) -> list[tuple[int, Outcome]]:
    made = [(n, one) for n, one in enumerate(run.outcomes) if one.changed and not one.error]
    return [(n, one) for n, one in made if environment.kind_of(one.action) is ToolKind.WRITE]


def _two_steps(environment: Environment, task: Task, run: Replay) -> Iterator[Finding]:
    writes = _writes(environment, run)[:_MAX_WRITES]
    for (position, one), (_, other) in pairwise(writes):
        if one.action.name == other.action.name and set(one.changed) & set(other.changed):
            listed = _only_lists(environment, run, position)
            if listed:
                yield _step_finding(task, one, other, listed)


def _only_lists(environment: Environment, run: Replay, position: int) -> str:
    """Return the stored list that alone is another without the call at ``position``; empty if more or nothing is."""
    rest = [outcome.action for outcome in run.outcomes[position + 1 :]]
    outcomes = run_calls(environment, rest, state=run.state_before(position))
    failed = [outcome.error for outcome in outcomes] != [outcome.error for outcome in run.outcomes[position + 1 :]]
    if failed or not outcomes:
        return ""
    final = outcomes[-1].state
    fields: set[str] = set()
    for table, key in differences(run.final, final):
        left, right = (
            {leaf.path: leaf.value for leaf in leaves(state.get(table, {}).get(key))} for state in (run.final, final)
        )
        paths = [path for path in {**left, **right} if left.get(path) != right.get(path)]
        if not all("[" in path for path in paths) or _is_as_long(left, right, paths):
            return ""
        fields |= {f"{table} {key} {path.partition('[')[0]}" for path in paths}
    return min(fields) if len(fields) == 1 else ""


def _is_as_long(left: Mapping[str, Json], right: Mapping[str, Json], paths: Sequence[str]) -> bool:
    """Return whether no entry is missing on one side: then entries differ, which is more than a longer history."""
    return all(path in left and path in right for path in paths)


def _step_finding(task: Task, one: Outcome, other: Outcome, listed: str) -> Finding:
    finding = report(
        TWO_STEPS,
        f"{one.action.name} is called twice; the second call alone leaves the same, but for {show(listed)}.",
        origin=one.action.origin,
        subject=write_action(one.action),
        evidence=(("first", show(write_action(one.action))), ("second", show(write_action(other.action)))),
    )
    if _IN_STEPS.search(task.description_text):
        return replace(finding, severity=Severity.NOTE, what=f"{finding.what} The script speaks of steps.")
    return finding


def _undone(environment: Environment, task: Task, run: Replay) -> Iterator[Finding]:
    """Yield the rows that calls change there and back; calls that leave a trace in another row are no detour."""
    left = set(differences(run.initial, run.final))
    if not left:  # the whole target is the initial state, which another rule reports
        return
    names: dict[tuple[str, str], list[str]] = {}
    for _, outcome in _writes(environment, run):
        for ref in outcome.changed if left.isdisjoint(outcome.changed) else ():
            names.setdefault(ref, []).append(outcome.action.name)
    for (table, key), made in names.items():
        if len(made) > 1:
            yield report(
                UNDONE,
                f"{show(', '.join(dict.fromkeys(made)))} change {table} {show(key)}, which ends as it began.",
                origin=criterion_place(task, "actions"),
                subject=f"{table} {key}",
                evidence=(("row", f"{table} {key}"), ("calls", show(", ".join(made)))),
            )


CHECK = Check("detours", (TWO_STEPS, UNDONE), inspect)

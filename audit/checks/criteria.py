"""τ-style criteria: what a task is scored by, and criteria that are never scored, empty or can't be met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from audit.checks.layout import (
    CRITERIA,
    PLAIN,
    criterion,
    criterion_name,
    criterion_path,
    criterion_place,
    has_criteria,
    is_flat,
)
from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, items, set_place, show, texts
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Benchmark, Json, Task, ToolKind

DEFAULT_BASIS: Final = ("DB", "COMMUNICATE")
"""What counts where a task does not say."""
FIELDS: Final = {
    "ENV_ASSERTION": "env_assertions",
    "COMMUNICATE": "communicate_info",
    "NL_ASSERTION": "nl_assertions",
    "ACTION": "actions",
}
"""Component of the reward to the field that it scores; ``DB`` scores the state that ``actions`` lead to."""
_WHOLE_SET: Final = 3
"""From so many tasks on, what holds for most of those with the criterion is said once for the set."""

DEAD = Rule(
    "dead-criterion",
    "A criterion is filled in and never scored",
    Severity.WARNING,
    Certainty.PROVED,
    "The task states something that an agent must do, but its reward basis leaves this kind of criterion out, so an "
    "agent that ignores it gets full marks. Where most tasks of the set that have such a criterion are concerned, this "
    "is one finding for the set. A string to tell the user is let pass where an assertion that is scored repeats it. "
    "An assertion beside gold actions that change the database is a note: the target state, which is scored, mostly "
    "says the same.",
    "Add the component to the reward basis, or remove the criterion.",
)
VACUOUS = Rule(
    "vacuous-criterion",
    "A component of the reward has nothing to check",
    Severity.NOTE,
    Certainty.PROVED,
    "The reward basis names a kind of criterion that the task leaves empty, so this factor is 1 for every agent. It "
    "does no harm by itself, but the task measures less than its basis claims. Many sets write one basis for all "
    "tasks; then this is one finding for the set.",
    "Fill the criterion in, or leave the component out of the basis.",
)
NOTHING = Rule(
    "no-criteria",
    "The task has no criteria at all",
    Severity.WARNING,
    Certainty.PROVED,
    "There are no gold actions, nothing to tell the user, and no assertions. Where an empty list of gold actions is "
    "scored by the database, the task says at least that nothing may change, which an agent that does nothing "
    "achieves, and this is a note. Without any list of criteria every run counts as a success, and this is an error.",
    "State what a correct agent does: at least one assertion that a refusal is given or a fact is told.",
)
COMMA = Rule(
    "communicate-with-comma",
    "A string that must be told contains a comma and can never be found",
    Severity.ERROR,
    Certainty.PROVED,
    "Commas are taken out of the agent's messages before the string is looked for, but not out of the string itself. "
    "So no agent can satisfy this criterion. It is a false alarm only with a scorer that treats both alike.",
    "Write the value without commas, such as 1234.50.",
)
SENTENCE = Rule(
    "communicate-sentence",
    "A string that must be told is a sentence",
    Severity.WARNING,
    Certainty.LIKELY,
    "The string must occur in an agent's message letter by letter. An agent that says the same in other words fails. "
    "Mostly such a string was meant as an assertion for a judge.",
    "Move it to nl_assertions, or reduce it to the value that must be told.",
)
SHORT = Rule(
    "communicate-short-string",
    "A string that must be told is so short that it occurs by accident",
    Severity.NOTE,
    Certainty.LIKELY,
    "One or two characters are part of many dates, amounts and ids, so almost every talk satisfies the criterion, "
    "whether the agent told the fact or not. An empty string is found in every message, and this is a warning.",
    "Ask for a longer form of the value, or let a judge decide.",
)


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a τ-style task is scored by.

    Parameters
    ----------
    basis
        Components whose product is the reward.
    values
        Component to the entries of its field; ``None`` where the field is absent or null, which is not empty.
    is_written
        Whether the task has an object of criteria at all; without one every run gets full reward.
    """

    basis: tuple[str, ...]
    values: Mapping[str, Sequence[Json] | None]
    is_written: bool

    def entries(self, component: str) -> Sequence[Json]:
        """Return the entries of a component's field."""
        return self.values[component] or ()


def read_criteria(task: Task) -> Criteria:
    """Return a τ-style task's criteria as parsed; entries of the wrong type are kept as they are."""
    fields = {name: criterion(task, field) for name, field in FIELDS.items()}
    values = {name: None if value is None else items(value) for name, value in fields.items()}
    written = criterion(task, "reward_basis")
    basis = list(DEFAULT_BASIS) if written is None else texts(written)
    is_written = is_flat(task) or isinstance(child(task.raw, CRITERIA), Mapping)
    return Criteria(tuple(dict.fromkeys(basis)), values, is_written)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the criteria that are dead, empty, missing or out of reach."""
    if subject.benchmark.format == PLAIN:
        yield from _unsaid(subject.benchmark)
    if not has_criteria(subject.benchmark):
        return
    criteria = {task.id: read_criteria(task) for task in subject.benchmark.tasks}
    yield from _dead(subject.benchmark, criteria)
    yield from _vacuous(subject.benchmark, criteria)
    for task in subject.benchmark.tasks:
        yield from _missing(task, criteria[task.id])
        yield from _strings(task, criteria[task.id])


def _unsaid(benchmark: Benchmark) -> Iterator[Finding]:
    for task in benchmark.tasks:
        if not task.behavior:
            what = "The row says nothing of what is expected: no behavior and no gold actions."
            yield report(NOTHING, what, origin=task.origin, subject="no criteria")


def _dead(benchmark: Benchmark, criteria: Mapping[str, Criteria]) -> Iterator[Finding]:
    for component, field in FIELDS.items():
        filled = [task for task in benchmark.tasks if criteria[task.id].entries(component)]
        dead = [task for task in filled if not _is_scored(component, criteria[task.id])]
        is_set = len(dead) >= _WHOLE_SET and 2 * len(dead) > len(filled)
        if is_set:
            what = f"{field} of {len(dead)} of the {len(filled)} tasks that have them are never scored."
            yield _of_set(DEAD, benchmark, what, component=component, tasks=dead)
        for task in dead:
            if component == "COMMUNICATE" or not is_set:
                yield from _dead_in(task, criteria[task.id], component=component)


def _is_scored(component: str, criteria: Criteria) -> bool:
    return component in criteria.basis or (component == "ACTION" and "DB" in criteria.basis)


def _dead_in(task: Task, criteria: Criteria, *, component: str) -> Iterator[Finding]:
    entries = criteria.entries(component)
    if component == "COMMUNICATE":
        scored = " ".join(texts(criteria.entries("NL_ASSERTION"))) if "NL_ASSERTION" in criteria.basis else ""
        entries = [entry for entry in entries if not (isinstance(entry, str) and _repeats(scored, entry))]
    if entries:
        finding = report(
            DEAD,
            f"{FIELDS[component]} is filled in, but {component} is not in the reward basis.",
            origin=criterion_place(task, FIELDS[component]),
            subject=component,
            evidence=(("basis", ", ".join(criteria.basis)), *(("not scored", show(entry)) for entry in entries[:3])),
        )
        is_shown = component != "COMMUNICATE" and "DB" in criteria.basis and _writes(task)
        yield replace(finding, severity=Severity.NOTE) if is_shown else finding


def _writes(task: Task) -> bool:
    return any(action.kind is ToolKind.WRITE for action in task.actions or ())


def _repeats(scored: str, value: str) -> bool:
    return value.lower() in scored.lower().replace(",", "")


def _vacuous(benchmark: Benchmark, criteria: Mapping[str, Criteria]) -> Iterator[Finding]:
    written = [task for task in benchmark.tasks if criteria[task.id].is_written]
    for component, field in FIELDS.items():
        scored = [task for task in written if component in criteria[task.id].basis]
        empty = [task for task in scored if not criteria[task.id].entries(component)]
        if len(empty) >= _WHOLE_SET and 2 * len(empty) > len(scored):
            lacking = f"{len(empty)} have no {criterion_name(empty[0], field)}"
            what = f"{component} is in the reward basis of {len(scored)} tasks, and {lacking}."
            yield _of_set(VACUOUS, benchmark, what, component=component, tasks=empty)
            continue
        for task in empty:
            yield report(
                VACUOUS,
                f"{component} is in the reward basis, but the task has no {criterion_name(task, field)}.",
                origin=criterion_place(task, field),
                subject=component,
                evidence=(("basis", ", ".join(criteria[task.id].basis)),),
            )


def _of_set(rule: Rule, benchmark: Benchmark, what: str, *, component: str, tasks: Sequence[Task]) -> Finding:
    origin = set_place(benchmark, criterion_path(benchmark.tasks[0], FIELDS[component]))
    ids = ", ".join(task.id for task in tasks[:10]) + (", …" if len(tasks) > 10 else "")
    return report(rule, what, origin=origin, subject=component, evidence=(("tasks", show(ids)),))


def _missing(task: Task, criteria: Criteria) -> Iterator[Finding]:
    if any(criteria.entries(component) for component in FIELDS):
        return
    finding = report(
        NOTHING,
        "The task has no gold actions, nothing to tell and no assertions.",
        origin=criterion_place(task),
        subject="no criteria",
    )
    if not criteria.is_written:
        yield replace(finding, severity=Severity.ERROR, what="The task has no criteria: every run is a success.")
    elif criteria.values["ACTION"] is not None and "DB" in criteria.basis:
        what = "The task has no gold actions, nothing to tell and no assertions: only a change of the database fails."
        yield replace(finding, severity=Severity.NOTE, what=what)
    else:
        yield finding


def _strings(task: Task, criteria: Criteria) -> Iterator[Finding]:
    if "COMMUNICATE" not in criteria.basis:
        return
    strings = [(at, value) for at, value in enumerate(criteria.entries("COMMUNICATE")) if isinstance(value, str)]
    for position, value in strings:
        for rule, what in _problems(value):
            finding = report(
                rule,
                what,
                origin=criterion_place(task, FIELDS["COMMUNICATE"], position=position),
                subject=value,
                evidence=(("must be told", show(value)),),
            )
            yield finding if value.strip() else replace(finding, severity=Severity.WARNING)


def _problems(value: str) -> Iterator[tuple[Rule, str]]:
    if "," in value:
        yield COMMA, f"{show(value)!r} contains a comma and is never found in an agent's message."
    if len(value.split()) > 3:
        yield SENTENCE, f"{show(value)!r} must occur word for word in an agent's message."
    if len(value.strip()) <= 2:
        yield SHORT, f"{show(value)!r} occurs by accident in many messages."


CHECK = Check("criteria", (DEAD, VACUOUS, NOTHING, COMMA, SENTENCE, SHORT), inspect)

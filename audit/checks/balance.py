"""Which kinds of outcome the tasks of a benchmark expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from audit.checks.protocol import Check, Subject
from audit.checks.raw import set_place
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Task, ToolKind

BALANCE = Rule(
    "outcome-balance",
    "One kind of expected outcome dominates, or is absent",
    Severity.NOTE,
    Certainty.PROVED,
    "Tasks expect one of four outcomes: a change of the database, a hand-over to a person, reading without a change, "
    "or no call at all. Where one is missing, the benchmark says nothing about it; where one makes up nearly all "
    "tasks, an agent that always does this scores well. Small sets are not reported.",
    "Add tasks of the kinds that are missing, or say that they are out of scope.",
)
OUTCOMES = ("change", "hand-over", "reading only", "no call")
_DOMINANT, _MIN_TASKS = 0.9, 20
_TRANSFER = ("transfer", "escalate", "hand_over", "handover")


def outcome_of(task: Task) -> str | None:
    """Return which of :data:`OUTCOMES` the gold actions of a task lead to; ``None`` if it has no list of them."""
    if task.actions is None:
        return None
    if any(action.kind is ToolKind.WRITE for action in task.actions):
        return "change"
    if any(action.name.lower().startswith(_TRANSFER) for action in task.actions):
        return "hand-over"
    return "reading only" if task.actions else "no call"


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield one finding if the outcomes of 20 tasks or more are one-sided."""
    tasks = subject.benchmark.tasks
    counts = Counter(outcome for task in tasks if (outcome := outcome_of(task)) is not None)
    if counts.total() < _MIN_TASKS or not any(tool.kind is ToolKind.WRITE for tool in subject.benchmark.tools):
        return
    has_transfer = any(tool.name.lower().startswith(_TRANSFER) for tool in subject.benchmark.tools)
    absent = [] if counts["change"] else ["change"]
    absent += ["hand-over"] if has_transfer and not counts["hand-over"] else []
    absent += [] if counts["reading only"] + counts["no call"] else ["no change"]
    dominant = [name for name in OUTCOMES if counts[name] >= _DOMINANT * counts.total()]
    if absent or dominant:
        shown = ", ".join(f"{name} {counts[name]}" for name in OUTCOMES)
        what = [f"no task expects {name!r}" for name in absent] + [f"nearly all expect {name!r}" for name in dominant]
        yield report(
            BALANCE,
            f"Of {counts.total()} tasks {'; '.join(what)}.",
            origin=set_place(subject.benchmark),
            subject="balance",
            evidence=(("tasks by expected outcome", shown),),
        )


CHECK = Check("balance", (BALANCE,), inspect)

"""Amounts that an agent must name as given back, where gold gives nothing back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.layout import criterion, criterion_place
from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, show, texts
from audit.checks.sentences import sentences_of
from audit.checks.world import world_of
from audit.databases.tables import Ref
from audit.environments.protocol import State
from audit.environments.replay import Replay
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, PartKind, Task

NOTHING_BACK = Rule(
    "communicate-nothing-given-back",
    "The agent must name what the user gets back, and gold gives nothing back",
    Severity.WARNING,
    Certainty.LIKELY,
    "The script asks how much the user gets back, and an amount must be communicated. But replaying the gold actions "
    "changes no number of any row, and nothing is cancelled, returned or paid back. An agent that does what gold does "
    "has no such amount to tell. It is a false alarm where the user only asks what a refund would come to.",
    "Drop the amount, or add the action that gives it back.",
)
_ASKS = re.compile(
    r"\b(?:know|tell\w*|ask\w*|confirm\w*|how much|what)\b[^.?!]*"
    r"\b(?:get back|refund\w*|paid back|money back)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\$?\s?\d[\d,]*(?:\.\d+)?")
_BACK = re.compile(r"return|refund|cancel|credit|reimburs|compensat|paid back|pay_?back", re.IGNORECASE)
_LEAST = 20
"""Smaller numbers are counts as often as amounts, unless they have cents."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the amounts to communicate of tasks that ask for what they get back, where gold gives nothing back."""
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        amounts = [
            (at, value) for at, value in enumerate(texts(criterion(task, "communicate_info"))) if _is_amount(value)
        ]
        run = world.replay(task) if amounts and task.actions is not None else None
        asked = _asked(task) if run is not None else ""
        if not asked or run is None or any(outcome.error for outcome in run.outcomes) or _gives_back(run):
            continue
        for at, value in amounts:
            yield report(
                NOTHING_BACK,
                f"The agent must say {show(value)!r}, and the gold actions give nothing back.",
                origin=criterion_place(task, "communicate_info", position=at),
                subject=show(value),
                evidence=(("value", show(value)), ("script", show(asked))),
            )


def _is_amount(value: str) -> bool:
    match = _AMOUNT.fullmatch(value.strip())
    number = float(re.sub(r"[$,\s]", "", value)) if match and len(value) <= _LEAST else 0.0
    return number > _LEAST or ("." in value and number > 0)


def _asked(task: Task) -> str:
    parts = [part for part in task.description if part.kind is PartKind.SCENARIO]
    return next((said for part in parts for said in sentences_of(part.text) if _ASKS.search(said)), "")


def _gives_back(run: Replay) -> bool:
    """Return whether a call is named for giving something back, or changes a number or a text that speaks of it."""
    for outcome in run.outcomes:
        if outcome.changed and _BACK.search(outcome.action.name):
            return True
    refs = {ref for outcome in run.outcomes for ref in outcome.changed}
    changes = {leaf for ref in refs for leaf in _leaves(run.initial, ref) ^ _leaves(run.final, ref)}
    return any(isinstance(value, int | float) or _BACK.search(f"{path} {value}") for path, value in changes)


def _leaves(state: State, ref: Ref) -> set[tuple[str, Json]]:
    table, key = ref
    row = state[table][key] if table in state and key in state[table] else None
    return {(leaf.path, leaf.value) for leaf in leaves(row)}


CHECK = Check("given_back", (NOTHING_BACK,), inspect)

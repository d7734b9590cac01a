"""Assertions about what the agent does, against the gold actions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, leaves, place, show, texts
from audit.checks.sentences import sentences_of
from audit.checks.world import World, world_of
from audit.databases.words import tokens
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Task, ToolKind

NOT_DONE = Rule(
    "assertion-without-action",
    "An assertion says that the agent changes a row, and no gold action does",
    Severity.WARNING,
    Certainty.LIKELY,
    "The assertion names a row by its id and says that the agent cancels, changes or books something there; no "
    "writing gold action names this row. The target state and the assertion then ask for different things, and no "
    "agent can meet both. It is a false alarm where the sentence means something else than a change.",
    "Add the gold action, or correct the assertion.",
)
FORBIDDEN = Rule(
    "assertion-forbids-action",
    "An assertion says that the agent must not do what a gold action does",
    Severity.WARNING,
    Certainty.LIKELY,
    "The assertion says that the agent does not do something to a row, and a gold action with the same verb in its "
    "tool's name does it to this row. The target state and the assertion exclude each other.",
    "Remove the gold action, or correct the assertion.",
)
_DO = re.compile(
    r"\b(cancel|update|change|modif|book|renew|pay|waive|add|remove|return|exchange|place|issue|upgrade|downgrade|move|"
    r"delete|create|replace|close|refund)\w*",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(not|never|no|without|cannot|refus\w*|den\w+|declin\w*|only after|unless|if)\b|n't\b", re.I)
_OTHER = re.compile(
    r"\b(ask|tell|say|inform|explain|mention|communicat|check|verif|confirm|look|detect|realiz|offer)\w*", re.I
)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the assertions that the gold actions contradict."""
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        if task.actions is None:
            continue
        for position, assertion in enumerate(texts(child(task.raw, "evaluation_criteria", "nl_assertions"))):
            for sentence in sentences_of(assertion):
                yield from _inspect(world, task, sentence, f"evaluation_criteria.nl_assertions[{position}]")


def _inspect(world: World, task: Task, sentence: str, field: str) -> Iterator[Finding]:
    verbs = [verb.lower() for verb in _DO.findall(sentence)]
    rows = [word for word in tokens(sentence) if any(ref in world.owner_of for ref in world.index.by_key.get(word, ()))]
    if not verbs or not rows or _OTHER.search(sentence):
        return
    is_denied = _NOT.search(sentence) is not None
    for row in rows:
        calls = [name for name, named in _writes(world, task) if row in named]
        same = [name for name in calls if any(verb in name for verb in verbs)]
        if (
            is_denied
            and same
            and re.search(rf"\b(?:should|must|does|do)\s*(?:not|n't)\s+(?:{'|'.join(verbs)})", sentence)
        ):
            yield _finding(FORBIDDEN, task, (sentence, field), f"forbids what the gold action {same[0]} does to {row}")
        elif not is_denied and not calls:
            yield _finding(NOT_DONE, task, (sentence, field), f"changes {row}, and no gold action does")


def _writes(world: World, task: Task) -> Iterator[tuple[str, set[str]]]:
    for call in world.calls[task.id]:
        if call.action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN):
            yield call.name, {leaf.value for leaf in leaves(dict(call.arguments)) if isinstance(leaf.value, str)}


def _finding(rule: Rule, task: Task, said: tuple[str, str], what: str) -> Finding:
    sentence, field = said
    return report(
        rule,
        f"The assertion {show(sentence)!r} {what}.",
        origin=place(task, field),
        subject=f"{what} {show(sentence)}",
        evidence=(("assertion", show(sentence)),),
    )


CHECK = Check("assertions", (NOT_DONE, FORBIDDEN), inspect)

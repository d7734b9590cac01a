"""Answers that stand where the simulated user reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.layout import criterion, criterion_name
from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, leaves, row_leaves, show, texts
from audit.checks.references import says
from audit.checks.sentences import sentences_of
from audit.checks.shingles import shingles
from audit.checks.world import World, world_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Part, PartKind, Task, ToolKind

TOLD = Rule(
    "answer-in-script",
    "The script holds what the agent must find out and say",
    Severity.NOTE,
    Certainty.LIKELY,
    "A string that the agent must communicate stands in the user's script. A simulated user may say it first, and an "
    "agent that repeats it meets the criterion without having found it. It is a false alarm where the user gives the "
    "value on purpose, such as a limit.",
    "Take the value out of the script.",
)
DUTY = Rule(
    "script-tells-agent-duty",
    "The script tells the user what the agent ought to do",
    Severity.NOTE,
    Certainty.LIKELY,
    "A sentence of the user's script says what the agent should or must do, or that something is a test. A simulated "
    "user who knows the right outcome tends to steer the agent to it, or to accept nothing else. It is a false alarm "
    "where the sentence is what the user demands.",
    "Move the sentence into the notes or the criteria.",
)
NOTES = Rule(
    "notes-in-script",
    "The script repeats the annotator's notes",
    Severity.WARNING,
    Certainty.LIKELY,
    "A long run of words of the purpose or the notes, which say what the task tests, stands in the user's script as "
    "well. The simulated user then knows what is expected of the agent.",
    "Write the script from the user's point of view only.",
)
GOLD_ID = Rule(
    "gold-only-id-in-script",
    "The script holds an id that only the gold actions know",
    Severity.NOTE,
    Certainty.LIKELY,
    "The user's script names the id of a thing that no row of the user's leads to and that a gold action writes, such "
    "as the very flight to book. The agent need not search for it. It can be intended, and where more than one task in "
    "ten does so, it is the style of the benchmark and is not reported.",
    "Let the user describe what is wanted instead.",
)
_DUTY = re.compile(
    r"\b(?:the |service |support )?(?:agent|assistant|representative|chatbot|bot)\s+"
    r"(?:should|must|is supposed to|is expected to|ought to|is not allowed to|is required to)\b"
    r"|\b(?:meant|intended|designed) to test\b|\bthis is (?:only )?a test\b|\bexpected (?:answer|outcome|behaviou?r)\b",
    re.IGNORECASE,
)
_SILENCE = re.compile(
    r"\b(?:never|not|don't|avoid|without)\s+(?:\w+\s+){0,2}?"
    r"(?:hint\w*|tell\w*|say\w*|reveal\w*|mention\w*|suggest\w*|giv(?:e|ing) away|let on)\s+"
    r"(?:\w+\s+){0,2}?(?:what|how|which|whether)\b",
    re.IGNORECASE,
)
"""An order to keep it to oneself tells no outcome."""
_RARE = 0.1
_LONG = 10
"""Runs of three words, one after the other, that script and notes must share."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the answers and notes that stand in scripts."""
    world = world_of(subject)
    named: list[Finding] = []
    for task in subject.benchmark.tasks:
        told = [part for part in task.description if part.kind in (PartKind.PERSONA, PartKind.SCENARIO)]
        yield from _communicated(task, told)
        yield from _duties(told)
        yield from _notes(task, told)
        named += _ids(world, task, told)
    if len({finding.task_id for finding in named}) <= _RARE * len(subject.benchmark.tasks):
        yield from named


def _communicated(task: Task, told: list[Part]) -> Iterator[Finding]:
    named = criterion_name(task, "communicate_info")
    for position, value in enumerate(texts(criterion(task, "communicate_info"))):
        part = next((part for part in told if len(value.strip()) > 2 and says(part.text, value.strip())), None)
        if part is not None:
            yield report(
                TOLD,
                f"The agent must say {show(value)!r}, which stands in the script.",
                origin=part.origin,
                subject=show(value),
                evidence=(
                    ("value", show(value)),
                    (
                        "criterion",
                        f"{named}[{position}]",
                    ),
                ),
            )


def _duties(told: list[Part]) -> Iterator[Finding]:
    for part in told:
        for sentence in sentences_of(part.text):
            if _DUTY.search(sentence) and not _SILENCE.search(sentence):
                yield report(
                    DUTY,
                    f"The script says {show(sentence)!r}.",
                    origin=part.origin,
                    subject=show(sentence),
                    evidence=(("sentence", show(sentence)),),
                )


def _notes(task: Task, told: list[Part]) -> Iterator[Finding]:
    for field in ("purpose", "notes"):
        note = child(task.raw, "description", field)
        known = shingles(note) if isinstance(note, str) else frozenset()
        for part in told if len(known) >= _LONG else ():
            shared = known & shingles(part.text)
            if len(shared) >= max(_LONG, len(known) // 2):
                yield report(
                    NOTES,
                    f"The script repeats {len(shared)} of {len(known)} runs of three words of the task's {field}.",
                    origin=part.origin,
                    subject=field,
                    evidence=((field, show(note)),),
                )


def _ids(world: World, task: Task, told: list[Part]) -> Iterator[Finding]:
    own = {str(leaf.value) for row in task.rows if (row.table, row.key) in world.owner_of for leaf in row_leaves(row)}
    written = {
        leaf.value: call.name
        for call in world.calls[task.id]
        for leaf in leaves(dict(call.arguments))
        if call.action.kind is ToolKind.WRITE and isinstance(leaf.value, str) and leaf.value in world.spaces.by_id
    }
    for value, tool in written.items():
        refs = world.spaces.rows_of(value)
        is_shared = all(ref not in world.owner_of and ref[0] not in world.index.people for ref in refs)
        part = next((part for part in told if says(part.text, value)), None)
        if is_shared and part is not None and value not in own:
            yield report(
                GOLD_ID,
                f"The script names {show(value)!r}, which gold's {tool} writes and no row of the user's leads to.",
                origin=part.origin,
                subject=show(value),
                evidence=(("id", show(value)), ("tool", tool)),
            )


CHECK = Check("leaks", (TOLD, DUTY, NOTES, GOLD_ID), inspect)

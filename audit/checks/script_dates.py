"""Dates of scripts against the policy's current time: what is asked for in the past, and what has happened in the
future.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from audit.checks.dates import today_of
from audit.checks.numbers import dates_in
from audit.checks.protocol import Check, Subject
from audit.checks.raw import row_leaves, show
from audit.checks.sentences import sentences_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Part, PartKind, Task, ToolKind

AGAINST_NOW = Rule(
    "script-date-against-now",
    "A date in the user's script does not go with the policy's current time",
    Severity.WARNING,
    Certainty.LIKELY,
    "The policy states the current time. The script asks for something on a day before it, which nothing can be booked "
    "on, or tells that something has happened on a day after it. Either the day or the policy's time is wrong. A day "
    "that one of the user's rows holds is let pass. Where gold changes nothing, the request may be meant to be "
    "refused, and this is a note.",
    "Move the day to the other side of the policy's current time.",
)
_ASKS = re.compile(
    r"\b(?:book|rebook|reserve|schedule|reschedule|arrange|fly|flying|depart\w*|leav(?:e|ing)|travel|travell?ing|"
    r"arriv(?:e|ing)|mov(?:e|ing)|postpone|extend|renew|deliver|ship|pick up|check in|start|starting)\b"
    r"[^.;:!?()]{0,70}?\b(?:on|for|to|until|till|by)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:flew|landed|received|bought|purchased|borrowed|stayed|picked up|placed|(?:was|were) delivered)\b"
    r"[^.;:!?()]{0,50}?\bon\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:recent|last|past|previous\w*|earlier|ago|already|booked|reserved|was|were|had|did|same|as|like|instead of|"
    r"rather than|original\w*|if|unless|mistak\w*|wrong\w*|claim\w*|pretend\w*|lie|believ\w*|think\w*)\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:if|unless|supposed|should|would|will|claim\w*|pretend\w*|lie|lying|mistak\w*|wrong\w*|believ\w*|think\w*)\b",
    re.IGNORECASE,
)
_BEFORE = 90
"""Characters before a date in which the verb that governs it is looked for."""


@dataclass(frozen=True, slots=True)
class _Now:
    """The current day, and the days that the task's rows hold."""

    today: date
    held: frozenset[str]


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the dates of scripts that are on the wrong side of the policy's current time."""
    for task in subject.benchmark.tasks:
        today = today_of(subject.benchmark.policy_of(task))
        if today is None:
            continue
        now = _Now(today, frozenset(str(leaf.value)[:10] for row in task.rows for leaf in row_leaves(row)))
        for part in task.description:
            if part.kind is PartKind.SCENARIO:
                yield from _part(task, part, now)


def _part(task: Task, part: Part, now: _Now) -> Iterator[Finding]:
    for sentence in sentences_of(part.text):
        for text, day in dates_in(sentence, year=now.today.year):
            if day is None or day == now.today or day.isoformat() in now.held:
                continue
            before = sentence[: sentence.find(text)][-_BEFORE:]
            if day < now.today:
                asks = _ASKS.search(before)
                if asks is not None and not _PAST.search(before):
                    what = f"asks for something on {text}, before"
                    yield _weigh(task, _finding(part, what, sentence=sentence, text=text, now=now))
            elif _TELLS.search(before) and not _UNREAL.search(sentence):
                what = f"tells of something on {text}, after"
                yield _finding(part, what, sentence=sentence, text=text, now=now)


def _finding(part: Part, what: str, *, sentence: str, text: str, now: _Now) -> Finding:
    return report(
        AGAINST_NOW,
        f"The script {what} the policy's current day {now.today.isoformat()}.",
        origin=part.origin,
        subject=f"{text} {show(sentence)}",
        evidence=(("script", show(sentence)), ("current day", now.today.isoformat())),
    )


def _weigh(task: Task, finding: Finding) -> Finding:
    """Return the finding as a note where the request may be meant to be refused."""
    is_refused = not any(action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN) for action in task.actions or ())
    return replace(finding, severity=Severity.NOTE) if is_refused else finding


CHECK = Check("script_dates", (AGAINST_NOW,), inspect)

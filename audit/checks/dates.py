"""Dates that do not exist, that are past, or that are written in another way than the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache

from audit.checks.numbers import dates_in
from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, Leaf, inside, leaves, row_leaves, show
from audit.checks.world import world_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.policy import Policy
from audit.records.task import PartKind, Task, ToolKind

NO_SUCH_DAY = Rule(
    "date-does-not-exist",
    "A date does not exist",
    Severity.ERROR,
    Certainty.PROVED,
    "The calendar has no such day, for instance June 31. A call with it fails or stores nonsense, and a user who says "
    "it can't be served. Only a task that tests how agents treat impossible dates may hold one.",
    "Write the day that was meant.",
)
PAST = Rule(
    "gold-past-date",
    "A gold action writes a day that is past",
    Severity.WARNING,
    Certainty.LIKELY,
    "The policy states the current time, and a writing gold action takes an earlier day for something that no row of "
    "the task has on that day. Nothing can be booked in the past, so either the day or the policy's time is wrong. A "
    "birth date or a day that a row holds already is not reported.",
    "Write a day after the policy's current time.",
)
FORMAT = Rule(
    "gold-date-format",
    "A gold argument writes a date in another way than the others do",
    Severity.WARNING,
    Certainty.LIKELY,
    "Nearly all gold actions write this argument in one form, and this one in another. Values are compared letter by "
    "letter, so the target state can't be reached by an agent that uses the common form.",
    "Write the date in the common form.",
)
_NOW = re.compile(r"(?:current|today'?s?|present)\s+(?:date|time|day)?[^.\n]{0,60}?(\d{4}-\d\d-\d\d)", re.IGNORECASE)
_BIRTH = re.compile(r"dob|birth|born", re.IGNORECASE)
_SHAPES = {
    "YYYY-MM-DD": re.compile(r"\d{4}-\d\d-\d\d"),
    "YYYY/MM/DD": re.compile(r"\d{4}/\d\d?/\d\d?"),
    "MM/DD/YYYY": re.compile(r"\d\d?/\d\d?/\d{4}"),
    "DD.MM.YYYY": re.compile(r"\d\d?\.\d\d?\.\d{4}"),
    "YYYY-M-D": re.compile(r"\d{4}-\d\d?-\d\d?"),
    "in words": re.compile(r"[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"),
}
_COMMON, _MIN_USES = 0.8, 5
_LEAP_YEAR = 2028
"""Stands for a year that nobody names, so that February 29 passes."""


def today_of(policy: Policy) -> date | None:
    """Return the current day that a policy states; ``None`` if it states none."""
    return _today(policy.text)


@lru_cache(maxsize=256)
def _today(text: str) -> date | None:
    found = _NOW.search(text)
    return next((day for _, day in dates_in(found[1])), None) if found else None


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the faulty dates of scripts and gold actions."""
    world = world_of(subject)
    common = _common_shapes([call for calls in world.calls.values() for call in calls])
    for task in subject.benchmark.tasks:
        today = today_of(subject.benchmark.policy_of(task))
        yield from _script(task, today)
        held = {str(leaf.value)[:10] for row in task.rows for leaf in row_leaves(row)}
        for call in world.calls[task.id]:
            for leaf in leaves(dict(call.arguments)):
                if isinstance(leaf.value, str) and leaf.value:
                    yield from _argument(call, leaf, leaf.value, common)
                    if today is not None and leaf.value not in held:
                        yield from _past(call, leaf, leaf.value, today)


def _script(task: Task, today: date | None) -> Iterator[Finding]:
    year = today.year if today else _LEAP_YEAR
    for part in (part for part in task.description if part.kind is not PartKind.CONTEXT):
        for text, day in dates_in(part.text, year=year):
            if day is None:
                yield report(
                    NO_SUCH_DAY,
                    f"The script names {show(text)!r}, a day that does not exist.",
                    origin=part.origin,
                    subject=show(text),
                    evidence=(("date", show(text)),),
                )


def _argument(call: Call, leaf: Leaf, value: str, common: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    shape = _shape(value)
    origin, subject = inside(call.origin, leaf.path), f"{call.name} {leaf.name} {show(value)}"
    if shape is not None and any(day is None for _, day in dates_in(value)):
        what = f"{call.name}({leaf.name}) is {show(value)!r}, a day that does not exist."
        yield report(NO_SUCH_DAY, what, origin=origin, subject=subject, evidence=(("date", show(value)),))
    usual = common.get((call.name, leaf.name))
    if shape is not None and usual is not None and shape != usual:
        what = f"{call.name}({leaf.name}) is {show(value)!r}; the other gold actions write {usual}."
        yield report(FORMAT, what, origin=origin, subject=subject, evidence=(("date", show(value)), ("usual", usual)))


def _past(call: Call, leaf: Leaf, value: str, today: date) -> Iterator[Finding]:
    if call.action.kind is not ToolKind.WRITE or _shape(value) is None or _BIRTH.search(leaf.path):
        return
    for text, day in dates_in(value):
        if day is not None and day < today:
            yield report(
                PAST,
                f"{call.name}({leaf.name}) writes {text}, before the policy's current day {today.isoformat()}.",
                origin=inside(call.origin, leaf.path),
                subject=f"{call.name} {leaf.name} {show(value)}",
                evidence=(("date", text), ("current day", today.isoformat())),
            )


def _shape(value: str) -> str | None:
    return next((name for name, pattern in _SHAPES.items() if pattern.fullmatch(value.strip())), None)


def _common_shapes(calls: list[Call]) -> dict[tuple[str, str], str]:
    """Return how most gold actions write each argument that is a date."""
    uses: dict[tuple[str, str], Counter[str]] = {}
    for call in calls:
        for leaf in leaves(dict(call.arguments)):
            shape = _shape(leaf.value) if isinstance(leaf.value, str) else None
            if shape is not None:
                uses.setdefault((call.name, leaf.name), Counter())[shape] += 1
    found = {key: seen.most_common(1)[0] for key, seen in uses.items() if seen.total() >= _MIN_USES}
    return {key: shape for key, (shape, n) in found.items() if n >= _COMMON * uses[key].total()}


CHECK = Check("dates", (NO_SUCH_DAY, PAST, FORMAT), inspect)

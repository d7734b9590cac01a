"""Headings of policies and documents that give another figure than the text below them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from audit.checks.protocol import Check, Subject
from audit.checks.raw import show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.policy import Policy
from audit.records.task import Origin

CONTRADICTS = Rule(
    "heading-contradicts-text",
    "A heading gives a percentage that the text below it denies",
    Severity.WARNING,
    Certainty.LIKELY,
    "The heading of a section or document names a percentage, and the text below it names percentages, but never "
    "this one. Agents read one figure or the other, and the gold actions can follow only one. It is reported for "
    "every task that depends on the document. It is a false alarm where the text works the figure out or puts it "
    "into words.",
    "Make heading and text agree, and check the gold actions that follow from the figure.",
)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_PERCENT = re.compile(r"(?<![\w.])(\d{1,9}(?:\.\d{1,9})?) ?%")
_CLOSING = re.compile(r"^</[\w-]+>", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Clash:
    """A heading with its own percentages and those of the text below."""

    heading: str
    own: str
    below: str


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the headings of the shared policy, once, and those of a task's own documents, for each such task."""
    benchmark = subject.benchmark
    shared = {clash.heading for clash in _clashes(benchmark.policy.text)}
    for clash in _clashes(benchmark.policy.text):
        yield _finding(clash, benchmark.policy, None)
    for task in benchmark.tasks:
        policy = benchmark.policy_of(task)
        for clash in _clashes(policy.text):
            if clash.heading not in shared:
                yield _finding(clash, policy, task.id)


@lru_cache(maxsize=256)
def _clashes(text: str) -> tuple[_Clash, ...]:
    return tuple(_find(text))


def _find(text: str) -> Iterator[_Clash]:
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings):
        own = _percentages(heading[2])
        if not own:
            continue
        deep = len(heading[1])
        end = next((later.start() for later in headings[number + 1 :] if len(later[1]) <= deep), len(text))
        closing = _CLOSING.search(text, heading.end(), end)
        below = _percentages(text[heading.end() : closing.start() if closing else end])
        if below and own.isdisjoint(below):
            yield _Clash(heading[2], _list(own), _list(below))


def _percentages(text: str) -> frozenset[float]:
    return frozenset(float(found) for found in _PERCENT.findall(text))


def _list(values: frozenset[float]) -> str:
    return ", ".join(f"{value:g}%" for value in sorted(values)[:5])


def _finding(clash: _Clash, policy: Policy, task_id: str | None) -> Finding:
    return report(
        CONTRADICTS,
        f"The heading {show(clash.heading)!r} says {clash.own}, and the text below it says {clash.below}.",
        origin=Origin(policy.file or policy.name, "", task_id),
        subject=show(clash.heading),
        evidence=(("heading", show(clash.heading)), ("in the text", clash.below)),
    )


CHECK = Check("headings", (CONTRADICTS,), inspect)

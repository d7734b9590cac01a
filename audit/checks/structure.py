"""Fields that are empty, noise or left over, and reward bases that nothing can score."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.layout import criterion, criterion_place, script_place
from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, items, place, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import PartKind, Task

NOISE = Rule(
    "field-is-noise",
    "A field of the script holds no word",
    Severity.NOTE,
    Certainty.PROVED,
    "The text has neither a letter nor a digit, such as a single full stop. The simulated user reads it as part of its "
    "instructions. It is harmless, and often the rest of an edit.",
    "Empty the field, or write what was meant.",
)
SHORT = Rule(
    "script-too-short",
    "The user's script says next to nothing",
    Severity.WARNING,
    Certainty.LIKELY,
    "The whole script is shorter than five words. A simulated user can't play it, and no expected behavior can follow "
    "from it.",
    "Write who the user is and what the user wants.",
)
BASIS_EMPTY = Rule(
    "reward-basis-empty",
    "The reward basis is an empty list",
    Severity.ERROR,
    Certainty.PROVED,
    "The reward is the product of the components that the basis names. Without any, every run that ends in the "
    "regular way gets the full reward, whatever the agent did.",
    "Name at least one component, or leave the field out to get the default.",
)
BASIS_UNKNOWN = Rule(
    "reward-basis-unknown",
    "The reward basis names a component that does not exist",
    Severity.ERROR,
    Certainty.PROVED,
    "The components are DB, ENV_ASSERTION, NL_ASSERTION, ACTION and COMMUNICATE. Another name can't be scored, and "
    "readers that are strict refuse the task.",
    "Write one of the five names.",
)
BLANK = Rule(
    "criterion-blank",
    "A criterion is a blank text",
    Severity.WARNING,
    Certainty.PROVED,
    "A blank string to communicate is contained in every message and so always met; a blank assertion leaves a judge "
    "to guess.",
    "Remove it, or write what was meant.",
)
PLACEHOLDER = Rule(
    "placeholder-left",
    "A text still holds a placeholder",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text contains what templates and drafts leave behind, such as two braces, TODO or 'insert here'. Whoever "
    "reads the task reads the placeholder. It is a false alarm where the task is about such marks.",
    "Fill in what was meant.",
)
COMPONENTS = frozenset({"DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"})
_WORD = re.compile(r"\w")
_LEFT = re.compile(
    r"\{\{[^{}]*\}\}|\$\{\w+\}|%\(\w+\)s|\b(?:TODO|FIXME|TBD|XXX+)\b|\blorem ipsum\b"
    r"|[<\[](?:insert|placeholder|your)\b[^>\]]*[>\]]",
    re.IGNORECASE,
)
_MIN_WORDS = 5


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the fields without content, placeholders and impossible reward bases."""
    for task in subject.benchmark.tasks:
        yield from _script(task)
        yield from _basis(task)
        yield from _blank(task)
        yield from _placeholders(task)


def _script(task: Task) -> Iterator[Finding]:
    parts = [part for part in task.description if part.kind in (PartKind.PERSONA, PartKind.SCENARIO)]
    for part in parts:
        if not _WORD.search(part.text):
            what = f"The field holds only {show(part.text.strip())!r}."
            yield report(NOISE, what, origin=part.origin, subject=part.origin.field)
    told = [part.text for part in parts if not part.origin.field.endswith(".domain")]
    words = re.findall(r"\w+", " ".join(told))
    if len(words) < _MIN_WORDS:
        what = f"The script has {len(words)} words."
        origin = parts[0].origin if parts else script_place(task)
        yield report(SHORT, what, origin=origin, subject="script", evidence=(("script", show(" ".join(told))),))


def _basis(task: Task) -> Iterator[Finding]:
    basis = child(task.raw, "evaluation_criteria", "reward_basis")
    if isinstance(basis, list) and not basis:
        what = "The reward basis is empty: every regular run gets the full reward."
        yield report(BASIS_EMPTY, what, origin=place(task, "evaluation_criteria.reward_basis"), subject="reward_basis")
    elif basis is not None and not isinstance(basis, list):
        what = f"The reward basis must be a list, not {show(basis)}."
        yield report(BASIS_UNKNOWN, what, origin=place(task, "evaluation_criteria.reward_basis"), subject=show(basis))
    for position, name in enumerate(items(basis)):
        if not isinstance(name, str) or name not in COMPONENTS:
            yield report(
                BASIS_UNKNOWN,
                f"The reward basis names {show(name)!r}.",
                origin=place(task, f"evaluation_criteria.reward_basis[{position}]"),
                subject=show(name),
                evidence=(("component", show(name)),),
            )


def _blank(task: Task) -> Iterator[Finding]:
    for field in ("communicate_info", "nl_assertions"):
        for position, value in enumerate(items(criterion(task, field))):
            if isinstance(value, str) and not value.strip():
                origin = criterion_place(task, field, position=position)
                yield report(BLANK, f"An entry of {field} is blank.", origin=origin, subject=field)


def _placeholders(task: Task) -> Iterator[Finding]:
    for part in (*task.description, *task.behavior):
        found = _LEFT.search(part.text) if part.kind is not PartKind.CONTEXT else None
        if found:
            yield report(
                PLACEHOLDER,
                f"The text holds {show(found[0])!r}.",
                origin=part.origin,
                subject=f"{part.origin.field.split('[')[0]} {show(found[0])}",
                evidence=(("placeholder", show(found[0])),),
            )


CHECK = Check("structure", (NOISE, SHORT, BASIS_EMPTY, BASIS_UNKNOWN, BLANK, PLACEHOLDER), inspect)

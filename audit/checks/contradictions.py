"""Scripts against the database: who the user is, and what the script says of rows that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from audit.checks.amounts import Thing, things_of, wrong_amounts
from audit.checks.layout import script_place
from audit.checks.protocol import Check, Subject
from audit.checks.raw import Leaf, leaves, row_leaves, show
from audit.checks.sentences import sentences_of
from audit.checks.world import World, world_of
from audit.databases.tables import Ref, name_words
from audit.databases.words import tokens
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.same import Same
from audit.records.task import Json, Part, PartKind, Row, Task

CONTRADICTS = Rule(
    "text-contradicts-rows",
    "The user's script contradicts the user's own rows",
    Severity.WARNING,
    Certainty.LIKELY,
    "The script gives a name, an e-mail address, a postal code, a status, an amount of money or a booking that clashes "
    "with the rows of the person whom it names. The simulated user can then not be identified, or asks for something "
    "that does not exist. A wrong address or postal code beside another way to find the person is a note. It is a "
    "false alarm where the user is meant to be wrong and the script does not say so.",
    "Make the script agree with the database, or say in it that the user is mistaken.",
)
NOBODY = Rule(
    "text-names-nobody",
    "The user's script identifies nobody in the database",
    Severity.WARNING,
    Certainty.LIKELY,
    "Most scripts of this benchmark name a person who is in the database, by id, e-mail address, or name and postal "
    "code. This one does not, though its gold actions work on rows that belong to a person. The agent can't find out "
    "whose rows they are.",
    "Give the user an id, an address, or a name with postal code that is in the database.",
)
_MISTAKEN = re.compile(
    r"\b(wrong|mistak\w*|incorrect\w*|typo\w*|lie|lying|pretend\w*|claim\w*|falsely|not true|old|new|former|previous|"
    r"change\w*|updat\w*|think|thought|believe\w*|instead|first say|two emails|another)\b",
    re.IGNORECASE,
)
_IDENTITY = re.compile(r"\b(?:[Yy]ou(?:r name is| are| name is|'re)|[Mm]y name is)\s+([A-Z][\w'-]+)\s+([A-Z][\w'-]+)\b")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ZIP = re.compile(r"\b(?:zip|postal|post)\s?(?:code)?\s*(?:is|:|of)?\s*(\d{5})\b", re.IGNORECASE)
_HAVE = re.compile(r"\b(?:you|i)(?:'ve|\s+have|\s+hold)?\s+(?:already\s+)?(?:booked|reserved|borrowed|ordered)\b", re.I)
_MOST = 0.8
Statuses = Mapping[str, frozenset[str]]
"""Table to the values of its field ``status``, in lower case."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield what scripts say of persons and rows that the database denies."""
    world = world_of(subject)
    tasks = subject.benchmark.tasks
    n_found = sum(1 for task in tasks if world.people_of(task))
    statuses = _statuses(world)
    is_usual = bool(world.index.people) and n_found >= _MOST * len(tasks)
    for task in tasks:
        people = world.people_of(task)
        if people:
            yield from _identity(world, task)
            yield from _statements(world, task, statuses)
        elif is_usual and any(_owned(world, task)):
            yield _nobody(task)


def _owned(world: World, task: Task) -> Iterator[Ref]:
    """Yield the rows of persons, and persons, that the gold actions name."""
    for call in world.calls[task.id]:
        for leaf in leaves(dict(call.arguments)):
            for ref in world.spaces.rows_of(leaf.value) if isinstance(leaf.value, str) else ():
                if ref in world.owner_of or ref[0] in world.index.people:
                    yield ref


def _nobody(task: Task) -> Finding:
    return report(
        NOBODY,
        "The script names no person of the database, and the gold actions work on a person's rows.",
        origin=script_place(task),
        subject="nobody",
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What a script says of its user."""

    part: Part
    label: str
    value: str


def _said(task: Task) -> list[Part]:
    return [part for part in task.description if part.kind is PartKind.SCENARIO]


def _identity(world: World, task: Task) -> Iterator[Finding]:
    """Yield the name, address and postal code that are not those of the one person named otherwise."""
    text = "\n".join(part.text for part in _said(task))
    words = tokens(text)
    by_id = {ref for word in words if word in world.index.by_key for ref in world.index.by_key[word]}
    by_id = {ref for ref in by_id if ref[0] in world.index.people}
    by_mail = {ref for mail in _MAIL.findall(text) if (ref := world.index.by_mail.get(mail.lower()))}
    known = by_id or by_mail or world.people_of(task)
    if len(known) != 1:
        return
    (ref,) = known
    claims = list(_claims(task))
    if not claims:
        return
    row = _flat(world.index.rows.get(ref))
    own = " ".join([*row, *(value for other in task.rows for value in _flat_row(Same(other)))])
    for said in claims:
        if said.value.lower() not in own and not name_words(said.value) <= name_words(" ".join(row)):
            finding = report(
                CONTRADICTS,
                f"The script gives the {said.label} {show(said.value)}, and {ref[1]} has another.",
                origin=said.part.origin,
                subject=f"{said.label} {show(said.value)}",
                evidence=(("script", show(said.value)), ("row", f"{ref[0]} {ref[1]}")),
            )
            yield finding if said.label == "name" else replace(finding, severity=Severity.NOTE)


def _flat(row: Json) -> list[str]:
    return _low(leaves(row))


@lru_cache(maxsize=2048)
def _flat_row(held: Same[Row]) -> list[str]:
    return _low(row_leaves(held.value))


def _low(found: Iterable[Leaf]) -> list[str]:
    return [str(leaf.value).lower() for leaf in found if isinstance(leaf.value, str | int)]


def _claims(task: Task) -> Iterator[_Said]:
    """Yield what the script says of its user in sentences that do not speak of errors or changes."""
    for part in _said(task):
        for sentence in sentences_of(part.text):
            if _is_mistaken(sentence):
                continue
            yield from (_Said(part, "name", f"{m[1]} {m[2]}") for m in _IDENTITY.finditer(sentence))
            mails = _MAIL.findall(sentence) if re.search(r"\byour?\b|\bmy\b", sentence, re.IGNORECASE) else []
            yield from (_Said(part, "e-mail address", mail.rstrip(".")) for mail in mails)
            yield from (_Said(part, "postal code", m[1]) for m in _ZIP.finditer(sentence))


def _statements(world: World, task: Task, statuses: Statuses) -> Iterator[Finding]:
    """Yield statuses and amounts that clash with the rows of which they are stated, and bookings of things that no own
    row refers to.
    """
    things = things_of(task)
    stated = list(_with_status(task, statuses))
    for part in _said(task):
        for sentence in sentences_of(part.text):
            if not _is_mistaken(sentence):
                yield from _wrong_amount(part, sentence, things)
                yield from _wrong_status(part, sentence, stated, statuses=statuses)
                yield from _wrong_thing(world, task, part, sentence)


@lru_cache(maxsize=8192)
def _is_mistaken(sentence: str) -> bool:
    """Whether a sentence speaks of errors or changes."""
    return _MISTAKEN.search(sentence) is not None


def _statuses(world: World) -> Statuses:
    """Return the few values that the field ``status`` takes in each table."""
    found: dict[str, frozenset[str]] = {}
    for table, rows in world.benchmark.database.items():
        values = [row["status"] for row in rows.values() if isinstance(row, Mapping) and "status" in row]
        plain = frozenset(value.lower() for value in values if isinstance(value, str))
        if 1 < len(plain) <= 12:
            found[table] = plain
    return found


def _with_status(task: Task, statuses: Statuses) -> Iterator[tuple[Row, str]]:
    """Yield the task's rows that have one of few statuses, with it."""
    for row in task.rows:
        actual = row.value.get("status") if row.table in statuses and isinstance(row.value, Mapping) else None
        if isinstance(actual, str):
            yield row, actual


def _wrong_status(
    part: Part, sentence: str, stated: Sequence[tuple[Row, str]], *, statuses: Statuses
) -> Iterator[Finding]:
    low = sentence.lower() if stated else ""
    for row, actual in stated:
        bare = row.key.lstrip("#")
        if bare.lower() not in low:
            continue
        named = rf"\s+(?:\w+\s+){{0,2}}\(?#?{re.escape(bare)}\b"
        for status in statuses[row.table] - {actual.lower()}:
            if re.search(rf"\b{re.escape(status)}{named}", sentence, re.IGNORECASE):
                yield report(
                    CONTRADICTS,
                    f"The script calls {row.key} {status}, and its status is {show(actual)}.",
                    origin=part.origin,
                    subject=f"status {row.key} {status}",
                    evidence=(("script", show(sentence)), ("row", f"{row.table} {row.key}"), ("status", show(actual))),
                )


def _wrong_amount(part: Part, sentence: str, things: Sequence[Thing]) -> Iterator[Finding]:
    for wrong in wrong_amounts(sentence, things):
        held = ", ".join(f"{value:g}" if value.is_integer() else f"{value:.2f}" for value in wrong.held)
        table, key = wrong.thing.ref
        yield report(
            CONTRADICTS,
            f"The script states {wrong.stated} of {show(wrong.thing.label)}, whose {wrong.field} is {show(held)}.",
            origin=part.origin,
            subject=f"{wrong.field} {wrong.thing.label} {wrong.stated}",
            evidence=(("script", show(sentence)), ("row", f"{table} {key}"), (wrong.field, show(held))),
        )


def _wrong_thing(world: World, task: Task, part: Part, sentence: str) -> Iterator[Finding]:
    """Yield a thing that the user is said to have booked, where no row of the user's refers to it."""
    if not _HAVE.search(sentence):
        return
    own = [row for row in task.rows if (row.table, row.key) in world.owner_of]
    named = {word for row in own for word in _flat_row(Same(row))}
    for word in tokens(sentence):
        for ref in world.index.by_key.get(word, ()):
            is_shared = ref not in world.owner_of and ref[0] not in world.index.people
            if is_shared and word.lower() not in named and _is_referred(world, own, ref[0]):
                yield report(
                    CONTRADICTS,
                    f"The script says that the user has booked {word}, and no row of the user's refers to it.",
                    origin=part.origin,
                    subject=f"booked {word}",
                    evidence=(("script", show(sentence)), ("named", f"{ref[0]} {ref[1]}")),
                )


def _is_referred(world: World, own: list[Row], table: str) -> bool:
    """Return whether the user's rows refer to other rows of this table, so that a missing one tells something."""
    return any(
        ref[0] == table
        for row in own
        for leaf in row_leaves(row)
        if isinstance(leaf.value, str) and leaf.value in world.index.by_key
        for ref in world.index.by_key[leaf.value]
    )


CHECK = Check("contradictions", (CONTRADICTS, NOBODY), inspect)

"""Persons whom gold actions name: passengers, guests, recipients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, inside, objects, show
from audit.checks.world import world_of
from audit.databases.tables import name_words
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Task

UNKNOWN_PERSON = Rule(
    "gold-unknown-person",
    "A gold action names a person whom neither the text nor the rows know",
    Severity.WARNING,
    Certainty.LIKELY,
    "The arguments hold a first and a last name that do not stand together in the user's script or in any row that "
    "the task reaches. An agent can't know this person. Where a birth date and one of the two names are those of a "
    "known person, the other name clashes with the record, and that is an error. It is a false alarm where the "
    "script gives the name in a way that splits it up.",
    "Write the name as in the person's record, or let the script give it.",
)
_FIRST = ("first_name", "firstname", "given_name")
_LAST = ("last_name", "lastname", "family_name", "surname")
_BORN = ("dob", "date_of_birth", "birth_date", "born_on", "birthday")


@dataclass(frozen=True, slots=True)
class _Person:
    first: str
    last: str
    born: str = ""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the persons in gold arguments whom the task does not know."""
    world = world_of(subject)
    for task in subject.benchmark.tasks if subject.benchmark.database else ():
        known: list[_Person] | None = None
        for call in world.calls[task.id]:
            for path, node in objects(dict(call.arguments), ""):
                person = _person(node)
                if person is None:
                    continue
                known = _known(task) if known is None else known
                if not _is_known(person, known) and not _is_told(person, task.description_text):
                    yield _finding(call, path, person, known)


def _person(node: Mapping[str, Json]) -> _Person | None:
    first, last = _text(node, _FIRST), _text(node, _LAST)
    return _Person(first, last, _text(node, _BORN)) if first and last else None


def _text(node: Mapping[str, Json], names: tuple[str, ...]) -> str:
    for name in names:
        value = node.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _known(task: Task) -> list[_Person]:
    """Return every person in the task's rows; a name without birth date takes that of the object around it."""
    found = []
    for row in task.rows:
        outer = _text(row.value, _BORN) if isinstance(row.value, Mapping) else ""
        for _, node in objects(row.value):
            person = _person(node)
            if person:
                found.append(person if person.born else replace(person, born=outer))
    return found


def _is_known(person: _Person, known: list[_Person]) -> bool:
    return any(
        (other.first.lower(), other.last.lower()) == (person.first.lower(), person.last.lower()) for other in known
    )


def _is_told(person: _Person, text: str) -> bool:
    """Return whether the text holds the full name: one after the other, or all words of it where they are unusual."""
    said = " ".join(text.lower().replace(",", " ").split())
    first, last = person.first.lower(), person.last.lower()
    if f"{first} {last}" in said or f"{last} {first}" in said:
        return True
    return name_words(f"{first} {last}") <= name_words(said)


def _finding(call: Call, path: str, person: _Person, known: list[_Person]) -> Finding:
    name = f"{person.first} {person.last}"
    finding = report(
        UNKNOWN_PERSON,
        f"{call.name} names {show(name)}, whom neither the script nor the task's rows know.",
        origin=inside(call.origin, path) if path else call.origin,
        subject=f"{call.name} {name}",
        evidence=(("name", show(name)), ("known", show(", ".join(sorted({f"{p.first} {p.last}" for p in known}))))),
    )
    same = next((other for other in known if _is_half(person, other)), None)
    if same is None:
        return finding
    record = f"the record with this birth date is {same.first} {same.last}"
    what = f"{call.name} names {show(name)}, born {person.born}; {record}."
    return replace(finding, severity=Severity.ERROR, certainty=Certainty.PROVED, what=what)


def _is_half(person: _Person, other: _Person) -> bool:
    """Return whether birth date and one name agree, and the other name does not."""
    same_first, same_last = person.first.lower() == other.first.lower(), person.last.lower() == other.last.lower()
    return bool(person.born) and person.born == other.born and same_first != same_last


CHECK = Check("persons", (UNKNOWN_PERSON,), inspect)

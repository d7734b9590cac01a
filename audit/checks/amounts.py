"""Amounts of money that a script states of things in the user's rows, where one id or name and one field are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audit.checks.numbers import number_of
from audit.databases.spaces import maps_of
from audit.databases.tables import objects_in
from audit.records.same import Same
from audit.records.task import Json, Row, Task

_MONEY = re.compile(
    r"[$€£]\s?(\d[\d,]*(?:\.\d+)?)(?![\w%.,]*\d|\w)(?!\s?[-–]\s?[$€£]?\d)"
    r"|(?<![\w.,$€£-])(\d[\d,]*(?:\.\d+)?)\s(?:dollars|euros|pounds|USD|EUR|GBP)\b",
    re.IGNORECASE,
)
_STORED = re.compile(r"-?\s?[$€£]\s?-?(\d[\d,]*(?:\.\d+)?)")
_FIELD = re.compile(r"(?:^|_)(amount|balance|price|cost|fee|fine|total|limit|income|salary|deposit|credit|rate|fare)$")
_NAME = re.compile(r"(?:^|_)(name|title)$|^merchant")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PERSON = re.compile(r"first|last|full|user|customer|holder|owner|member|guest|nick")
_NO_STATEMENT = re.compile(
    r"[~?]|\b(?:if|unless|whether|want\w*|would|like to|willing|wish\w*|hope\w*|up to|at (?:least|most)|less|more|over|"
    r"under|above|below|about|around|roughly|approx\w*|nearly|almost|max\w*|min\w*|budget|offer\w*|expect\w*|should|"
    r"could|can|will|going to|increase|raise|lower|reduce|transfer|deposit|withdraw|send|move|spend\w*|pay|refund|"
    r"between|from|each|every|per|off|discount\w*|extra|not|never|n't)\b",
    re.IGNORECASE,
)
_LINKS = re.compile(
    r"[\s(:,*-]*(?:(?:was|is|were|costs?|at|for|of|worth|charged?|charge (?:of|for)|purchase (?:of|for)|"
    r"transaction (?:of|for)|bought|booked)\s+)*(?:me\s+)?[\s(:*-]*",
    re.IGNORECASE,
)
_REACH = 40
"""Characters between a thing and the amount that is stated of it."""
_NEAR = 30
"""Characters around an amount in which its field is named."""
_AFTER = 12
"""Characters after both that may still turn the statement into none, such as "or more"."""
_LEAST_NAME = 4


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in the user's rows that has amounts, under the id or the name that texts give it."""

    label: str
    is_id: bool
    ref: tuple[str, str]
    amounts: Mapping[str, tuple[float, ...]]
    """Field to what it holds."""


@dataclass(frozen=True, slots=True)
class WrongAmount:
    """An amount that a sentence states of a thing, and what the thing has instead."""

    thing: Thing
    field: str
    stated: str
    held: tuple[float, ...]


def things_of(task: Task) -> tuple[Thing, ...]:
    """Return what the task's rows hold with amounts of money: rows, entries of maps, and named objects inside rows."""
    return tuple(thing for row in task.rows for thing in _things_of(Same(row)))


@lru_cache(maxsize=2048)
def _things_of(held: Same[Row]) -> tuple[Thing, ...]:
    """Return what one row holds; tasks of the same person share their rows."""
    row = held.value
    found: list[Thing] = []
    ref = (row.table, row.key)
    if amounts := _amounts(row.value):
        found.append(Thing(row.key.lstrip("#"), is_id=True, ref=ref, amounts=amounts))
    for _, entries in maps_of(row.value):
        for key, entry in entries.items():
            if amounts := _amounts(entry):
                found.append(Thing(str(key).lstrip("#"), is_id=True, ref=ref, amounts=amounts))
    for node in objects_in(row.value):
        for name in _names(node):
            if amounts := _amounts(node):
                found.append(Thing(name, is_id=False, ref=ref, amounts=amounts))
    return tuple(thing for thing in found if len(thing.label) >= _LEAST_NAME and not _DATE.match(thing.label))


def wrong_amounts(sentence: str, things: Sequence[Thing]) -> Iterator[WrongAmount]:
    """Yield the amounts of a sentence that none of the things that they are stated of has.

    An amount that any of these things has in another field is let pass, and so is a whole number for an amount with
    cents. A thing that is only named, and not by its id, may be mistaken for another one, so that an amount that any
    thing has is let pass there.
    """
    if not things:
        return
    places = list(_places(sentence, things))
    stated = list(_MONEY.finditer(sentence))
    for money in stated:
        nearest = _nearest(sentence, money, places, stated)
        if nearest is None:
            continue
        label, between = nearest
        if _NO_STATEMENT.search(sentence[: max(money.end(), sentence.find(label) + len(label)) + _AFTER]):
            continue
        amount = float((money[1] or money[2]).replace(",", ""))
        same = [thing for thing in things if thing.label == label]
        near = sentence[max(0, money.start() - _NEAR) : money.end() + _NEAR]
        fields = {field for thing in same for field in _field(thing, f"{between} {near}", between)}
        rivals = same if all(thing.is_id for thing in same) else things
        if len(fields) != 1 or any(_holds(values, amount) for thing in rivals for values in thing.amounts.values()):
            continue
        (field,) = fields
        held = tuple(dict.fromkeys(value for thing in same for value in thing.amounts.get(field, ())))
        yield WrongAmount(same[0], field, money[0].strip(), held)


def _amounts(node: Json) -> dict[str, tuple[float, ...]]:
    if not isinstance(node, Mapping):
        return {}
    found = {str(name): value for name, part in node.items() if (value := _amount(str(name), part)) is not None}
    return {name: (value,) for name, value in found.items()}


def _amount(name: str, value: Json) -> float | None:
    if isinstance(value, str):
        match = _STORED.fullmatch(value.strip())
        return float(match[1].replace(",", "")) if match else None
    number = number_of(value) if _FIELD.search(name.lower()) else None
    return None if number is None else abs(number)


def _names(node: Mapping[str, Json]) -> Iterator[str]:
    for name, value in node.items():
        low = str(name).lower()
        if isinstance(value, str) and _NAME.search(low) and not _PERSON.search(low) and value[:1].isupper():
            yield value


def _places(sentence: str, things: Sequence[Thing]) -> Iterator[tuple[int, int, str]]:
    """Yield where a sentence names a thing; the longer name wins where one stands inside another."""
    taken = 0
    labels = sorted({thing.label for thing in things if thing.label in sentence}, key=len, reverse=True)
    if labels:
        for match in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, labels))})(?!\w)", sentence):
            if match.start() >= taken:
                yield match.start(), match.end(), match[0]
                taken = match.end()


def _nearest(
    sentence: str, money: re.Match[str], places: Sequence[tuple[int, int, str]], stated: Sequence[re.Match[str]]
) -> tuple[str, str] | None:
    """Return the one thing that stands next to an amount, with the text between; ``None`` where two may be meant."""
    found: list[tuple[str, str]] = []
    for start, end, label in places:
        between = sentence[end : money.start()] if end <= money.start() else sentence[money.end() : start]
        is_apart = any(min(end, money.end()) <= other.start() < max(start, money.start()) for other in stated)
        if len(between) <= _REACH and not is_apart and not re.search(r"[.;!]", between):
            found.append((label, between))
    return found[0] if len(found) == 1 else None


def _field(thing: Thing, near: str, between: str) -> list[str]:
    """Return the fields that are meant: those that the text names, else the only one, where the two stand together."""
    words = set(re.findall(r"[a-z]+", near.lower()))
    named = [field for field in thing.amounts if field.lower().rpartition("_")[2] in words]
    if named:
        return named
    return list(thing.amounts) if len(thing.amounts) == 1 and _LINKS.fullmatch(between) else []


def _holds(values: Sequence[float], amount: float) -> bool:
    return any(abs(value - amount) < 0.005 or (amount.is_integer() and abs(value - amount) < 1) for value in values)

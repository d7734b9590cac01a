"""A database as tables of rows, and the index by which relevant rows are found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from audit.databases.words import SHORT_NUMBER, TOKEN, WORD
from audit.records.task import Json

BIG_MAP = 5
"""An object of more than this many objects, nested in a row, is a table in disguise."""

Ref = tuple[str, str]
"""Table and row key."""
Tables = Mapping[str, Mapping[str, Json]]

_SHORT = 3
"""Characters of the longest text that may be a short number."""
_MAIL_FIELDS = ("email", "e_mail", "email_address")
_PHONE_FIELDS = ("phone_number", "phone", "mobile", "telephone")
_NAME_FIELDS = ("full_name", "name")
_LEAST_DIGITS = 7
_ZIP_FIELDS = ("zip", "zip_code", "postal_code", "postcode")


def as_tables(database: Mapping[str, Json]) -> dict[str, dict[str, Json]]:
    """Return a parsed database as table name to row key to row.

    A table is an object of objects; or such an object under ``data``, beside notes; or a list of objects, keyed by
    the first field ending in ``id`` whose values are unique. Anything else in the file is not a table and is left out.

    Examples
    --------
    >>> as_tables({"users": {"u1": {"name": "Ada"}}, "plans": [{"plan_id": "P1"}], "version": 3})
    {'users': {'u1': {'name': 'Ada'}}, 'plans': {'P1': {'plan_id': 'P1'}}}
    """
    found = {name: _rows(value) for name, value in database.items()}
    return {name: rows for name, rows in found.items() if rows is not None}


def _rows(value: Json) -> dict[str, Json] | None:
    if isinstance(value, list):
        return _keyed(value)
    if not isinstance(value, dict):
        return None
    inner = value.get("data")
    if isinstance(inner, dict) and _is_table(inner) and sum(isinstance(part, dict) for part in value.values()) == 1:
        return inner
    return value if _is_table(value) else None


def row_places(database: Mapping[str, Json]) -> dict[Ref, str]:
    """Return the paths of rows in a parsed database, of those whose table is not a plain object of rows.

    Examples
    --------
    >>> row_places({"users": {"u1": {}}, "plans": [{"plan_id": "P1"}], "cards": {"data": {"c1": {}}, "notes": ""}})
    {('plans', 'P1'): 'plans[0]', ('cards', 'c1'): 'cards.data.c1'}
    """
    places: dict[Ref, str] = {}
    for table, value in database.items():
        rows = _rows(value)
        if rows is None or rows is value:
            continue
        is_list = isinstance(value, list)
        for position, key in enumerate(rows):
            places[table, key] = f"{table}[{position}]" if is_list else f"{table}.data.{key}"
    return places


def _is_table(value: Mapping[str, Json]) -> bool:
    return all(isinstance(row, dict) for row in value.values())


def _keyed(rows: list[Json]) -> dict[str, Json] | None:
    objects = [row for row in rows if isinstance(row, dict)]
    if len(objects) < len(rows) or not objects:
        return None
    for name in objects[0]:
        keys = [row.get(name) for row in objects]
        if name.lower().endswith("id") and all(isinstance(key, str | int) for key in keys):
            unique = {str(key) for key in keys}
            if len(unique) == len(keys):
                return {str(row[name]): row for row in objects}
    return None


def merge(base: Json, patch: Json) -> Json:
    """Return ``base`` with ``patch`` merged in: objects key by key, everything else replaced; neither is changed.

    Examples
    --------
    >>> merge({"a": {"x": 1, "y": [1, 2]}, "b": 1}, {"a": {"y": [3]}})
    {'a': {'x': 1, 'y': [3]}, 'b': 1}
    """
    if not (isinstance(base, dict) and isinstance(patch, dict)):
        return patch
    return base | {key: merge(base[key], value) if key in base else value for key, value in patch.items()}


def is_big_map(value: Json) -> bool:
    """Return whether a nested value is a table in disguise, such as a product's variants by id."""
    return isinstance(value, dict) and len(value) > BIG_MAP and all(isinstance(row, dict) for row in value.values())


def objects_in(row: Json) -> Iterator[Mapping[str, Json]]:
    """Yield ``row`` and every object inside it, without entering big maps."""
    stack = [row]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            for value in reversed(node.values()):
                if isinstance(value, list) or (isinstance(value, dict) and not is_big_map(value)):
                    stack.append(value)
        elif isinstance(node, list):
            stack.extend(reversed(node))


def words_in(node: Mapping[str, Json]) -> Iterator[str]:
    """Yield the texts that stand directly in an object, those in its plain lists included, that may be row keys.

    Numbers count where the field is named as an id; texts of one or two digits only there too, for a quantity
    must not pass for a row.
    """
    for name, value in node.items():
        if isinstance(value, str):
            if len(value) > _SHORT or not SHORT_NUMBER.fullmatch(value) or _is_id_name(name):
                yield value
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, str | int):
                    yield from _word_of(name, part)
        elif isinstance(value, int):
            yield from _word_of(name, value)


@lru_cache(maxsize=1024)
def _is_id_name(name: str) -> bool:
    return name.lower().rstrip("s").endswith("id")


def _word_of(name: str, value: str | int) -> Iterator[str]:
    if isinstance(value, str):
        if _is_id_name(name) or not SHORT_NUMBER.fullmatch(value):
            yield value
    elif _is_id_name(name) and not isinstance(value, bool):
        yield str(value)


@dataclass(frozen=True, slots=True)
class Index:
    """Tables with their rows by key and people by their natural keys. Built once a database."""

    rows: Mapping[Ref, Json]
    by_key: Mapping[str, Sequence[Ref]]
    odd_keys: Mapping[str, Sequence[tuple[int, str]]]
    """Keys that are not one token, such as titles with spaces, by their rarest word and with their place among all."""
    by_mail: Mapping[str, Ref] = field(default_factory=dict)
    by_zip: Mapping[str, Sequence[tuple[frozenset[str], Ref]]] = field(default_factory=dict)
    """Postal code to the words of a first and last name, and whose they are."""
    by_phone: Mapping[str, Sequence[Ref]] = field(default_factory=dict)
    """The digits of a phone number to those who have it."""
    by_name: Mapping[str, Sequence[Ref]] = field(default_factory=dict)
    """A full name that is one text, in lower case, to those who have it."""
    people: frozenset[str] = frozenset()
    """Tables of persons: rows with an e-mail address, or with a name and a postal code, that belong to no one else."""


def build_index(tables: Tables, *, people: frozenset[str] | None = None) -> Index:
    """Index every row by its key and, where it is a person's, by what persons are known by.

    Parameters
    ----------
    people
        The tables of persons; ``None`` to find them.
    """
    rows = {(table, key): row for table, entries in tables.items() for key, row in entries.items()}
    by_key: dict[str, list[Ref]] = {}
    for ref in rows:
        by_key.setdefault(ref[1], []).append(ref)
    known = {ref: found for ref, row in rows.items() if (found := _natural_keys(row)).is_person}
    people = _people(rows, known) if people is None else people
    index = Index(
        rows=rows,
        by_key=by_key,
        odd_keys=_odd_keys(by_key),
        people=people,
    )
    return _with_people(index, {ref: found for ref, found in known.items() if ref[0] in people})


def _odd_keys(keys: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    odd = {key: place for place, key in enumerate(keys) if len(key) > 2 and not TOKEN.fullmatch(key)}
    words = {key: dict.fromkeys(WORD.findall(key)) for key in odd}
    n_keys = Counter(word for found in words.values() for word in found)
    by_word: dict[str, list[tuple[int, str]]] = {}
    for key, found in words.items():
        rarest = min(found, key=n_keys.__getitem__, default="")
        by_word.setdefault(rarest, []).append((odd[key], key))
    return by_word


@dataclass(frozen=True, slots=True)
class _NaturalKeys:
    """What a person is known by; empty where a row does not say."""

    mail: str
    first_and_last: frozenset[str]
    code: str
    phone: str
    name: str

    @property
    def is_person(self) -> bool:
        return bool(self.mail or (self.first_and_last and self.code))


def _natural_keys(row: Json) -> _NaturalKeys:
    if not isinstance(row, dict):
        return _NaturalKeys("", frozenset(), "", "", "")
    near = [row, *(value for value in row.values() if isinstance(value, dict) and not is_big_map(value))]
    first, last = _first(near, ("first_name",)), _first(near, ("last_name",))
    phone = "".join(sign for sign in _first(near[:1], _PHONE_FIELDS) if sign.isdigit())
    name = " ".join(_first(near[:1], _NAME_FIELDS).lower().split())
    return _NaturalKeys(
        mail=_first(near, _MAIL_FIELDS).lower(),
        first_and_last=name_words(f"{first} {last}") if first and last else frozenset(),
        code=_first(near, _ZIP_FIELDS),
        phone=phone if len(phone) >= _LEAST_DIGITS else "",
        name=name if " " in name else "",
    )


def _people(rows: Mapping[Ref, Json], known: Mapping[Ref, _NaturalKeys]) -> frozenset[str]:
    """Return the tables of persons: not those whose rows name somebody of another, such as disputes with an address."""
    candidates = {table for table, _ in known}
    keys = {key: table for table, key in rows if table in candidates}
    n_known = Counter(table for table, _ in known)
    n_owned = Counter(
        ref[0]
        for ref in known
        if any(keys.get(word, ref[0]) != ref[0] for node in objects_in(rows[ref]) for word in words_in(node))
    )
    owned = {table for table, n in n_owned.items() if 2 * n > n_known[table]}
    return frozenset(candidates - owned) or frozenset(candidates)


def _with_people(index: Index, known: Mapping[Ref, _NaturalKeys]) -> Index:
    by_zip: dict[str, list[tuple[frozenset[str], Ref]]] = {}
    by_phone: dict[str, list[Ref]] = {}
    by_name: dict[str, list[Ref]] = {}
    for ref, found in known.items():
        if found.first_and_last and found.code:
            by_zip.setdefault(found.code, []).append((found.first_and_last, ref))
        if found.phone:
            by_phone.setdefault(found.phone, []).append(ref)
        if found.name:
            by_name.setdefault(found.name, []).append(ref)
    by_mail = {found.mail: ref for ref, found in known.items() if found.mail}
    return replace(index, by_mail=by_mail, by_zip=by_zip, by_phone=by_phone, by_name=by_name)


def _first(objects: list[dict[str, Json]], names: tuple[str, ...]) -> str:
    for node in objects:
        for name in names:
            value = node.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
    return ""


def first_word(text: str) -> str:
    """Return the first word of a text; empty where it has none."""
    found = WORD.search(text)
    return "" if found is None else found[0]


def name_words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(re.findall(r"\w+", text.lower()))

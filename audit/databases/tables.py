"""A database as tables of rows, and the index by which relevant rows are found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audit.records.task import Json

BIG_MAP = 5
"""An object of more than this many objects, nested in a row, is a table in disguise."""

Ref = tuple[str, str]
"""Table and row key."""
Tables = Mapping[str, Mapping[str, Json]]

TOKEN = re.compile(r"#?\w+(?:[-.:/@+']\w+)*")
_SHORT_NUMBER = re.compile(r"#?\d{1,2}")
_MAIL_FIELDS = ("email", "e_mail", "email_address")
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
            stack.extend(value for value in reversed(node.values()) if not is_big_map(value))
        elif isinstance(node, list):
            stack.extend(reversed(node))


def words_in(node: Mapping[str, Json]) -> Iterator[str]:
    """Yield the texts that stand directly in an object, those in its plain lists included, that may be row keys.

    Numbers count where the field is named as an id; texts of one or two digits only there too, for a quantity
    must not pass for a row.
    """
    for name, value in node.items():
        is_id = name.lower().rstrip("s").endswith("id")
        for part in value if isinstance(value, list) else (value,):
            if isinstance(part, str) and (is_id or not _SHORT_NUMBER.fullmatch(part)):
                yield part
            elif is_id and isinstance(part, int) and not isinstance(part, bool):
                yield str(part)


def tokens(text: str) -> list[str]:
    """Return what in a text may be a row key, in order: words, their parts, and both with ``#`` put in front.

    Examples
    --------
    >>> tokens("order W42, a.b@c.d")
    ['order', '#order', 'W42', '#W42', 'a.b@c.d', '#a.b@c.d', 'a', '#a', 'b', '#b', 'c', '#c', 'd', '#d']
    """
    found: list[str] = []
    for match in TOKEN.findall(text):
        bare = match.lstrip("#")
        parts = re.findall(r"\w+", bare)
        for word in (bare, *(parts if parts != [bare] else ())):
            if not _SHORT_NUMBER.fullmatch(word):
                found += [word, f"#{word}"]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Index:
    """Tables with their rows by key and people by their natural keys. Built once a database."""

    rows: Mapping[Ref, Json]
    by_key: Mapping[str, Sequence[Ref]]
    odd_keys: Sequence[str]
    """Keys that are not one token, such as titles with spaces."""
    by_mail: Mapping[str, Ref] = field(default_factory=dict)
    by_zip: Mapping[str, Sequence[tuple[frozenset[str], Ref]]] = field(default_factory=dict)
    """Postal code to the words of a first and last name, and whose they are."""
    people: frozenset[str] = frozenset()
    """Tables whose rows have an e-mail address, or a name and a postal code."""


def build_index(tables: Tables) -> Index:
    """Index every row by its key and, where it is a person's, by e-mail and by name with postal code."""
    rows: dict[Ref, Json] = {}
    by_key: dict[str, list[Ref]] = {}
    by_mail: dict[str, Ref] = {}
    by_zip: dict[str, list[tuple[frozenset[str], Ref]]] = {}
    for table, entries in tables.items():
        for key, row in entries.items():
            ref = (table, key)
            rows[ref] = row
            by_key.setdefault(key, []).append(ref)
            mail, name, code = _natural_keys(row)
            if mail:
                by_mail[mail.lower()] = ref
            if name and code:
                by_zip.setdefault(code, []).append((name, ref))
    people = {table for table, _ in by_mail.values()} | {ref[0] for named in by_zip.values() for _, ref in named}
    odd = [key for key in by_key if len(key) > 2 and not TOKEN.fullmatch(key)]
    return Index(rows, by_key, odd, by_mail, by_zip, frozenset(people))


def _natural_keys(row: Json) -> tuple[str | None, frozenset[str], str | None]:
    """Return a row's e-mail address, the words of its first and last name, and its postal code."""
    if not isinstance(row, dict):
        return None, frozenset(), None
    near = [row, *(value for value in row.values() if isinstance(value, dict) and not is_big_map(value))]
    first, last = _first(near, ("first_name",)), _first(near, ("last_name",))
    name = name_words(f"{first} {last}") if first and last else frozenset()
    return _first(near, _MAIL_FIELDS), name, _first(near, _ZIP_FIELDS)


def _first(objects: list[dict[str, Json]], names: tuple[str, ...]) -> str | None:
    for node in objects:
        for name in names:
            value = node.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
    return None


def name_words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(re.findall(r"\w+", text.lower()))

"""The database rows that a task's text reaches: its initial state, never the whole database."""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit.databases.tables import (
    Index,
    Ref,
    Tables,
    as_tables,
    build_index,
    is_big_map,
    merge,
    name_words,
    objects_in,
    tokens,
    words_in,
)
from audit.records.task import Json, Origin, Row

logger = logging.getLogger(__name__)

BUDGET = 60_000
"""Characters of rows, as compact JSON, after which no further row is followed; no known task comes near."""
_SMALL_MAP = 2_000
"""A nested map up to this size whose entries nothing points at is an attribute, and kept whole."""
_NO_INDEX = Index({}, {}, ())


@dataclass(frozen=True, slots=True)
class Database:
    """Tables, their index, and which of their nested maps other rows point into."""

    file: str
    tables: Tables
    index: Index
    addressed: frozenset[tuple[str, str]]
    """Table and field of nested maps whose entries are named together with their row somewhere."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What a task changes in the database before it starts: whole rows after the merge, and where they come from."""

    origin: Origin
    index: Index = _NO_INDEX
    replaced: frozenset[str] = frozenset()
    """Tables that the task replaces as a whole (those that are lists)."""


@dataclass(frozen=True, slots=True)
class Found:
    """The relevant rows of one task; ``is_cut`` when the budget ended the search."""

    rows: tuple[Row, ...]
    is_cut: bool = False


def build_database(tables: Tables, *, file: str) -> Database:
    """Index a database once, for the searches of all its tasks."""
    return Database(file, tables, build_index(tables), _addressed_maps(tables))


def build_patch(database: Database, initial: Mapping[str, Json], *, origin: Origin) -> Patch:
    """Merge a task's partial database into copies of the rows that it touches, and of no others."""
    replaced = frozenset(name for name, value in initial.items() if isinstance(value, list))
    merged: dict[str, dict[str, Json]] = {}
    for table, rows in as_tables(initial).items():
        base = {} if table in replaced else database.tables.get(table, {})
        merged[table] = {key: merge(base[key], row) if key in base else row for key, row in rows.items()}
    return Patch(origin, build_index(merged), replaced)


def find_rows(database: Database, text: str, *, patch: Patch | None = None) -> Found:
    """Return the rows that ``text`` names and those that they refer to, pruned.

    Parameters
    ----------
    database
        The indexed database.
    text
        What the task says: row keys in it, or a person's e-mail address or name and postal code, start the search.
    patch
        The task's own changes; its rows are relevant as such.

    Returns
    -------
    Found
        Rows in the order of discovery: first those named, then those that they refer to. A row's nested maps keep
        the entries that are named together with the row.
    """
    view = _View(database, patch or Patch(Origin("", "")))
    said = tokens(text)
    seeds = _seeds(view, said, text)
    visited, is_cut = _close(view, seeds)
    if is_cut:
        logger.warning("rows cut at %d characters for a task that starts %r", BUDGET, text[:60])
    together = _named_together(visited, frozenset(said))
    rows = tuple(_as_row(view, ref, _pruned(view, ref, row, together)) for ref, row in visited.items())
    return Found(rows, is_cut)


@dataclass(frozen=True, slots=True)
class _View:
    """A database as one task sees it."""

    base: Database
    patch: Patch

    def refs(self, key: str) -> Iterator[Ref]:
        yield from self.patch.index.by_key.get(key, ())
        for ref in self.base.index.by_key.get(key, ()):
            if ref not in self.patch.index.rows and ref[0] not in self.patch.replaced:
                yield ref

    def row(self, ref: Ref) -> Json:
        return self.patch.index.rows[ref] if ref in self.patch.index.rows else self.base.index.rows[ref]

    @property
    def indexes(self) -> tuple[Index, Index]:
        return self.patch.index, self.base.index


def _seeds(view: _View, said: list[str], text: str) -> list[Ref]:
    odd = [key for index in view.indexes for key in index.odd_keys if _says(text, key)]
    named = [ref for key in (*said, *odd) for ref in view.refs(key)]
    people = view.patch.index.people | view.base.index.people
    if not any(table in people for table, _ in named):
        named = [*_people(view, said, text), *named]
    return list(dict.fromkeys([*named, *view.patch.index.rows]))


def _says(text: str, key: str) -> bool:
    return key in text and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text) is not None


def _people(view: _View, said: list[str], text: str) -> Iterator[Ref]:
    """Yield those whom the text names by e-mail address; if none, by first and last name and postal code."""
    keys = [word.lower() for word in said]
    by_mail = [ref for index in view.indexes for key in keys if (ref := index.by_mail.get(key))]
    yield from by_mail
    if by_mail:
        return
    words = name_words(text)
    for index in view.indexes:
        for code in said:
            yield from (ref for name, ref in index.by_zip.get(code, ()) if name <= words)


def _close(view: _View, seeds: list[Ref]) -> tuple[dict[Ref, Json], bool]:
    """Follow every reference, nearest rows first, until nothing is new or the budget is spent."""
    visited: dict[Ref, Json] = {}
    waiting = deque(seeds)
    spent = 0
    while waiting:
        ref = waiting.popleft()
        if ref in visited:
            continue
        row = view.row(ref)
        spent += _size_without_maps(row)
        if visited and spent > BUDGET:
            return visited, True
        visited[ref] = row
        for node in objects_in(row):
            for word in words_in(node):
                waiting.extend(found for found in view.refs(word) if found not in visited)
    return visited, False


def _size_without_maps(row: Json) -> int:
    """Return about how long a row is as JSON, its big maps left out."""
    return sum(len(json.dumps({k: v for k, v in node.items() if _is_plain(v)})) for node in objects_in(row))


def _is_plain(value: Json) -> bool:
    return not isinstance(value, dict) and not (isinstance(value, list) and any(isinstance(x, dict) for x in value))


def _named_together(visited: Mapping[Ref, Json], said: frozenset[str]) -> dict[str, set[str]]:
    """Return, for each visited row with a big map, what is named in one object with its key, or by the text with it."""
    mapped = {key for (_, key), row in visited.items() if _has_big_map(row)}
    together: dict[str, set[str]] = {key: set(said) if key in said else set() for key in mapped}
    for row in visited.values():
        for node in objects_in(row):
            words = set(words_in(node))
            for key in words & mapped:
                together[key] |= words
    return together


def _has_big_map(row: Json) -> bool:
    return any(is_big_map(value) for node in objects_in(row) for value in node.values())


def _pruned(view: _View, ref: Ref, row: Json, together: Mapping[str, set[str]]) -> Json:
    if ref[1] not in together:
        return row
    keep = together[ref[1]]

    def prune(node: Json, name: str) -> Json:
        if isinstance(node, list):
            return [prune(part, name) for part in node]
        if not isinstance(node, dict):
            return node
        entries: Mapping[str, Json] = node
        if is_big_map(node) and not _is_attribute(view, ref[0], name, node):
            entries = {key: entry for key, entry in node.items() if key in keep}
        return {key: prune(value, key) for key, value in entries.items()}

    return {key: prune(value, key) for key, value in row.items()} if isinstance(row, dict) else row


def _is_attribute(view: _View, table: str, name: str, node: Json) -> bool:
    """Return whether a big map is a plain part of its row, such as the ways in which a person can pay."""
    return (table, name) not in view.base.addressed and len(json.dumps(node)) <= _SMALL_MAP


def _addressed_maps(tables: Tables) -> frozenset[tuple[str, str]]:
    """Return the nested maps of which some object elsewhere names a row together with one of its entries."""
    entries: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
    for table, rows in tables.items():
        for key, row in rows.items():
            for name, node in _big_maps(row):
                entries.setdefault(key, []).append((table, name, frozenset(node)))
    wanted = {(table, name) for maps in entries.values() for table, name, _ in maps}
    found: set[tuple[str, str]] = set()
    for row in (row for rows in tables.values() for row in rows.values()):
        if found == wanted:
            break
        for node in objects_in(row):
            words = set(words_in(node))
            for key in words & entries.keys():
                found |= {(table, name) for table, name, keys in entries[key] if not keys.isdisjoint(words)}
    return frozenset(found)


def _big_maps(row: Json) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for node in objects_in(row):
        for name, value in node.items():
            if isinstance(value, dict) and is_big_map(value):
                yield name, value


def _as_row(view: _View, ref: Ref, value: Json) -> Row:
    table, key = ref
    if ref in view.patch.index.rows:
        origin = view.patch.origin
        return Row(table, key, value, Origin(origin.file, f"{origin.field}.{table}.{key}", origin.task_id))
    return Row(table, key, value, Origin(view.base.file, f"{table}.{key}"))

"""A database and what one task changes in it, as the search for relevant rows sees them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audit.databases.tables import (
    Index,
    Ref,
    Tables,
    as_tables,
    build_index,
    is_big_map,
    merge,
    objects_in,
    row_places,
    words_in,
)
from audit.records.task import Json, Origin, Row

_NO_INDEX = Index({}, {}, {})


@dataclass(frozen=True, slots=True)
class Found:
    """The relevant rows of one task; ``is_cut`` when the budget ended the search."""

    rows: tuple[Row, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Database:
    """Tables, their index, and which of their nested maps other rows point into."""

    file: str
    tables: Tables
    index: Index
    addressed: frozenset[tuple[str, str]]
    """Table and field of nested maps whose entries are named together with their row somewhere."""
    places: Mapping[Ref, str] = field(default_factory=dict)
    """Rows' paths in the file, where they are not simply table and key."""
    named_by: Mapping[str, Sequence[Ref]] = field(default_factory=dict)
    """Row key to the rows that name it."""
    searched: dict[tuple[Ref, ...], Found] = field(default_factory=dict, repr=False, compare=False)
    """What was found from the same start by tasks without changes of their own; filled by the search."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Table to its file, where each has one of its own; a row's key is then its path there."""
    whole: dict[Ref, Row] = field(default_factory=dict, repr=False, compare=False)
    """Rows as tasks without changes of them have them, so that these share them; filled by :meth:`View.read`."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What a task changes in the database before it starts: whole rows after the merge, and where they come from."""

    origin: Origin
    index: Index = _NO_INDEX
    replaced: frozenset[str] = frozenset()
    """Tables that the task replaces as a whole (those that are lists)."""
    places: Mapping[Ref, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """A database as one task sees it."""

    base: Database
    patch: Patch

    def refs(self, key: str) -> Iterator[Ref]:
        """Yield the rows of that key, the task's own first."""
        yield from self.patch.index.by_key.get(key, ())
        for ref in self.base.index.by_key.get(key, ()):
            if ref not in self.patch.index.rows and ref[0] not in self.patch.replaced:
                yield ref

    def row(self, ref: Ref) -> Json:
        """Return a row as the task has it."""
        return self.patch.index.rows[ref] if ref in self.patch.index.rows else self.base.index.rows[ref]

    @property
    def indexes(self) -> tuple[Index, Index]:
        """The task's own index and the database's."""
        return self.patch.index, self.base.index

    @property
    def people(self) -> frozenset[str]:
        """The tables of persons."""
        return self.patch.index.people | self.base.index.people

    def read(self, ref: Ref, value: Json) -> Row:
        """Return a row, pruned to ``value``, with its place."""
        table, key = ref
        if ref in self.patch.index.rows:
            origin, place = self.patch.origin, self.patch.places.get(ref, f"{table}.{key}")
            return Row(table, key, value, Origin(origin.file, f"{origin.field}.{place}", origin.task_id))
        if ref in self.base.whole and self.base.whole[ref].value is value:
            return self.base.whole[ref]
        file, place = self.base.file, self.base.places.get(ref, f"{table}.{key}")
        origin = Origin(self.base.files[table], key) if table in self.base.files else Origin(file, place)
        row = Row(table, key, value, origin)
        if value is self.base.index.rows[ref]:
            self.base.whole[ref] = row
        return row


def build_database(
    tables: Tables, *, file: str, places: Mapping[Ref, str] | None = None, files: Mapping[str, str] | None = None
) -> Database:
    """Index a database once, for the searches of all its tasks.

    Parameters
    ----------
    places
        As :func:`audit.databases.tables.row_places` gives them for what the file holds.
    files
        Table to its file, where each has one of its own.
    """
    index = build_index(tables)
    named_by = _named_by(index)
    return Database(file, tables, index, _addressed_maps(tables), places or {}, named_by, files=files or {})


def _named_by(index: Index) -> Mapping[str, Sequence[Ref]]:
    """Return which rows name each row, for databases of persons: only what belongs to one is ever asked for."""
    found: dict[str, list[Ref]] = defaultdict(list)
    for ref, row in index.rows.items() if index.people else ():
        words = {word for node in objects_in(row) for word in words_in(node)}
        for word in words & index.by_key.keys():
            if word != ref[1]:
                found[word].append(ref)
    return dict(found)


def build_patch(database: Database, initial: Mapping[str, Json], *, origin: Origin) -> Patch:
    """Merge a task's partial database into copies of the rows that it touches, and of no others."""
    replaced = frozenset(name for name, value in initial.items() if isinstance(value, list))
    merged: dict[str, dict[str, Json]] = {}
    for table, rows in as_tables(initial).items():
        base = {} if table in replaced else database.tables.get(table, {})
        merged[table] = {key: merge(base[key], row) if key in base else row for key, row in rows.items()}
    index = build_index(merged, people=database.index.people or None)
    return Patch(origin, index, replaced, row_places(initial))


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

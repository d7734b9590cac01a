"""What the checks of generated events look at: an event's own small database, by table and key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from audit.checks.protocol import Subject
from audit.checks.raw import child, leaves
from audit.databases.key_columns import key_column
from audit.records.task import Json, Row, Task

Fields = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table of an event, with the column of their ids."""

    name: str
    rows: tuple[tuple[Row, Fields], ...]
    key: str | None
    by_key: Mapping[str, tuple[tuple[Row, Fields], ...]]


@dataclass(frozen=True, slots=True)
class Event:
    """An event with its tables.

    Parameters
    ----------
    values
        Every plain value that stands in a row, as text.
    """

    task: Task
    tables: Mapping[str, Table]
    values: frozenset[str] = field(repr=False)

    @property
    def text(self) -> str:
        """What the simulated user is told."""
        return self.task.description_text

    def has(self, table: str, key: str) -> bool:
        """Return whether a table has a row of this id."""
        return table in self.tables and key in self.tables[table].by_key


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a benchmark, and what they have in common.

    Parameters
    ----------
    table_of
        Name of a column of ids to the table whose ids they are.
    n_with
        Table to the number of events that have it.
    """

    events: tuple[Event, ...]
    table_of: Mapping[str, str]
    n_with: Mapping[str, int]

    @property
    def usual(self) -> tuple[str, ...]:
        """The tables that one event in four has, at least; others were invented for single events."""
        return tuple(table for table, n in self.n_with.items() if 4 * n >= len(self.events))


def events_of(subject: Subject) -> Events:
    """Return the tasks of a benchmark that are generated events; none for any other benchmark."""
    events = tuple(_event(task) for task in subject.benchmark.tasks if is_event(task))
    n_with = Counter(name for event in events for name in event.tables)
    columns = [(table.key, table.name) for event in events for table in event.tables.values() if table.key]
    table_of: dict[str, str] = {}
    for (column, table), _ in Counter(columns).most_common():
        if column is not None:
            table_of.setdefault(column, table)
    return Events(events, table_of, n_with)


def is_event(task: Task) -> bool:
    """Return whether a task is a generated event, by the fields that only these have."""
    return isinstance(child(task.raw, "description", "expected_behaviour"), str) and "scenario" in task.raw


def _event(task: Task) -> Event:
    rows: dict[str, list[tuple[Row, Fields]]] = {}
    for row in task.rows:
        if isinstance(row.value, Mapping):
            rows.setdefault(row.table, []).append((row, row.value))
    tables = {name: _table(name, found) for name, found in rows.items()}
    values = frozenset(text for row in task.rows for text in texts_in(row.value))
    return Event(task, tables, values)


def _table(name: str, rows: Sequence[tuple[Row, Fields]]) -> Table:
    columns = dict.fromkeys(column for _, value in rows for column in value)
    key = key_column(name, list(columns))
    by_key: dict[str, list[tuple[Row, Fields]]] = {}
    for row, value in rows:
        stated = key_of(value, key)
        if stated is not None:
            by_key.setdefault(stated, []).append((row, value))
    return Table(name, tuple(rows), key, {stated: tuple(found) for stated, found in by_key.items()})


def key_of(value: Fields, column: str | None) -> str | None:
    """Return what stands in a column as an id; ``None`` where it holds none."""
    stated = value[column] if column is not None and column in value else None
    is_id = isinstance(stated, str | int) and not isinstance(stated, bool) and str(stated).strip()
    return str(stated) if is_id else None


def texts_in(value: Json) -> list[str]:
    """Return the plain values inside a row, and the names of its nested entries, as texts."""
    found = [str(leaf.value) for leaf in leaves(value) if isinstance(leaf.value, str | int)]
    return found + [leaf.name for leaf in leaves(value)]

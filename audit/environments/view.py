"""Copy-on-write views of a database: a new state copies the rows that a call touches and shares all others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from audit.environments.protocol import State
from audit.records.task import Json

Row = dict[str, Any]
"""A row as tools handle it; what they read is never changed in place, what they edit is a copy."""
Ref = tuple[str, str]
"""Table and row key."""
_EMPTY: Final[Mapping[str, Json]] = {}


class _Gone:
    """Marks a row of the base that a later state no longer has."""


_GONE: Final = _Gone()


class Table(Mapping[str, Json]):
    """Rows of a base table with some rows replaced, added or removed; the base is shared and never copied."""

    __slots__ = ("base", "changes")

    def __init__(self, base: Mapping[str, Json], changes: Mapping[str, Json | _Gone]) -> None:
        self.base = base
        self.changes = changes

    def __getitem__(self, key: str) -> Json:
        if key not in self.changes:
            return self.base[key]
        row = self.changes[key]
        if isinstance(row, _Gone):
            raise KeyError(key)
        return row

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self.base if self.changes.get(key) is not _GONE)
        yield from (key for key, row in self.changes.items() if key not in self.base and row is not _GONE)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def change_rows(state: State, rows: Mapping[Ref, Json | _Gone]) -> State:
    """Return ``state`` with some rows replaced, added or (for :data:`_GONE`) removed."""
    if not rows:
        return state
    by_table: dict[str, dict[str, Json | _Gone]] = {}
    for (table, key), row in rows.items():
        by_table.setdefault(table, {})[key] = row
    made = dict(state)
    for table, changes in by_table.items():
        old = state.get(table, _EMPTY)
        base, before = (old.base, old.changes) if isinstance(old, Table) else (old, {})
        made[table] = Table(base, {**before, **changes})
    return made


def remove_rows(state: State, refs: tuple[Ref, ...]) -> State:
    """Return ``state`` without some rows."""
    return change_rows(state, dict.fromkeys(refs, _GONE))


def copy_json(value: Any) -> Any:  # noqa: ANN401  # JSON in, the same JSON out
    """Return a deep copy of a JSON value; several times faster than :func:`copy.deepcopy`."""
    if isinstance(value, dict):
        return {key: copy_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [copy_json(part) for part in value]
    return value


def write_row(row: Json) -> str:
    """Return the canonical text of a row: two rows are equal where their texts are.

    Keys are sorted and those that hold null are left out, for an optional field that is absent counts as null.
    Lists keep their order, and 25 is not 25.0.

    Examples
    --------
    >>> write_row({"b": 25.0, "a": None}) == write_row({"b": 25.0}), write_row({"b": 25}) == write_row({"b": 25.0})
    (True, False)
    """
    return json.dumps(_without_nulls(row), sort_keys=True)


def _without_nulls(value: Any) -> Any:  # noqa: ANN401  # JSON in, JSON out
    if isinstance(value, dict):
        return {key: _without_nulls(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_without_nulls(part) for part in value]
    return value


def differences(one: State, other: State) -> Iterator[Ref]:
    """Yield table and key of every row that differs between two states; a missing table is an empty one."""
    for table in {**one, **other}:
        left, right = one.get(table, _EMPTY), other.get(table, _EMPTY)
        for key in _candidates(left, right):
            if (key in left) != (key in right) or (key in left and not same_row(left[key], right[key])):
                yield table, key


def _candidates(left: Mapping[str, Json], right: Mapping[str, Json]) -> Mapping[str, object]:
    """Return the keys, as those of a mapping, where two tables can differ."""
    left_base, left_changes = (left.base, left.changes) if isinstance(left, Table) else (left, _EMPTY)
    right_base, right_changes = (right.base, right.changes) if isinstance(right, Table) else (right, _EMPTY)
    if left_base is right_base:
        return {**left_changes, **right_changes}
    return {**dict.fromkeys(left), **dict.fromkeys(right)}


def same_row(one: Json, other: Json) -> bool:
    """Return whether two rows are equal as :func:`write_row` writes them.

    Examples
    --------
    >>> same_row({"b": 25.0, "a": None}, {"b": 25.0}), same_row([25], [25.0]), same_row(0.0, -0.0)
    (True, False, False)
    """
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same_row(one.get(key), other.get(key)) for key in {**one, **other})
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_row, one, other))
    return type(one) is type(other) and one == other and (one != 0 or str(one) == str(other))


def same_state(one: State, other: State) -> bool:
    """Return whether two states hold the same rows, as the hash of the whole database would tell.

    Examples
    --------
    >>> same_state({"users": {"u1": {"age": 1, "nick": None}}}, {"users": {"u1": {"age": 1}}, "orders": {}})
    True
    """
    return next(differences(one, other), None) is None


class ToolError(Exception):
    """A call that a tool refuses; whatever it changed before stays changed."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail


class Draft:
    """A state while one call changes it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._rows: dict[Ref, Json | _Gone] = {}

    def find(self, table: str, key: str) -> Row | None:
        """Return a row to read, or ``None``."""
        if (table, key) in self._rows:
            row = self._rows[table, key]
            return None if isinstance(row, _Gone) else row  # type: ignore[return-value]  # rows are objects
        return self._state.get(table, _EMPTY).get(key)  # type: ignore[return-value]  # rows are objects

    def read(self, table: str, key: str, *, missing: str) -> Row:
        """Return a row to read; a :class:`ToolError` of kind ``missing`` if there is none."""
        row = self.find(table, key)
        if row is None:
            raise ToolError(missing)
        return row

    def edit(self, table: str, key: str) -> Row:
        """Return a row to change: a copy, made once a call."""
        row = self._rows.get((table, key))
        if row is None:
            row = self._rows[table, key] = copy_json(self._state[table][key])
        if isinstance(row, _Gone):
            raise KeyError(key)
        return row  # type: ignore[return-value]  # rows are objects

    def put(self, ref: Ref, row: Row) -> None:
        """Add a row, or replace one."""
        self._rows[ref] = row

    def remove(self, table: str, key: str) -> None:
        """Remove a row that is there."""
        self._rows[table, key] = _GONE

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table to read, with the changes so far, in database order."""
        return self.finish()[0].get(name, _EMPTY)  # type: ignore[return-value]  # rows are objects

    def finish(self) -> tuple[State, tuple[Ref, ...]]:
        """Return the state after the call, and which rows differ from before it."""
        changed = {ref: row for ref, row in self._rows.items() if not self._is_as_before(ref, row)}
        return change_rows(self._state, changed), tuple(changed)

    def _is_as_before(self, ref: Ref, row: Json | _Gone) -> bool:
        table = self._state.get(ref[0], _EMPTY)
        if isinstance(row, _Gone) or ref[1] not in table:
            return isinstance(row, _Gone) and ref[1] not in table
        return same_row(row, table[ref[1]])

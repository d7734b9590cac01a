"""One task of a table: its cells as description, expected behavior, initial state, gold actions and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.databases.tables import as_tables
from audit.errors import LoadError
from audit.loaders.columns import WORDS
from audit.loaders.database_view import Database, Found
from audit.loaders.entry import Entry, name_type
from audit.loaders.json_file import InputFile, parse_json
from audit.loaders.relevant_rows import find_rows
from audit.loaders.table_file import Record
from audit.loaders.tau_behavior import CHANGES_NOTHING, DEFAULT_BASIS, NO_WRITE, action_part
from audit.loaders.tau_task import CUT_ROWS
from audit.loaders.tools import kind_of_call
from audit.records.policy import Policy
from audit.records.task import Action, Json, Origin, Part, PartKind, Row, Task, Tool

STATE = "initial state"
"""Table name of what a task itself says of its initial state."""
_TAGS = re.compile(r"[,;|\n]")
_CALLER = "assistant"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the tasks of a table share.

    Parameters
    ----------
    columns
        Field of a task to its column.
    policies
        The text of a task's own policy to the policy.
    """

    columns: Mapping[str, str]
    tools: Mapping[tuple[str, str], Tool]
    database: Database | None
    policies: Mapping[str, Policy]


@dataclass(frozen=True, slots=True)
class Cells:
    """A record's cells by the field of a task that they hold; a fault in one names its row and column."""

    record: Record
    file: InputFile
    columns: Mapping[str, str]

    def value(self, field: str) -> Json:
        """Return a field's cell; ``None`` where it has no column, the record lacks it, or it is blank."""
        column = self.columns.get(field)
        value = None if column is None else _lookup(self.record.values, column)
        return None if isinstance(value, str) and not value.strip() else value

    def text(self, field: str) -> str | None:
        """Return a field's cell that must be a text, or a number that stands for one."""
        value = self.value(field)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if value is None or isinstance(value, str):
            return value
        raise self.error(field, f"must be a text, not {name_type(value)}")

    def texts(self, field: str) -> list[str]:
        """Return a field's texts: of a list all of them, else one, or none."""
        value = self.value(field)
        if not isinstance(value, list):
            text = self.text(field)
            return [] if text is None else [text]
        for part in value:
            if not isinstance(part, str):
                raise self.error(field, f"must be a list of texts, and holds {name_type(part)}")
        return [str(part) for part in value if str(part).strip()]

    def json(self, field: str) -> Json:
        """Return a field's value, parsed where it is a text that must hold JSON."""
        value = self.value(field)
        if not isinstance(value, str):
            return value
        try:
            return parse_json(InputFile(self.file.path, self.file.shown, value.encode()))
        except LoadError as error:
            raise self.error(field, error.what, mend="Write JSON into the cell, or leave it empty") from error

    def error(self, field: str, what: str, *, mend: str = "Correct the cell") -> LoadError:
        """Return an error about a cell."""
        column = self.columns.get(field, field)
        place = self.record.place
        line = "" if place.startswith("line") else f" (line {self.record.line})"
        return LoadError(what, where=f"{self.file.path} {place}{line}, {column!r}", mend=mend)


def _lookup(values: Mapping[str, Json], column: str) -> Json:
    """Return a column's value; a name with dots may lead into objects."""
    if column in values:
        return values[column]
    first, dot, rest = column.partition(".")
    inner = values.get(first)
    return _lookup(inner, rest) if dot and isinstance(inner, dict) else None


def read_task(cells: Cells, task_id: str, *, around: Surroundings) -> Task:
    """Return the task that a record holds.

    Raises
    ------
    LoadError
        Naming file, row and column, if a cell can't be read or the description is empty.
    """
    values = cells.record.values
    id_column = around.columns.get("id", "id")
    raw = values if cells.value("id") is not None else {**values, id_column: task_id}
    entry = Entry(raw, Origin(cells.file.shown, "", task_id, cells.record.line), cells.file.path)
    description = tuple(_parts(cells, entry, "description", kind=PartKind.SCENARIO))
    if not description:
        raise cells.error(
            "description", f"the {WORDS['description']} is empty", mend="Fill the cell, or remove the row"
        )
    actions = _read_actions(cells, entry, around.tools)
    told = "\n".join(part.text for part in description)
    found = Found(()) if around.database is None else find_rows(around.database, told)
    own = cells.text("policy")
    return Task(
        id=task_id,
        description=description,
        behavior=(*_parts(cells, entry, "behavior", kind=PartKind.PROSE), *_action_parts(entry, actions)),
        rows=(*_state_rows(cells, entry), *found.rows),
        actions=actions,
        policy=None if own is None else around.policies.get(own),
        tags=(*_tags(cells), *([CUT_ROWS] if found.is_cut else [])),
        origin=entry.origin,
        raw=raw,
    )


def _parts(cells: Cells, entry: Entry, field: str, *, kind: PartKind) -> Iterator[Part]:
    column = cells.columns.get(field, field)
    texts = cells.texts(field)
    label = f"{WORDS[field].capitalize()} ({column})"
    for number, text in enumerate(texts):
        place = column if len(texts) == 1 else f"{column}[{number}]"
        yield Part(kind, label if len(texts) == 1 else f"{label} {number + 1}", text, entry.origin_of(place))


def _read_actions(cells: Cells, entry: Entry, tools: Mapping[tuple[str, str], Tool]) -> tuple[Action, ...] | None:
    calls = cells.json("actions")
    if calls is None:
        return None
    if not isinstance(calls, list):
        raise cells.error("actions", f"must be a list of calls, not {name_type(calls)}", mend=_CALLS)
    return tuple(_read_action(cells, entry, number, tools) for number in enumerate(calls))


_CALLS = 'Write [{"name": "TOOL", "arguments": {…}}, …]'


def _read_action(
    cells: Cells, entry: Entry, numbered: tuple[int, Json], tools: Mapping[tuple[str, str], Tool]
) -> Action:
    number, call = numbered
    name = call.get("name") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(name, str) or not name.strip():
        raise cells.error("actions", f"call {number + 1} has no name", mend=_CALLS)
    arguments = call.get("arguments", call.get("kwargs"))
    arguments = {} if arguments is None else arguments
    if not isinstance(arguments, dict):
        what = f"the arguments of call {number + 1} must be an object, not {name_type(arguments)}"
        raise cells.error("actions", what, mend=_CALLS)
    requestor = call.get("requestor", _CALLER)
    if requestor not in (_CALLER, "user"):
        raise cells.error("actions", f"call {number + 1} is by {requestor!r}", mend="Write 'assistant' or 'user'")
    column = cells.columns["actions"]
    return Action(
        name=name,
        arguments=arguments,
        kind=kind_of_call(tools, name, arguments=arguments, caller=str(requestor)),
        origin=entry.origin_of(f"{column}[{number}]"),
        requestor=str(requestor),
    )


def _action_parts(entry: Entry, actions: Sequence[Action] | None) -> Iterator[Part]:
    if actions is None:
        return
    yield from (action_part(number, action, basis=DEFAULT_BASIS) for number, action in enumerate(actions, 1))
    if all(action.kind in CHANGES_NOTHING for action in actions):
        origin = actions[0].origin if actions else entry.origin
        yield Part(PartKind.NO_WRITE, "Database", NO_WRITE, origin)


def _state_rows(cells: Cells, entry: Entry) -> Iterator[Row]:
    """Yield what a task says of its initial state: the rows of tables that it gives, or all of it as one."""
    value = cells.value("state")
    if value is None:
        return
    origin = entry.origin_of(cells.columns["state"])
    value = _parsed(value, cells)
    tables = as_tables(value) if isinstance(value, dict) else {}
    if isinstance(value, dict) and value and tables.keys() == value.keys():
        for table, rows in tables.items():
            yield from (Row(table, key, row, origin) for key, row in rows.items())
    else:
        yield Row(STATE, "of the task", value, origin)


def _parsed(value: Json, cells: Cells) -> Json:
    """Return the object or list that a text holds; other texts stay as they are, for prose may begin with a bracket."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return cells.json("state")
    except LoadError:
        return value


def _tags(cells: Cells) -> Iterator[str]:
    value = cells.value("tags")
    parts = value if isinstance(value, list) else _TAGS.split(cells.text("tags") or "")
    named = (str(part).strip() for part in parts if isinstance(part, str | int | float))
    yield from dict.fromkeys(name for name in named if name)

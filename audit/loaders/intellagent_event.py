"""One event of an IntellAgent dataset as a task."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from audit.databases.key_columns import key_column
from audit.loaders.entry import Entry, name_type
from audit.records.task import Json, Part, PartKind, Row, Task

FILLED = "Scenario, with entities filled in"
UNFILLED = "Scenario, before entities were filled in"

_LONGEST_CELL = 100_000
"""Characters of a nested cell's text that are read as what it spells; longer ones stay a text."""
_TIME_FIELD = re.compile(r"(?:_at|_on|time|date)$")
_EPOCH_MS = range(946_684_800_000, 4_102_444_800_000)
"""Whole numbers that are a time in milliseconds, from 2000 to 2100, in a field that is named for one."""


def read_event(entry: Entry) -> Task:
    """Return the task that an event is; its id stands in ``entry.origin``.

    Raises
    ------
    LoadError
        Naming file, event and field, if a field that we read is missing or has the wrong type.
    """
    description = entry.entry("description")
    if description is None:
        raise entry.error("the event has no description", field="description", mend="Generate the event anew")
    behavior = description.need_text("expected_behaviour")
    check_relevant_rows(entry)
    return Task(
        id=entry.origin.task_id or "",
        description=(_scenario(entry, description),),
        behavior=(Part(PartKind.PROSE, "The agent must", behavior, description.origin_of("expected_behaviour")),),
        rows=tuple(_rows(entry)),
        actions=None,
        tags=tuple(f"challenge level {level}" for level in _level(description)),
        origin=entry.origin,
        raw=entry.values,
    )


def _scenario(entry: Entry, description: Entry) -> Part:
    """Return what the simulated user is told, which names entities where the event has any.

    For events without a database, older versions gave every event of a batch the scenario of the first one.
    """
    scenario, before = entry.text("scenario"), description.text("event_description")
    has_rows = bool(entry.mapping("database"))
    if scenario is not None and scenario.strip() and (has_rows or not before or before.strip() == scenario.strip()):
        return Part(PartKind.SCENARIO, FILLED, scenario, entry.origin_of("scenario"))
    return Part(
        PartKind.SCENARIO,
        UNFILLED,
        description.need_text("event_description"),
        description.origin_of("event_description"),
    )


def _level(description: Entry) -> list[int]:
    """Return the challenge level as it follows from the policies; the stated one was computed wrongly for a time."""
    policies = description.entries("policies")
    if not policies:
        return []
    scores = [policy.values.get("score") for policy in policies]
    whole = [score for score in scores if isinstance(score, int) and not isinstance(score, bool)]
    return [sum(whole)] if len(whole) == len(scores) else []


def check_relevant_rows(entry: Entry) -> None:
    """Refuse rows shown to the simulated user in a shape other than the three there have been: none, texts, a text."""
    if isinstance(entry.values.get("relevant_rows"), list):
        entry.texts("relevant_rows")
    else:
        entry.text("relevant_rows")


def _rows(entry: Entry) -> Iterator[Row]:
    database = entry.entry("database")
    for table in database.values if database else ():
        listed, place = _listed(database, table) if database else ((), "")
        used: Counter[str] = Counter()
        for position, row in enumerate(listed):
            field = f"database.{place}[{position}]"
            if not isinstance(row, dict):
                raise entry.wrong_type(field, wanted="an object", value=row)
            column = key_column(table, list(row))
            stated = row[column] if column is not None else None
            key = str(stated) if isinstance(stated, str | int) and str(stated).strip() else f"row {position + 1}"
            used[key] += 1
            shown = key if used[key] == 1 else f"{key} ({used[key]})"
            yield Row(table, shown, readable(row), entry.origin_of(field))


def _listed(database: Entry, table: str) -> tuple[Sequence[Json], str]:
    """Return a table's rows, and where they are: a list, or under ``rows`` beside the names of the columns."""
    value = database.values[table]
    if isinstance(value, dict):
        inner = Entry(value, database.origin_of(table), database.path)
        return inner.sequence("rows") or (), f"{table}.rows"
    if isinstance(value, list):
        return value, table
    raise database.error(f"must be a table, not {name_type(value)}", field=table, mend="Correct the table")


def readable(row: Mapping[str, Json]) -> dict[str, Json]:
    """Return a row as a person reads it: cells that spell a list or an object as such, times as dates, no empty cells.

    Examples
    --------
    >>> readable({"id": "a", "name": "{'first': 'Ann'}", "created_at": 1714619419000, "note": None})
    {'id': 'a', 'name': {'first': 'Ann'}, 'created_at': '2024-05-02T03:10:19'}
    """
    return {name: _cell(name, value) for name, value in row.items() if value is not None}


def _cell(name: str, value: Json) -> Json:
    if isinstance(value, str):
        return _spelled(value)
    is_whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    if is_whole and int(str(value).partition(".")[0]) in _EPOCH_MS and _TIME_FIELD.search(name.lower()):
        return datetime.fromtimestamp(int(str(value).partition(".")[0]) / 1000, UTC).replace(tzinfo=None).isoformat()
    return value


def _spelled(text: str) -> Json:
    """Return what a cell spells, as JSON or as a literal of Python; the text itself if it is neither."""
    if len(text) > _LONGEST_CELL or not text.strip().startswith(("{", "[")):
        return text
    try:
        return _as_json(json.loads(text))
    except (ValueError, RecursionError):
        pass
    try:
        return _as_json(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text


def _as_json(value: object) -> Json:
    """Return a literal as JSON; raise :class:`ValueError` where JSON has no such value."""
    found: Json = json.loads(json.dumps(value, allow_nan=False))
    return found

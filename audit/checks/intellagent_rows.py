"""Generated events whose own rows do not fit together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from audit.checks.dates import today_of
from audit.checks.intellagent_view import Event, Events, Fields, Table, key_of
from audit.checks.numbers import dates_in
from audit.checks.protocol import Subject
from audit.checks.raw import inside, leaves, objects, show, texts
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Origin, Row

SHARED_KEY = Rule(
    "event-shared-key",
    "Rows of one table share an id",
    Severity.ERROR,
    Certainty.PROVED,
    "Two rows or more of the event's table have the same id, often that of the example that the generator was shown. "
    "Tools look rows up by id: some programs stop while they load such a table, and then the dialog counts as the "
    "agent's failure; others keep one of the rows and lose the rest.",
    "Give every row its own id, and let the text name the right one.",
)
NO_KEY = Rule(
    "event-row-without-id",
    "A row has no id",
    Severity.WARNING,
    Certainty.PROVED,
    "The table has a column of ids, and this row holds nothing in it. No tool can find the row; it is mostly a "
    "record of another shape that was put into the wrong table.",
    "Give the row an id, or take it out.",
)
DANGLING = Rule(
    "event-reference-without-row",
    "A row refers to a row that does not exist",
    Severity.WARNING,
    Certainty.PROVED,
    "A field that names a row of another table by id, such as the flight of a reservation, holds an id that no row of "
    "the event's small database has. A tool that follows it fails. It does no harm where no step of the task needs the "
    "other row.",
    "Add the row, or refer to one that exists.",
)
COPY_DIFFERS = Rule(
    "event-copy-differs",
    "A row repeats a field of the row that it refers to, with another value",
    Severity.WARNING,
    Certainty.PROVED,
    "An entry names another row by id and repeats one of its fields, such as a route, with a different value. What "
    "the agent finds depends on which of the two it looks up.",
    "Write the same value in both.",
)
NOT_OFFERED = Rule(
    "event-value-not-offered",
    "A row takes something that the row which it refers to does not offer",
    Severity.WARNING,
    Certainty.PROVED,
    "An entry names another row by id and one of the values that this row lists, such as one of a flight's dates, and "
    "the value is not in the list. Tools that look up the date, for a price or a status, fail.",
    "Add the value to the list, or take one that is in it.",
)
NOT_HELD = Rule(
    "event-payment-not-held",
    "A row was paid by what its owner does not have",
    Severity.WARNING,
    Certainty.PROVED,
    "The row belongs to a person, and names something of that person's by id, mostly a way to pay, that is not in the "
    "person's profile. Policies that let only stored ways to pay be used can't be tested on it, and refunds have no "
    "place to go.",
    "Add it to the profile, or name one that is there.",
)
LISTS_DIFFER = Rule(
    "event-list-differs",
    "A person's list and the rows that belong to the person differ",
    Severity.NOTE,
    Certainty.PROVED,
    "A profile lists ids of rows that do not exist, or leaves out a row that names the person as its owner. An agent "
    "that starts from the profile finds other rows than one that starts from the id. Generated databases seldom keep "
    "both in step, so it is a note.",
    "List exactly the rows that there are.",
)
FUTURE = Rule(
    "event-done-in-future",
    "Something is over on a day that is still to come",
    Severity.WARNING,
    Certainty.PROVED,
    "A status such as landed or completed stands under a day after the policy's current day. The agent can't tell "
    "whether the thing can still be booked, changed or cancelled.",
    "Give a status that fits the policy's current day.",
)
_DONE = frozenset(("landed", "completed", "flown", "arrived", "departed", "delivered"))
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

RULES = (SHARED_KEY, NO_KEY, DANGLING, COPY_DIFFERS, NOT_OFFERED, NOT_HELD, LISTS_DIFFER, FUTURE)


def inspect_rows(subject: Subject, events: Events) -> Iterator[Finding]:
    """Yield what does not fit together in the rows of each event."""
    for event in events.events:
        for table in event.tables.values():
            yield from _keys(table)
            for row, value in table.rows:
                yield from _references(events, event, row, value)
                yield from _held(events, event, row, value)
        yield from _lists(events, event)
        yield from _future(subject, event)


def _keys(table: Table) -> Iterator[Finding]:
    for key, same in table.by_key.items():
        if len(same) > 1:
            yield report(
                SHARED_KEY,
                f"{len(same)} rows of {show(table.name)} have the id {show(key)!r}.",
                origin=same[1][0].origin,
                subject=f"{table.name} {show(key)}",
                evidence=tuple((f"row {n}", show(dict(value))) for n, (_, value) in enumerate(same[:3], 1)),
            )
    for row, value in table.rows if table.by_key else ():
        if key_of(value, table.key) is None:
            yield report(
                NO_KEY,
                f"A row of {show(table.name)} has no {table.key}.",
                origin=row.origin,
                subject=f"{table.name} {show(dict(value))}",
                evidence=(("row", show(dict(value))),),
            )


def _references(events: Events, event: Event, row: Row, value: Fields) -> Iterator[Finding]:
    """Yield the faults of the ids of other tables' rows that stand in a row, each once."""
    seen: set[tuple[str, str]] = set()
    for path, node in objects(value):
        for name in node:
            table = events.table_of.get(name)
            key = key_of(node, name)
            if table is None or key is None or (not path and table == row.table):
                continue
            origin = inside(row.origin, f"{path}.{name}".lstrip("."))
            if not event.has(table, key):
                if (name, key) not in seen:
                    yield _dangling(row, name, (table, key), origin)
                seen.add((name, key))
            elif path:
                yield from _beside(event, row, node, (table, key, origin))


def _dangling(row: Row, name: str, ref: tuple[str, str], origin: Origin) -> Finding:
    table, key = ref
    return report(
        DANGLING,
        f"{row.table} {show(row.key)!r} has the {name} {show(key)!r}, and {show(table)} has no such row.",
        origin=origin,
        subject=f"{row.table} {row.key} {name} {show(key)}",
        evidence=(("row", f"{row.table} {show(row.key)}"), (name, show(key))),
    )


def _beside(event: Event, row: Row, node: Fields, found: tuple[str, str, Origin]) -> Iterator[Finding]:
    """Yield the fields beside an id that clash with the row of that id."""
    table, key, origin = found
    targets = [value for _, value in event.tables[table].by_key[key]]
    for field, value in node.items():
        if not isinstance(value, str) or field == event.tables[table].key:
            continue
        stated = [target[field] for target in targets if field in target]
        offered = [_offers(target[f"{field}s"]) for target in targets if f"{field}s" in target]
        subject = f"{row.table} {row.key} {table} {key} {field} {show(value)}"
        if stated and all(isinstance(other, str) for other in stated) and value not in stated:
            yield report(
                COPY_DIFFERS,
                f"{row.table} {show(row.key)!r} gives {table} {show(key)!r} the {field} {show(value)!r}; its own row "
                f"has {show(stated[0])!r}.",
                origin=origin,
                subject=subject,
                evidence=((f"{row.table} {show(row.key)}", show(value)), (f"{table} {show(key)}", show(stated[0]))),
            )
        if offered and all(offered) and not any(value in values for values in offered):
            yield report(
                NOT_OFFERED,
                f"{row.table} {show(row.key)!r} takes {show(value)!r} of {table} {show(key)!r}, which is not among "
                f"its {field}s.",
                origin=origin,
                subject=subject,
                evidence=((field, show(value)), (f"{field}s", show(sorted(offered[0])))),
            )


def _offers(value: Json) -> frozenset[str]:
    """Return the keys of an object, or the texts of a list."""
    listed = value if isinstance(value, Mapping | list) else ()
    return frozenset(part for part in listed if isinstance(part, str))


def _owner(events: Events, event: Event, row: Row, value: Fields) -> tuple[Row, Fields] | None:
    """Return the row of the person whom a row belongs to: the only other row that it names at its top."""
    found = [
        owner
        for name, table in events.table_of.items()
        if table != row.table and (key := key_of(value, name)) is not None and event.has(table, key)
        for owner in event.tables[table].by_key[key][:1]
    ]
    return found[0] if len(found) == 1 else None


def _held(events: Events, event: Event, row: Row, value: Fields) -> Iterator[Finding]:
    owner = _owner(events, event, row, value)
    seen: set[str] = set()
    for leaf in leaves(dict(value)) if owner else ():
        if not leaf.name.endswith("_id") or leaf.name in events.table_of or not isinstance(leaf.value, str):
            continue
        held = _holdings(owner[1], leaf.name.removesuffix("_id")) if owner else None
        if owner and held is not None and leaf.value not in held | seen:
            seen.add(leaf.value)
            yield report(
                NOT_HELD,
                f"{row.table} {show(row.key)!r} names {show(leaf.value)!r}, which {owner[0].key!r:.80} does not have.",
                origin=inside(row.origin, leaf.path),
                subject=f"{row.table} {row.key} {show(leaf.value)}",
                evidence=((leaf.name, show(leaf.value)), ("in the profile", show(sorted(held)))),
            )


def _holdings(person: Fields, stem: str) -> frozenset[str] | None:
    """Return the ids of what a person has under a name that starts like this; ``None`` if there is no such thing."""
    column = next((name for name in person if name.startswith(stem) and name.endswith("s")), None)
    value = person[column] if column is not None else None
    if not isinstance(value, Mapping | list):
        return None
    ids = {str(leaf.value) for leaf in leaves(value) if leaf.name == "id" or leaf.name.endswith("_id")}
    return _offers(value) | ids


def _lists(events: Events, event: Event) -> Iterator[Finding]:
    """Yield where a list named for a table and that table differ."""
    owned = _owned(events, event)
    for table in event.tables.values():
        for row, value in table.rows:
            for column in value:
                if column in events.n_with and column != row.table and isinstance(value[column], list):
                    yield from _list(event, row, column, (frozenset(texts(value[column])), owned))


def _list(event: Event, row: Row, column: str, found: tuple[frozenset[str], _Owned]) -> Iterator[Finding]:
    keys, owned = found
    mine = owned.get((row.table, row.key, column), set())
    missing, left_out = sorted(key for key in keys if not event.has(column, key)), sorted(mine - keys)
    for what, ids in (("lists", missing), ("does not list", left_out)):
        if ids:
            rest = "which have no row" if what == "lists" else f"whose rows name it in {column}"
            yield report(
                LISTS_DIFFER,
                f"{row.table} {show(row.key)!r} {what} {show(', '.join(ids))}, {rest}.",
                origin=inside(row.origin, column),
                subject=f"{row.table} {row.key} {what} {column}",
                evidence=((column, show(sorted(keys))), ("ids", show(ids))),
            )


_Owned = dict[tuple[str, str, str], set[str]]
"""Table and key of a person's row, and a table, to the ids of the rows there that belong to the person."""


def _owned(events: Events, event: Event) -> _Owned:
    found: _Owned = {}
    for table in event.tables.values():
        for row, value in table.rows:
            owner, key = _owner(events, event, row, value), key_of(value, table.key)
            if owner is not None and key is not None:
                found.setdefault((owner[0].table, owner[0].key, table.name), set()).add(key)
    return found


def _future(subject: Subject, event: Event) -> Iterator[Finding]:
    today = today_of(subject.benchmark.policy_of(event.task))
    for row in event.task.rows if today else ():
        late: Counter[str] = Counter()
        for leaf in leaves(row.value):
            status = leaf.value.strip().lower() if isinstance(leaf.value, str) else ""
            days = [day for _, day in dates_in(leaf.path) if day] if status in _DONE and _DAY.search(leaf.path) else []
            if today and days and min(days) > today:
                late[status] += 1
        for status, n in late.items():
            yield report(
                FUTURE,
                f"{row.table} {show(row.key)!r} is {status} after the policy's {today} (days: {n}).",
                origin=row.origin,
                subject=f"{row.table} {row.key} {status}",
                evidence=(("status", status), ("policy's current day", str(today))),
            )

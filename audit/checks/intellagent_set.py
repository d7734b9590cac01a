"""Generated events as a set: repetitions, and columns and words that one event has alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from audit.checks.intellagent_view import Event, Events
from audit.checks.intellagent_words import spelled, word_columns
from audit.checks.protocol import Subject
from audit.checks.raw import child, place, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json

REPEATED = Rule(
    "event-description-repeated",
    "An event was made from the same description as another",
    Severity.WARNING,
    Certainty.PROVED,
    "The description that came before the entities is, word for word, that of an earlier event, and only the rows and "
    "the names differ. Generators without chance repeat themselves; the later event tests the same behavior again.",
    "Leave one of them out.",
)
OTHER_SCENARIO = Rule(
    "event-scenario-of-another",
    "An event carries the scenario of another",
    Severity.WARNING,
    Certainty.PROVED,
    "The scenario is word for word that of another event, while the descriptions that the two were made from differ. "
    "Older versions of the generator did this to every event without a database; such events are judged by their own "
    "description here, but a simulated user was told the other's.",
    "Use the description as the scenario, or generate the set anew.",
)
COLUMN = Rule(
    "event-column-unknown",
    "A table has a column that it has in few other events",
    Severity.NOTE,
    Certainty.LIKELY,
    "At most one event in four that have this table has the column. It was invented for this event: tools do not read "
    "it, and rows of another table end up in columns of their own. It is a false alarm where a schema has optional "
    "columns.",
    "Drop the column, or put its values where the schema wants them.",
)
VALUE = Rule(
    "event-value-unknown-to-policy",
    "A row holds a value that the policy has no rule for",
    Severity.WARNING,
    Certainty.LIKELY,
    "The policy names several values of this column, such as levels of membership, and not this one. What the agent "
    "must do is then left open. It is a false alarm where the policy's silence is the point.",
    "Use one of the values that the policy knows.",
)
RULES = (REPEATED, OTHER_SCENARIO, COLUMN, VALUE)

_RARE, _LEAST_EVENTS, _LEAST_KNOWN = 0.25, 4, 2


def inspect_set(subject: Subject, events: Events) -> Iterator[Finding]:
    """Yield what shows when events are compared with one another and with the policy."""
    yield from _repeated(events)
    yield from _columns(events)
    yield from _values(subject, events)


def _repeated(events: Events) -> Iterator[Finding]:
    firsts: dict[str, Event] = {}
    scenarios: dict[str, Event] = {}
    for event in events.events:
        before = _folded(child(event.task.raw, "description", "event_description"))
        scenario = _folded(child(event.task.raw, "scenario"))
        first = firsts.setdefault(before, event)
        if before and first is not event:
            what = f"The description is that of event {show(first.task.id)}."
            yield _told(REPEATED, event, "description.event_description", what, first)
        other = scenarios.setdefault(scenario, event)
        if scenario and before != _folded(child(other.task.raw, "description", "event_description")):
            what = f"The scenario is that of event {show(other.task.id)}, and the descriptions differ."
            yield _told(OTHER_SCENARIO, event, "scenario", what, other)


def _told(rule: Rule, event: Event, field: str, what: str, other: Event) -> Finding:
    origin = place(event.task, field)
    evidence = (("as event", show(other.task.id)),)
    return report(rule, what, origin=origin, subject=f"as {other.task.id}", evidence=evidence)


def _folded(value: Json) -> str:
    return " ".join(value.lower().split()) if isinstance(value, str) else ""


def _columns(events: Events) -> Iterator[Finding]:
    holders: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for event in events.events:
        for table in event.tables.values():
            for column in dict.fromkeys(name for _, value in table.rows for name in value):
                holders[table.name, column].append(event)
    odd: dict[tuple[str, str], list[str]] = defaultdict(list)
    by_id = {event.task.id: event for event in events.events}
    for (name, column), found in holders.items():
        if events.n_with[name] >= _LEAST_EVENTS and len(found) <= _RARE * events.n_with[name]:
            for event in found:
                odd[event.task.id, name].append(column)
    for (task_id, name), columns in odd.items():
        yield report(
            COLUMN,
            f"{show(name)} has {show(', '.join(columns))}, which it has in few other events.",
            origin=place(by_id[task_id].task, f"database.{name}"),
            subject=f"{name} {show(' '.join(columns))}",
            evidence=(("columns", show(columns)),),
        )


def _values(subject: Subject, events: Events) -> Iterator[Finding]:
    policy = spelled(subject.benchmark.policy.text)
    for (table, column), values in word_columns(events).items():
        known = {value for value in values if re.search(rf"(?<!\w){re.escape(spelled(value))}(?!\w)", policy)}
        unknown = set(values) - known if len({spelled(value) for value in known}) >= _LEAST_KNOWN else set()
        for event in events.events if unknown else ():
            yield from _unknown(event, (table, column), unknown)


def _unknown(event: Event, column: tuple[str, str], unknown: set[str]) -> Iterator[Finding]:
    table, name = column
    seen: set[str] = set()
    for row, value in event.tables[table].rows if table in event.tables else ():
        cell = value.get(name)
        if isinstance(cell, str) and cell in unknown - seen:
            seen.add(cell)
            yield report(
                VALUE,
                f"{table} {show(row.key)!r} has the {name} {show(cell)!r}, which the policy does not name.",
                origin=row.origin,
                subject=f"{table} {name} {show(cell)}",
                evidence=((name, show(cell)),),
            )

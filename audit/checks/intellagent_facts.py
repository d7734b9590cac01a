"""Generated events whose text tells an age, a route or a wish that their rows rule out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from audit.checks.intellagent_mentions import Mention, mentions_in, said_in
from audit.checks.intellagent_text import CONTRADICTS
from audit.checks.intellagent_view import Event, Events, Fields
from audit.checks.places import codes_of
from audit.checks.protocol import Subject
from audit.checks.raw import leaves, objects, show
from audit.checks.sentences import sentences_of
from audit.records.finding import Certainty, Finding, Rule, Severity
from audit.records.policy import Policy

OUTCOME = Rule(
    "event-outcome-there",
    "What the user is to get is in the database already",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text has the user book or buy something in the dialog, and a row that comes of it, such as the reservation of "
    "that flight, is there from the start. The agent finds it done, or does it twice, and the final state says "
    "nothing about what the agent did. It is a false alarm where the user really wants a second one.",
    "Take the row out of the initial state.",
)
RULES = (OUTCOME,)

_ZONES = {"": 0, "EST": 5, "EDT": 4, "CST": 6, "CDT": 5, "MST": 7, "MDT": 6, "PST": 8, "PDT": 7}
"""Hours behind universal time, in which a row may hold its times."""
_NOW = re.compile(
    r"(?:current|present)\s+(?:date|time|day)[^.\n]{0,40}?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d)?"
    rf"\s*({'|'.join(sorted(_ZONES, reverse=True))})"
)
_AGE = re.compile(
    r"\b(?:booked|made|created|placed|ordered|bought|purchased)\s+(?:(?:about|around|just|only|exactly)\s+)?"
    r"(\d{1,4})\s+(hour|day)s?\s+ago"
)
_MADE = re.compile(r"creat|book|order|purchas|placed", re.IGNORECASE)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_SLACK = 0.1
_ROUTE = re.compile(
    r"['\"’”]?\s+(?:with\s+)?from\s+['\"‘“]?([A-Z]\w*(?: [A-Z]\w*){0,2})['\"’”]?(?:\s+\(\w+\))?\s+to\s+"
    r"['\"‘“]?([A-Z]\w*(?: [A-Z]\w*){0,2})"
)
_ENDS = (("origin", "destination"), ("from", "to"))
_GETS = re.compile(
    r"\b(?:to\s+(?:book|reserve|buy|purchase|rent)|(?:books|reserves|buys|purchases|rents)\s+(?:an?|the|another))\b"
)
_SHUT = frozenset(("cancelled", "canceled", "sold out", "discontinued", "unavailable"))


Rows = Sequence[Fields]


def inspect_facts(subject: Subject, events: Events) -> Iterator[Finding]:
    """Yield the ages, routes and wishes of texts that rows rule out."""
    for event in events.events:
        clock = _clock(subject.benchmark.policy_of(event.task))
        earlier: set[str] = set()
        for sentence in sentences_of(event.text):
            mentions = list(mentions_in(sentence, events))
            if clock is not None:
                yield from _ages(event, sentence, clock)
            yield from _routes(event, sentence, mentions)
            yield from _wishes(events, event, sentence, mentions, earlier)
            earlier |= {mention.id for mention in mentions}


def _clock(policy: Policy) -> tuple[datetime, int] | None:
    """Return the current time that a policy states, and how far its zone is behind universal time."""
    found = _NOW.search(policy.text)
    now = _parsed(f"{found[1]}T{found[2]}") if found else None
    if found is None or now is None:
        return None
    return now, _ZONES[found[3]]


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _ages(event: Event, sentence: str, clock: tuple[datetime, int]) -> Iterator[Finding]:
    """Yield the rows that a sentence names which were made at another time than it says, by the clocks of both zones
    that their times may be in.
    """
    found = _AGE.search(sentence)
    if found is None:
        return
    unit = timedelta(hours=1) if found[2] == "hour" else timedelta(days=1)
    said, (now, behind) = int(found[1]) * unit, clock
    for table, key, same in _named(event, sentence):
        times = [time for value in same for time in _times(value)]
        ages = [now + timedelta(hours=hours) - time for time in times for hours in (0, behind)]
        if ages and all(abs(age - said) > max(said * _SLACK, unit) for age in ages):
            what = f"{table} {show(key)!r} was made {_spelled(min(ages))} before the policy's current time"
            told = f"The text says {found[0]!r}, and {what}."
            yield said_in(CONTRADICTS, event, what=told, subject=f"{table} {show(key)} age")


def _spelled(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return f"{hours:.1f} hours" if abs(age) < timedelta(days=3) else f"{hours / 24:.1f} days"


def _named(event: Event, sentence: str) -> Iterator[tuple[str, str, Rows]]:
    """Yield the rows whose ids stand in a sentence."""
    for table in event.tables.values():
        for key, same in table.by_key.items():
            if re.search(rf"(?<!\w){re.escape(key)}(?!\w)", sentence):
                yield table.name, key, [value for _, value in same]


def _times(value: Fields) -> Iterator[datetime]:
    for name, cell in value.items():
        found = _TIME.match(cell) if isinstance(cell, str) and _MADE.search(name) else None
        time = _parsed(f"{found[1]}T{found[2]}") if found else None
        if time is not None:
            yield time


def _routes(event: Event, sentence: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """Yield the rows that a sentence names with a route which neither they nor any leg of theirs has."""
    for mention in mentions:
        found = _ROUTE.match(sentence, mention.end)
        if found is None or mention.table is None or mention.table not in event.tables:
            continue
        said = codes_of(found[1]), codes_of(found[2])
        table = event.tables[mention.table]
        same = [value for _, value in table.by_key[mention.id]] if mention.id in table.by_key else []
        held = [route for value in same for _, part in objects(dict(value)) for route in _ends(part)]
        if all(said) and held and not any(_fits(said, route) for route in held):
            what = f"{table.name} {show(mention.id)!r} goes from {show(held[0][0])!r} to {show(held[0][1])!r}"
            told = f"The text says {_shown(found)!r}, and {what}."
            yield said_in(CONTRADICTS, event, what=told, subject=f"{table.name} {show(mention.id)} route")


def _shown(route: re.Match[str]) -> str:
    return f"from {route[1]} to {route[2]}"


def _ends(value: Fields) -> Iterator[tuple[str, str]]:
    for start, end in _ENDS:
        ends = value.get(start), value.get(end)
        if isinstance(ends[0], str) and isinstance(ends[1], str):
            yield ends[0], ends[1]


def _fits(said: tuple[frozenset[str], frozenset[str]], route: tuple[str, str]) -> bool:
    """Return whether a route may be the one said; a place that is not known may be any."""
    held = codes_of(route[0]), codes_of(route[1])
    return all(not codes or not known.isdisjoint(codes) for known, codes in zip(said, held, strict=True))


def _wishes(
    events: Events, event: Event, sentence: str, mentions: Sequence[Mention], earlier: set[str]
) -> Iterator[Finding]:
    """Yield what the user is to get and has already, or can't get because it is shut."""
    verb = _GETS.search(sentence)
    wanted = [mention for mention in mentions if verb and mention.start > verb.end() and mention.table in event.tables]
    for mention in wanted:
        table = event.tables[mention.table or ""]
        same = [value for _, value in table.by_key[mention.id]] if mention.id in table.by_key else []
        found = {str(leaf.value).lower() for value in same for leaf in leaves(value) if leaf.name == "status"}
        if found and found <= _SHUT:
            statuses = ", ".join(sorted(found))
            what = f"The user is to get {table.name} {show(mention.id)!r}, which is only {statuses!r}."
            yield said_in(CONTRADICTS, event, what=what, subject=f"{table.name} {show(mention.id)} status")
    yield from _there(events, event, [mention for mention in wanted if mention.table], earlier)


def _there(events: Events, event: Event, wanted: Sequence[Mention], earlier: set[str]) -> Iterator[Finding]:
    """Yield the rows that refer to what the user is to get, unless an earlier sentence named them as existing."""
    for table in event.tables.values():
        for key, same in table.by_key.items():
            known = {(leaf.name, leaf.value) for _, value in same for leaf in leaves(value)}
            pairs = {(events.table_of[name], str(value)) for name, value in known if name in events.table_of}
            ids = [mention.id for mention in wanted if (mention.table, mention.id) in pairs - {(table.name, key)}]
            if ids and key not in earlier:
                thing = ", ".join(dict.fromkeys(map(show, ids)))
                what = f"The user is to get {thing!r}, and {table.name} {show(key)!r} has it from the start."
                yield said_in(OUTCOME, event, what=what, subject=f"{table.name} {show(key)}")

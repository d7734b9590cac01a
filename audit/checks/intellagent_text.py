"""Generated events whose text and rows do not fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.intellagent_mentions import LOOK_BACK, Mention, mentions_in, said_in
from audit.checks.intellagent_view import Event, Events
from audit.checks.intellagent_words import (
    Domains,
    domains_of,
    policy_statuses,
    spelled,
    statuses_in,
    words_in_sentence,
)
from audit.checks.protocol import Subject
from audit.checks.raw import inside, leaves, show
from audit.checks.sentences import sentences_of
from audit.databases.key_columns import singular
from audit.records.finding import Certainty, Finding, Rule, Severity, report

NO_TABLE = Rule(
    "event-table-missing",
    "The text names a row of a table that the event does not have",
    Severity.ERROR,
    Certainty.PROVED,
    "The text names something by id, such as a reservation, and the event's small database holds no table of such "
    "things at all, while other events do. Every tool that opens the table fails; programs that prepare it stop before "
    "the dialog starts, and the agent is blamed. Ids of things that the agent is to make in the dialog are the one "
    "false alarm, and even then the table has to exist.",
    "Generate the event anew, or add the table with the row that the text names.",
)
NO_ROW = Rule(
    "event-entity-without-row",
    "The text names something that no row of the event is about",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text names a person, a booking or a thing by id or speaks of one as existing, and no row has it. The agent "
    "can't find it, while the expected behavior supposes that it can. It is a false alarm where the user is meant to "
    "be wrong, or where the thing only comes to be in the dialog.",
    "Add the row, or name one that exists.",
)
PLACEHOLDER = Rule(
    "event-placeholder-left",
    "A placeholder was never filled in",
    Severity.WARNING,
    Certainty.LIKELY,
    "The event was first written with short names such as R or P1 for what was not decided yet. One of them is still "
    "there, beside the real id in the text, or as a value in a row that should hold a word. Simulated users say it, "
    "and agents look it up in vain.",
    "Put the real id or value in its place.",
)
CONTRADICTS = Rule(
    "event-text-against-row",
    "The text says of a row what the row denies",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text gives one of the values that this column has in other events, such as a cabin or a membership, and the "
    "row that it is about holds another. By the text one rule of the policy applies, by the row another, so the "
    "expected behavior is right for one of them only. It is a false alarm where the text says what is wanted instead "
    "of what is.",
    "Make text and row agree.",
)
TOLD = Rule(
    "event-tells-agent-acts",
    "The scenario tells what the agent does",
    Severity.NOTE,
    Certainty.LIKELY,
    "The scenario is what the simulated user reads, and a sentence of it narrates an act of the agent. The user then "
    "knows the outcome, and the description agrees with the expected behavior because it repeats it.",
    "Tell only what the user wants, knows and does.",
)
RULES = (NO_TABLE, NO_ROW, PLACEHOLDER, CONTRADICTS, TOLD)

_SHORT = re.compile(r"[A-Z]\d{0,2}")
_ACTS = re.compile(
    r"\b(?:chatbot|agent|assistant|bot)\b\s+(?:(?:then|also|first|successfully|cannot|will|does|finally)\s+)*"
    r"(?!(?:is|was|has|as|does|this|whose|plus|always)\b)(?:[a-z]+s\b|cannot\b|will\b)",
    re.IGNORECASE,
)
_REASONS = {
    NO_TABLE.id: "the event has no table of such things",
    NO_ROW.id: "no row has this id",
    PLACEHOLDER.id: "the real id stands beside it",
}
_EXISTING = re.compile(r"\b(?:their|his|her|existing|has an?|the)\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)


def inspect_texts(subject: Subject, events: Events) -> Iterator[Finding]:
    """Yield where the texts of events and their rows clash."""
    domains = domains_of(events)
    statuses = statuses_in(events) | policy_statuses(subject.benchmark.policy.text)
    for event in events.events:
        mentions = list(mentions_in(event.text, events))
        yield from _absent(events, event, mentions)
        yield from _in_rows(events, event)
        yield from _against(event, domains)
        yield from _statuses_against(event, statuses)
        yield from _acts(event)


def _absent(events: Events, event: Event, mentions: list[Mention]) -> Iterator[Finding]:
    absent = dict.fromkeys(mention for mention in mentions if not _is_there(event, mention))
    real = {mention.table for mention in mentions if mention.table and mention not in absent}
    seen: set[str | None] = set()
    for mention in absent:
        has_table = mention.table is None or mention.table in event.tables
        rule = PLACEHOLDER if _SHORT.fullmatch(mention.id) and mention.table in real else NO_ROW
        rule = rule if has_table else NO_TABLE
        seen.add(mention.table)
        noun = singular(mention.table) if mention.table else "thing"
        yield said_in(
            rule,
            event,
            what=f"The text names the {noun} {show(mention.id)!r}, and {_REASONS[rule.id]}.",
            subject=f"{mention.table} {show(mention.id)}",
        )
    for table in events.usual:
        if table not in event.tables and table not in seen and _speaks_of(event.text, table):
            what = f"The text speaks of a {singular(table)} as existing, and the event has no table {show(table)}."
            yield said_in(NO_ROW, event, what=what, subject=f"no table {table}")


def _is_there(event: Event, mention: Mention) -> bool:
    return mention.id in event.values if mention.table is None else event.has(mention.table, mention.id)


def _speaks_of(text: str, table: str) -> bool:
    nouns = re.finditer(rf"\b{re.escape(singular(table))}\b", text, re.IGNORECASE)
    return any(_EXISTING.search(text[max(0, noun.start() - LOOK_BACK) : noun.start()]) for noun in nouns)


def _in_rows(events: Events, event: Event) -> Iterator[Finding]:
    """Yield the short names that stand in rows where no id stands, one a field."""
    seen: set[str] = set()
    for row in event.task.rows:
        for leaf in leaves(row.value):
            is_plain = leaf.name not in events.table_of and leaf.name not in events.n_with
            if not isinstance(leaf.value, str) or not is_plain or leaf.name.endswith(("id", "number", "code", "zip")):
                continue
            if _SHORT.fullmatch(leaf.value) and len(leaf.value) > 1 and leaf.name not in seen:
                seen.add(leaf.name)
                yield report(
                    PLACEHOLDER,
                    f"{row.table} {show(row.key)!r} has {show(leaf.value)!r} for its {leaf.name}.",
                    origin=inside(row.origin, leaf.path),
                    subject=f"{leaf.name} {leaf.value}",
                    evidence=((leaf.name, leaf.value),),
                )


def _against(event: Event, domains: Domains) -> Iterator[Finding]:
    sentences = list(sentences_of(event.text))
    every = frozenset(value for values in domains.values() for value in values)
    for (table, column), values in domains.items():
        rows = event.tables[table].by_key if table in event.tables else {}
        for key, same in rows.items():
            if key not in event.text and len(rows) > 1:
                continue
            about = [sentence for sentence in sentences if re.search(rf"(?<!\w){re.escape(key)}(?!\w)", sentence)]
            about = about or (sentences if len(rows) == 1 else [])
            held = {spelled(cell) for _, value in same if isinstance(cell := value.get(column), str)}
            said = values & {word for sentence in about for word in _told(every, sentence)}
            if said and held and held.isdisjoint(said):
                yield said_in(
                    CONTRADICTS,
                    event,
                    what=f"The text says {show(', '.join(sorted(said)))!r}, and {table} {show(key)!r} has the {column} "
                    f"{show(', '.join(sorted(held)))!r}.",
                    subject=f"{table} {show(key)} {column}",
                )


def _told(values: frozenset[str], sentence: str) -> Iterator[str]:
    """Yield the values that a sentence holds, but for those that something is to become."""
    rest = spelled(sentence)
    for value in words_in_sentence(values, sentence):
        if not re.search(rf"\b(?:to|into)\s+(?:an?\s+|the\s+)?{re.escape(value)}(?!\w)", rest):
            yield value


def _statuses_against(event: Event, statuses: frozenset[str]) -> Iterator[Finding]:
    """Yield the rows that the text names right after a status which nothing inside the row has."""
    for table in event.tables.values():
        for key, same in table.by_key.items():
            if key not in event.text:
                continue
            held = {spelled(str(leaf.value)) for _, value in same for leaf in leaves(value) if leaf.name == "status"}
            noun = rf"\s+{re.escape(singular(table.name))}\s+['\"‘“]?{re.escape(key)}(?!\w)"
            said = {word for word in statuses if held and re.search(rf"\b{re.escape(word)}{noun}", event.text)}
            if said and held.isdisjoint(said):
                yield said_in(
                    CONTRADICTS,
                    event,
                    what=f"The text says {show(', '.join(sorted(said)))!r}, and {table.name} {show(key)!r} is only "
                    f"{show(', '.join(sorted(held)))!r}.",
                    subject=f"{table.name} {show(key)} status",
                )


def _acts(event: Event) -> Iterator[Finding]:
    told = [sentence for sentence in sentences_of(event.text) if _ACTS.search(sentence)]
    if told:
        n = f"{len(told)} sentences of the scenario tell" if len(told) > 1 else "A sentence of the scenario tells"
        part = event.task.description[0]
        yield report(
            TOLD,
            f"{n} what the agent does: {show(told[0])!r}.",
            origin=part.origin,
            subject="acts",
            evidence=(("sentence", show(told[0])),),
        )

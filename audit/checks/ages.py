"""Rows that a script tells apart by their age, where no row says how old it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from audit.checks.numbers import dates_in
from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, show
from audit.checks.references import says
from audit.checks.sentences import sentences_of
from audit.checks.world import World, world_of
from audit.databases.key_columns import singular
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, PartKind, Row, Task, ToolKind

AGE = Rule(
    "script-tells-by-unknown-age",
    "The script tells rows apart by their age, which no row holds",
    Severity.WARNING,
    Certainty.LIKELY,
    "The script speaks of the older, newest or most recent of several things of the user's, names two or more of them, "
    "and gold changes one. No row of their table holds a date, so neither the user nor the agent can tell which is "
    "meant. Where the script names none of them, the agent may go by their order in a list, and this is a note.",
    "Name the one that is meant, or give the rows a date.",
)
_AGES = "older|oldest|newer|newest|latest|most recent|most recently placed|earlier|earliest"
_DAY = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d{4}/\d{1,2}/\d{1,2}")


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the things that scripts call older or newer than others, where their table has no dates."""
    world = world_of(subject)
    dated: dict[str, bool] = {}
    for task in subject.benchmark.tasks:
        for table in sorted({row.table for row in task.rows} - world.index.people):
            own = [row for row in task.rows if row.table == table and (table, row.key) in world.owner_of]
            said = _said(task, singular(table)) if len(own) > 1 else None
            if said is None or not _is_written(world, task, own):
                continue
            if table not in dated:
                dated[table] = any(map(_is_dated, world.benchmark.database.get(table, {}).values()))
            if not dated[table]:
                yield _finding(task, said, own)


def _said(task: Task, noun: str) -> tuple[int, str] | None:
    """Return the part of the description, by position, and the sentence that tells things of a kind apart by age."""
    pattern = re.compile(
        rf"\b(?:{_AGES})\s+{re.escape(noun)}\b|\b{re.escape(noun)}\b[^.?!]{{0,20}}\b(?:{_AGES})\b", re.I
    )
    for position, part in enumerate(task.description):
        if part.kind is PartKind.SCENARIO:
            for sentence in sentences_of(part.text):
                if pattern.search(sentence):
                    return position, sentence
    return None


def _is_written(world: World, task: Task, rows: list[Row]) -> bool:
    """Return whether gold changes some of the rows and not all: then it matters which is meant."""
    keys = {row.key for row in rows}
    written = {
        leaf.value
        for call in world.calls[task.id]
        if call.action.kind is ToolKind.WRITE
        for leaf in leaves(dict(call.arguments))
        if isinstance(leaf.value, str)
    }
    return bool(keys & written)


def _is_dated(row: Json) -> bool:
    texts = [leaf.value for leaf in leaves(row) if isinstance(leaf.value, str)]
    return any(_DAY.search(text) or next(dates_in(text), None) for text in texts)


def _finding(task: Task, said: tuple[int, str], rows: list[Row]) -> Finding:
    position, sentence = said
    text = task.description_text
    named = [row.key for row in rows if says(text, row.key)]
    finding = report(
        AGE,
        f"The script tells {show(rows[0].table)} apart by their age, and no row of that table holds a date.",
        origin=task.description[position].origin,
        subject=f"{rows[0].table} {show(sentence)}",
        evidence=(("script", show(sentence)), ("named", show(", ".join(named)) or "none")),
    )
    return finding if len(named) > 1 else replace(finding, severity=Severity.NOTE)


CHECK = Check("ages", (AGE,), inspect)

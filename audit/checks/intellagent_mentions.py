"""The ids that the text of a generated event names, and the tables that it means by them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from audit.checks.intellagent_view import Event, Events
from audit.checks.raw import show
from audit.databases.key_columns import singular
from audit.records.finding import Finding, Rule, report

LOOK_BACK = 60
"""Characters before an id in which a noun says what it is the id of."""
_QUOTED = re.compile(r"(?<!\w)['\"‘“]([A-Za-z0-9#][\w#.-]{0,39})['\"’”](?!\w)")
_AFTER_ID = re.compile(r"\b(?:ID|Id|id|number)\s*(?:is|:|#)?\s+([A-Z0-9][\w-]*\d[\w-]*)\b")
_IS_ID = re.compile(r"[\w#.-]*[\d_][\w#.-]*|[A-Z]")
_FILL = frozenset(
    ("s", "with", "the", "an", "a", "and", "or", "is", "id", "ids", "number", "numbers", "has", "of", "as", "both")
)
"""Words that may stand between a noun and the id of what it means."""
_QUOTES = re.compile(r"['\"‘“][^'\"’”]{0,40}['\"’”]")


@dataclass(frozen=True, slots=True)
class Mention:
    """An id in a text, the table that the word before it means, and where it stands."""

    id: str
    table: str | None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def mentions_in(text: str, events: Events) -> Iterator[Mention]:
    """Yield the ids that a text names, each once a table."""
    found = [
        match for pattern in (_QUOTED, _AFTER_ID) for match in pattern.finditer(text) if _IS_ID.fullmatch(match[1])
    ]
    made = [
        Mention(
            match[1],
            _table_before(text[max(0, match.start(1) - LOOK_BACK) : match.start(1)], events),
            *match.span(1),
        )
        for match in found
    ]
    yield from dict.fromkeys(made)


def _table_before(text: str, events: Events) -> str | None:
    """Return the table that the last noun before an id means, if nothing but filling stands between the two."""
    words = {singular(table): table for table in events.usual}
    pattern = rf"(?<![a-z])({'|'.join(map(re.escape, words))})s?(?:_(?:id|number))?(?![a-z])" if words else r"(?!)"
    nouns = list(re.finditer(pattern, text, re.IGNORECASE))
    if not nouns:
        return None
    between = _QUOTES.sub(" ", text[nouns[-1].end() :].rstrip("'\"‘“"))
    filling = re.findall(r"[^\W\d_]+", between.lower())
    return words[nouns[-1][1].lower()] if _FILL.issuperset(filling) else None


def said_in(rule: Rule, event: Event, *, what: str, subject: str) -> Finding:
    """Return what a rule finds in the text of an event."""
    part = event.task.description[0]
    return report(rule, what, origin=part.origin, subject=subject, evidence=(("text", show(part.text)),))

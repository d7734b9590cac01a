"""The words that columns of generated tables take, and where a text says one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.intellagent_view import Events
from audit.checks.raw import leaves

Domains = dict[tuple[str, str], frozenset[str]]


def spelled(value: str) -> str:
    """Return a value as a text would spell it.

    Examples
    --------
    >>> spelled("Basic_Economy")
    'basic economy'
    """
    return " ".join(value.lower().replace("_", " ").split())


_MOST_VALUES, _LEAST_USES, _LEAST_LETTERS = 8, 8, 4
_WORDS = re.compile(r"[A-Za-z]+(?:[ _-][A-Za-z]+){0,2}")


def domains_of(events: Events) -> Domains:
    """Return the values of columns that take one of few words."""
    return {column: frozenset(map(spelled, values)) for column, values in word_columns(events).items()}


def word_columns(events: Events) -> dict[tuple[str, str], list[str]]:
    """Return the columns that take one of few words, such as a cabin, with their values, each once."""
    uses: dict[tuple[str, str], list[str]] = {}
    for event in events.events:
        for table in event.tables.values():
            for _, value in table.rows:
                for name, cell in value.items():
                    if isinstance(cell, str):
                        uses.setdefault((table.name, name), []).append(cell)
    return {
        column: list(dict.fromkeys(cells))
        for column, cells in uses.items()
        if len(cells) >= _LEAST_USES
        and len(set(cells)) <= min(_MOST_VALUES, len(cells) // 2)
        and all(_WORDS.fullmatch(cell) for cell in set(cells))
        and not any(cell.isupper() and len(cell) > 1 for cell in cells)
    }


def statuses_in(events: Events) -> frozenset[str]:
    """Return the words that stand for a status anywhere inside rows."""
    rows = (row for event in events.events for row in event.task.rows)
    found = {leaf.value for row in rows for leaf in leaves(row.value) if leaf.name == "status"}
    return frozenset(spelled(value) for value in found if isinstance(value, str) and _WORDS.fullmatch(value))


def policy_statuses(policy: str) -> frozenset[str]:
    """Return the words in quotation marks that a policy gives as statuses."""
    clauses = re.findall(r"\bstatus\s+(?:is|are|in)?[^.\n]*", policy, re.IGNORECASE)
    return frozenset(spelled(word) for clause in clauses for word in re.findall(r"['\"]([A-Za-z ]{3,20})['\"]", clause))


def words_in_sentence(values: frozenset[str], sentence: str) -> Iterator[str]:
    """Yield the values that a sentence holds, the longest first and none inside another."""
    rest = spelled(sentence)
    for value in sorted(values, key=lambda value: (-len(value), value)):
        pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
        if len(value) >= _LEAST_LETTERS and re.search(pattern, rest):
            yield value
            rest = re.sub(pattern, " ", rest)

"""The words that columns of generated tables take, and where a text says one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.checks.intellagent_view import Events
from audit.checks.raw import leaves, objects

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
    """Return the values of columns that take one of few words: those that they hold, and those that stand beside these
    as the keys of prices, stocks and the like.
    """
    lists = _keys_of_counts(events)
    held = {column: frozenset(map(spelled, cells)) for column, cells in _text_columns(events).items()}
    listed = {
        column: known for column, values in held.items() for known in lists if values <= known and column[1] != "status"
    }
    few = {column: frozenset(map(spelled, values)) for column, values in word_columns(events).items()}
    return {**listed, **few} | {column: few[column] | listed[column] for column in few.keys() & listed.keys()}


def _keys_of_counts(events: Events) -> list[frozenset[str]]:
    """Return the sets of words that are the keys of numbers in some row, such as the seats of each cabin."""
    rows = (row for event in events.events for row in event.task.rows)
    found = (part for row in rows for _, part in objects(row.value))
    return list(
        dict.fromkeys(
            frozenset(map(spelled, part))
            for part in found
            if len(part) > 1
            and all(_WORDS.fullmatch(key) for key in part)
            and all(isinstance(value, int | float) and not isinstance(value, bool) for value in part.values())
        )
    )


def word_columns(events: Events) -> dict[tuple[str, str], list[str]]:
    """Return the columns that take one of few words, such as a cabin, with their values, each once."""
    return {
        column: list(dict.fromkeys(cells))
        for column, cells in _text_columns(events).items()
        if len(cells) >= _LEAST_USES
        and len(set(cells)) <= min(_MOST_VALUES, len(cells) // 2)
        and all(_WORDS.fullmatch(cell) for cell in set(cells))
        and not any(cell.isupper() and len(cell) > 1 for cell in cells)
    }


def _text_columns(events: Events) -> dict[tuple[str, str], list[str]]:
    """Return the texts of every column, by table and name."""
    uses: dict[tuple[str, str], list[str]] = {}
    for event in events.events:
        for table in event.tables.values():
            for _, value in table.rows:
                for name, cell in value.items():
                    if isinstance(cell, str):
                        uses.setdefault((table.name, name), []).append(cell)
    return uses


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

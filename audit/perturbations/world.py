"""What a whole benchmark holds that changes are made of: rows, ids, persons, gold calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from audit.databases.words import TOKEN
from audit.loaders.tau_task import USER_TABLE
from audit.perturbations.json_paths import Path
from audit.records.task import Benchmark, Json, Task

LEAST_ID = 4
"""Characters of a row key below which it may be any number or word."""
_STEM = 5
_LETTERS, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@dataclass(frozen=True, slots=True)
class World:
    """A benchmark and what its changes are made of.

    Parameters
    ----------
    rows
        Table to key to row: the database, or the rows of all tasks where each has its own.
    table_of
        Row key to table, of keys that are told from ordinary words.
    """

    benchmark: Benchmark
    rows: Mapping[str, Mapping[str, Json]]
    table_of: Mapping[str, str]
    stems: Counter[str]
    """In how many tasks' descriptions each word stands, cut to five letters."""


def make_world(benchmark: Benchmark) -> World:
    """Gather what a benchmark holds."""
    rows = benchmark.database or _own_rows(benchmark)
    table_of = {key: table for table, entries in rows.items() for key in entries if is_id(key)}
    stems = Counter(stem for task in benchmark.tasks for stem in stems_of(task.description_text))
    return World(benchmark, rows, table_of, stems)


def _own_rows(benchmark: Benchmark) -> Mapping[str, Mapping[str, Json]]:
    rows: dict[str, dict[str, Json]] = {}
    for task in benchmark.tasks:
        for row in task.rows:
            if row.table != USER_TABLE:
                rows.setdefault(row.table, {}).setdefault(row.key, row.value)
    return rows


def is_id(key: str) -> bool:
    """Return whether a row key is told from ordinary words: long enough, with a digit, and one token.

    Examples
    --------
    >>> is_id("MB1062"), is_id("#W6247578"), is_id("mia_li_3668"), is_id("01"), is_id("plans")
    (True, True, True, False, False)
    """
    return len(key) >= LEAST_ID and any(sign.isdigit() for sign in key) and TOKEN.fullmatch(key) is not None


def stems_of(text: str) -> set[str]:
    """Return the words of a text in lower case, those of letters alone cut to five.

    Examples
    --------
    >>> sorted(stems_of("You cancel B1234"))
    ['b1234', 'cance', 'you']
    """
    return {word[:_STEM] if word.isalpha() else word for word in re.findall(r"\w+", text.lower()) if len(word) > 2}


def words_of(task: Task) -> set[str]:
    """Return the words of a task's description and behavior, in lower case."""
    return set(re.findall(r"\w+", f"{task.description_text} {task.behavior_text}".lower()))


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield the plain values inside a JSON value, with their paths."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list | tuple):
        for position, part in enumerate(value):
            yield from leaves(part, (*path, position))
    else:
        yield path, value


def holds(text: str, word: str) -> bool:
    """Return whether a word or id stands in a text as such."""
    return re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", text) is not None


def exchange(value: Json, *, old: str, new: str) -> Json:
    """Return a JSON value with a word or id replaced in all of its texts."""
    if isinstance(value, str):
        return re.sub(rf"(?<![\w]){re.escape(old)}(?![\w])", lambda _: new, value)
    if isinstance(value, Mapping):
        return {name: exchange(part, old=old, new=new) for name, part in value.items()}
    if isinstance(value, list):
        return [exchange(part, old=old, new=new) for part in value]
    return value


def fresh(key: str, rng: np.random.Generator) -> str:
    """Return a key of the same shape: letters for letters, digits for digits; parts of letters alone stay.

    Examples
    --------
    >>> fresh("ann_lee_07", np.random.default_rng(0)), fresh("#--", np.random.default_rng(0))
    ('ann_lee_86', '#--')
    """
    parts = re.split(r"([^A-Za-z0-9])", key)
    return "".join(_fresh(part, rng) if any(map(str.isdigit, part)) else part for part in parts)


def _fresh(part: str, rng: np.random.Generator) -> str:
    made = []
    for sign in part:
        if sign.isascii() and sign.isdigit():
            made.append(_DIGITS[rng.integers(10)])
        elif sign.isascii() and sign.isalpha():
            letter = _LETTERS[rng.integers(26)]
            made.append(letter if sign.isupper() else letter.lower())
        else:
            made.append(sign)
    return "".join(made)


def shared_prefix(keys: Iterable[str]) -> str:
    """Return the signs before the first digit that all keys begin with: they say which table a key is of.

    Examples
    --------
    >>> shared_prefix(["MB1062", "MB2100"]), shared_prefix(["HA1", "HB1"]), shared_prefix([])
    ('MB', '', '')
    """
    found = {re.split(r"\d", key, maxsplit=1)[0] for key in keys}
    return found.pop() if len(found) == 1 else ""


def dates_in(world: World, task: Task) -> list[str]:
    """Return the dates that a task's texts and rows name, or else its policy."""
    own = f"{task.description_text} {task.behavior_text} {[row.value for row in task.rows]}"
    return sorted(set(_DATE.findall(own))) or sorted(set(_DATE.findall(world.benchmark.policy_of(task).text)))

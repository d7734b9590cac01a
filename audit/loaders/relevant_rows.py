"""The database rows that a task's text reaches: its initial state, never the whole database."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audit.databases.tables import Ref, is_big_map, objects_in, words_in
from audit.databases.words import tokens
from audit.loaders.database_view import Database, Found, Patch, View
from audit.loaders.row_seeds import find_belongings, find_seeds
from audit.records.same import Same
from audit.records.task import Json, Origin

logger = logging.getLogger(__name__)

BUDGET = 60_000
"""Characters of rows, as compact JSON, after which no further row is followed; no known task comes near."""
_SMALL_MAP = 2_000
"""A nested map up to this size whose entries nothing points at is an attribute, and kept whole."""


def find_rows(database: Database, text: str, *, patch: Patch | None = None) -> Found:
    """Return the rows that ``text`` names and those that they refer to, pruned.

    Parameters
    ----------
    database
        The indexed database.
    text
        What the task says: row keys in it, and what persons are known by, start the search.
    patch
        The task's own changes; its rows are relevant as such.

    Returns
    -------
    Found
        Rows in the order of discovery: first those named, then those that they refer to, then those that name a
        person found at the start, or what belongs to one. A row's nested maps keep the entries that are named
        together with the row.
    """
    view = View(database, patch or Patch(Origin("", "")))
    said = tokens(text)
    seeds = tuple(find_seeds(view, text, said=said))
    if patch is None and seeds in database.searched:
        return database.searched[seeds]
    visited, is_cut = _close(view, seeds)
    if not is_cut:
        visited, is_cut = _close(view, find_belongings(view, seeds, visited=visited), visited=visited)
    if is_cut:
        logger.warning("rows cut at %d characters for a task that starts %r", BUDGET, text[:60])
    together = _named_together(visited, frozenset(said))
    found = Found(tuple(view.read(ref, _pruned(view, ref, row, together)) for ref, row in visited.items()), is_cut)
    if patch is None and not together:
        database.searched[seeds] = found
    return found


def _close(
    view: View, seeds: Sequence[Ref], *, visited: Mapping[Ref, Json] | None = None
) -> tuple[dict[Ref, Json], bool]:
    """Follow every reference, nearest rows first, until nothing is new or the budget is spent."""
    visited = dict(visited or {})
    waiting, followed = deque(seeds), set[str]()
    spent = sum(_content(Same(row)).size for row in visited.values())
    while waiting:
        ref = waiting.popleft()
        if ref in visited:
            continue
        row = view.row(ref)
        content = _content(Same(row))
        spent += content.size
        if visited and spent > BUDGET:
            return visited, True
        visited[ref] = row
        new = [word for word in content.words if word not in followed]
        followed.update(new)
        waiting.extend(found for word in new for found in view.refs(word) if found not in visited)
    return visited, False


@dataclass(frozen=True, slots=True)
class _Content:
    """What the search asks of a row.

    Parameters
    ----------
    size
        About how long it is as JSON, its big maps left out.
    words
        Texts in it that may be row keys, each once.
    has_big_map
        Whether it holds a table in disguise.
    """

    size: int
    words: tuple[str, ...]
    has_big_map: bool


@lru_cache(maxsize=4096)
def _content(held: Same[Json]) -> _Content:
    """Read a row; most rows belong to the initial state of many tasks."""
    nodes = list(objects_in(held.value))
    return _Content(
        size=sum(len(json.dumps({k: v for k, v in node.items() if _is_plain(v)})) for node in nodes),
        words=tuple(dict.fromkeys(word for node in nodes for word in words_in(node))),
        has_big_map=any(is_big_map(value) for node in nodes for value in node.values()),
    )


def _is_plain(value: Json) -> bool:
    return not isinstance(value, dict) and not (isinstance(value, list) and any(isinstance(x, dict) for x in value))


def _named_together(visited: Mapping[Ref, Json], said: frozenset[str]) -> dict[str, set[str]]:
    """Return, for each visited row with a big map, what is named in one object with its key, or by the text with it."""
    mapped = {key for (_, key), row in visited.items() if _content(Same(row)).has_big_map}
    if not mapped:
        return {}
    together: dict[str, set[str]] = {key: set(said) if key in said else set() for key in mapped}
    for row in visited.values():
        for node in objects_in(row):
            words = set(words_in(node))
            for key in words & mapped:
                together[key] |= words
    return together


def _pruned(view: View, ref: Ref, row: Json, together: Mapping[str, set[str]]) -> Json:
    if ref[1] not in together:
        return row
    keep = together[ref[1]]

    def prune(node: Json, name: str) -> Json:
        if isinstance(node, list):
            return [prune(part, name) for part in node]
        if not isinstance(node, dict):
            return node
        entries: Mapping[str, Json] = node
        if is_big_map(node) and not _is_attribute(view, ref[0], name, node):
            entries = {key: entry for key, entry in node.items() if key in keep}
        return {key: prune(value, key) for key, value in entries.items()}

    return {key: prune(value, key) for key, value in row.items()} if isinstance(row, dict) else row


def _is_attribute(view: View, table: str, name: str, node: Json) -> bool:
    """Return whether a big map is a plain part of its row, such as the ways in which a person can pay."""
    return (table, name) not in view.base.addressed and len(json.dumps(node)) <= _SMALL_MAP

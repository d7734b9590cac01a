"""Which ids of a database a text leads to: rows that it names or identifies, and the rows that these point to."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from audit.records.task import Json
from audit.scorers.words import is_id, is_natural_key, phrase, phrases

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

RowRef = tuple[str, str]
"""Table name and row key."""

_MOST_WALKED = 5
"""Nested maps with more entries (dates, variants) are not walked for links: they would join everything."""
_MOST_BACK_LINKS = 8
"""Rows that point to a named row belong to it only when they are few: a product in 80 orders leads to none."""
_LONGEST_PHRASE = 6
"""Words of the longest key or value that is looked for in a text."""
_COMMON = 0.25
"""Values that a larger share of a table's rows hold say little about which row is meant."""
_MARGIN = 1.0
"""Nats by which the values found in a text must exceed what singles out a row, and surpass the runner-up."""


@dataclass(frozen=True, slots=True)
class DatabaseIndex:
    """A database prepared for look-ups; phrases are in the form of :func:`audit.scorers.words.phrase`.

    Parameters
    ----------
    rows
        Every row.
    rows_by_key
        Row key to the rows that have it.
    entries
        Row to the entries of its nested maps (payment methods, variants, dates), each with its key as spelled.
    owner_by_entry
        Entry key to its row, for keys that look like ids and stand in one row alone.
    links, back_links
        Row to the keys of rows that its values name, and the reverse.
    rows_by_value
        Any other value to the rows that hold it.
    """

    rows: Mapping[RowRef, Json]
    rows_by_key: Mapping[str, Sequence[RowRef]]
    entries: Mapping[RowRef, Mapping[str, tuple[str, Json]]]
    owner_by_entry: Mapping[str, RowRef]
    links: Mapping[RowRef, Sequence[str]]
    back_links: Mapping[str, Sequence[RowRef]]
    rows_by_value: Mapping[str, Sequence[RowRef]]
    table_sizes: Mapping[str, int]
    longest_phrase: int


def index_database(database: Mapping[str, Mapping[str, Json]]) -> DatabaseIndex:
    """Return the look-ups of ``database`` (table name to row key to row, which may be nested)."""
    rows = {(table, key): row for table, content in database.items() for key, row in content.items()}
    values: dict[RowRef, set[str]] = {ref: set() for ref in rows}
    entries: dict[RowRef, dict[str, tuple[str, Json]]] = {ref: {} for ref in rows}
    for ref, row in rows.items():
        _scan(row, values[ref], entries[ref])
    rows_by_key = _invert((ref, (phrase(ref[1]),)) for ref in rows)
    owners = _unique_owners(entries, rows_by_key)
    rows_by_value = _invert(
        (ref, [value for value in found if value not in rows_by_key]) for ref, found in values.items()
    )
    links = {ref: [v for v in found if is_id(v) and v in rows_by_key] for ref, found in values.items()}
    looked_up = (*rows_by_key, *owners, *rows_by_value)
    return DatabaseIndex(
        rows=rows,
        rows_by_key=rows_by_key,
        entries=entries,
        owner_by_entry=owners,
        links=links,
        back_links=_invert(links.items()),
        rows_by_value=rows_by_value,
        table_sizes=Counter(table for table, _ in rows),
        longest_phrase=min(max((found.count(" ") + 1 for found in looked_up), default=0), _LONGEST_PHRASE),
    )


def read_phrases(index: DatabaseIndex, text: str) -> frozenset[str]:
    """Return the keys and values of the database that stand in ``text``."""
    said = phrases(text, longest=index.longest_phrase)
    known = (index.rows_by_key, index.owner_by_entry, index.rows_by_value)
    return frozenset(found for look_up in known for found in said & look_up.keys())


def find_ids(index: DatabaseIndex, said: Iterable[str]) -> frozenset[str]:
    """Return the ids of the database among the phrases of a text."""
    return frozenset(
        found for found in said if found in index.owner_by_entry or (found in index.rows_by_key and is_id(found))
    )


def reach(index: DatabaseIndex, said: frozenset[str]) -> frozenset[str]:
    """Return every id that the phrases of a text lead to.

    The start is each row whose key, or the key of an entry that only it has, is said; each row that its other values
    single out (an e-mail address, a name with a zip code); and the few rows that point to one of these. From there
    every link is followed to its end.
    """
    named = find_ids(index, said)
    start = _rows_named(index, named) | _rows_singled_out(index, said)
    start |= {other for ref in start for other in _few_back_links(index, ref)}
    visited = _closure(index, start)
    inside = {key for ref in visited for key in index.entries[ref]}
    return named | inside | {phrase(key) for _, key in visited}


def gloss(index: DatabaseIndex, ids: Iterable[str]) -> str:
    """Return what the database says about ``ids`` in words: the texts of their rows or entries."""
    return "\n".join(text for found in sorted(ids) for text in _gloss_one(index, found))


def spell(index: DatabaseIndex, found: str) -> str:
    """Return an id as the database spells it."""
    if found in index.rows_by_key:
        return index.rows_by_key[found][0][1]
    return index.entries[index.owner_by_entry[found]][found][0]


def _invert(pairs: Iterable[tuple[_Key, Iterable[_Value]]]) -> dict[_Value, list[_Key]]:
    inverted: dict[_Value, list[_Key]] = defaultdict(list)
    for key, values in pairs:
        for value in values:
            inverted[value].append(key)
    return dict(inverted)


def _unique_owners(
    entries: Mapping[RowRef, Iterable[str]], rows_by_key: Mapping[str, Sequence[RowRef]]
) -> dict[str, RowRef]:
    owners = _invert(entries.items())
    return {key: refs[0] for key, refs in owners.items() if len(refs) == 1 and is_id(key) and key not in rows_by_key}


def _scan(value: Json, values: set[str], entries: dict[str, tuple[str, Json]]) -> None:
    """Collect the scalar values of a row, and the entries of its nested maps."""
    if isinstance(value, str):
        values.add(phrase(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        values.add(str(value))
    elif isinstance(value, Mapping):
        if _is_map(value):
            entries.update((phrase(key), (key, entry)) for key, entry in value.items())
            if len(value) > _MOST_WALKED:
                return
        for inner in value.values():
            _scan(inner, values, entries)
    elif isinstance(value, Sequence):
        for inner in value:
            _scan(inner, values, entries)


def _is_map(value: Mapping[str, Json]) -> bool:
    return bool(value) and all(isinstance(entry, Mapping) for entry in value.values())


def _rows_named(index: DatabaseIndex, ids: Iterable[str]) -> set[RowRef]:
    found: set[RowRef] = set()
    for name in ids:
        found.update(index.rows_by_key[name] if name in index.rows_by_key else (index.owner_by_entry[name],))
    return found


def _rows_singled_out(index: DatabaseIndex, said: frozenset[str]) -> set[RowRef]:
    """Return the rows that the values said single out.

    A value that reads like a natural key (an e-mail address, a phone number) and stands in one row of its table leads
    to it. Other values add up: one that n of N rows share weighs log(N/n), and a table's row is singled out by log(N)
    and a margin, with no runner-up near. Values that are short or common weigh nothing.
    """
    singled_out: set[RowRef] = set()
    weights: dict[str, Counter[RowRef]] = defaultdict(Counter)
    for found in sorted(said & index.rows_by_value.keys()):
        for table, refs in _by_table(index.rows_by_value[found]).items():
            if len(refs) == 1 and is_natural_key(found):
                singled_out.update(refs)
            elif is_id(found) and len(refs) <= max(1, index.table_sizes[table] * _COMMON):
                weights[table].update(dict.fromkeys(refs, math.log(index.table_sizes[table] / len(refs))))
    best = (_single_out(rows, math.log(index.table_sizes[table])) for table, rows in weights.items())
    return singled_out | {ref for ref in best if ref is not None}


def _by_table(refs: Iterable[RowRef]) -> dict[str, list[RowRef]]:
    return _invert((ref, (ref[0],)) for ref in refs)


def _single_out(weights: Counter[RowRef], needed: float) -> RowRef | None:
    (best, weight), *others = weights.most_common(2)
    runner_up = others[0][1] if others else 0.0
    return best if weight >= max(needed, runner_up) + _MARGIN else None


def _few_back_links(index: DatabaseIndex, ref: RowRef) -> Sequence[RowRef]:
    key = phrase(ref[1])
    if key not in index.back_links or len(index.back_links[key]) > _MOST_BACK_LINKS + 1:
        return ()
    others = [other for other in index.back_links[key] if other != ref]
    return others if len(others) <= _MOST_BACK_LINKS else ()


def _closure(index: DatabaseIndex, start: set[RowRef]) -> set[RowRef]:
    visited, waiting, followed = set(start), list(start), set[str]()
    while waiting:
        keys = [key for key in index.links[waiting.pop()] if key not in followed]
        followed.update(keys)
        found = {ref for key in keys for ref in index.rows_by_key[key]} - visited
        visited |= found
        waiting.extend(found)
    return visited


def _gloss_one(index: DatabaseIndex, found: str) -> Iterator[str]:
    if found in index.rows_by_key:
        for ref in index.rows_by_key[found]:
            yield from _texts(index.rows[ref], depth=2)
    else:
        owner = index.owner_by_entry[found]
        yield from _texts(index.entries[owner][found][1], depth=2)
        yield from _texts(index.rows[owner], depth=1)


def _texts(value: Json, *, depth: int) -> Iterator[str]:
    """Yield the texts of an object and of the objects right inside it; lists and maps hold other things' texts."""
    if not isinstance(value, Mapping):
        return
    for inner in value.values():
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, Mapping) and depth > 1 and not _is_map(inner):
            yield from _texts(inner, depth=depth - 1)

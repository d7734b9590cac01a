"""Which values of a database are ids: row keys, the keys of nested maps, and the fields that hold them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.databases.tables import Ref, Tables, objects_in, words_in
from audit.records.task import Json

_MOSTLY = 0.95
"""Share of a field's values that must be ids of one space for the field to be a reference."""
_OWN = 0.9
"""Share of a nested map's keys that must be unique over all rows for them to be ids."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Spaces:
    """The ids of a database.

    Parameters
    ----------
    by_id
        Id to where it is one: the space's name and the row that it is, or that holds it. A space is a table
        (``orders``) or a nested map of a table's rows (``products.variants``).
    by_field
        Field name to the spaces that its values come from.
    """

    by_id: Mapping[str, Sequence[tuple[str, Ref]]]
    by_field: Mapping[str, frozenset[str]]

    def spaces_of(self, value: str) -> frozenset[str]:
        """Return the spaces that ``value`` is an id of."""
        return frozenset(space for space, _ in self.by_id[value]) if value in self.by_id else frozenset()

    def rows_of(self, value: str) -> tuple[Ref, ...]:
        """Return the rows that ``value`` is the key of, or that hold an entry of that key."""
        return tuple(dict.fromkeys(ref for _, ref in self.by_id[value])) if value in self.by_id else ()

    def spaces_for(self, name: str) -> frozenset[str]:
        """Return the spaces that an argument called ``name`` takes its values from; empty if it is no reference.

        ``item_ids`` is a list of ``item_id``, and ``new_item_id`` is one too.
        """
        for field in (name, singular(name)):
            if field in self.by_field:
                return self.by_field[field]
        longer = [field for field in self.by_field if "_" in field and singular(name).endswith(f"_{field}")]
        return self.by_field[max(longer, key=len)] if longer else frozenset()


def singular(name: str) -> str:
    """Return a field name without the ``s`` of a plural.

    Examples
    --------
    >>> singular("item_ids"), singular("address")
    ('item_id', 'address')
    """
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def build_spaces(tables: Tables) -> Spaces:
    """Learn the ids of a database and the fields that refer to them."""
    by_id: dict[str, list[tuple[str, Ref]]] = defaultdict(list)
    for table, rows in tables.items():
        for key in rows:
            by_id[key].append((table, (table, key)))
    for space, entries in _nested(tables).items():
        for key, ref in entries:
            by_id[key].append((space, ref))
    ids = dict(by_id)
    return Spaces(ids, _fields(tables, ids))


def _nested(tables: Tables) -> dict[str, list[tuple[str, Ref]]]:
    """Return the nested maps whose keys are ids, for they name nothing else anywhere."""
    found: dict[str, list[tuple[str, Ref]]] = defaultdict(list)
    for table, rows in tables.items():
        for key, row in rows.items():
            for name, node in maps_of(row):
                found[f"{table}.{name}"] += [(entry, (table, key)) for entry in node]
    return {space: entries for space, entries in found.items() if _are_ids([entry for entry, _ in entries])}


def maps_of(row: Json) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield the objects of objects that stand in a row, with their field's name."""
    for node in objects_in(row):
        for name, value in node.items():
            if isinstance(value, dict) and value and all(isinstance(entry, dict) for entry in value.values()):
                yield name, value


def _are_ids(keys: Sequence[str]) -> bool:
    with_digit = sum(any(sign.isdigit() for sign in key) and not _DATE.match(key) for key in set(keys))
    return len(set(keys)) >= _OWN * len(keys) and with_digit >= _OWN * len(set(keys))


def _fields(tables: Tables, ids: Mapping[str, Sequence[tuple[str, Ref]]]) -> dict[str, frozenset[str]]:
    n_values: Counter[str] = Counter()
    n_hits: dict[str, Counter[str]] = defaultdict(Counter)
    for node in (node for rows in tables.values() for row in rows.values() for node in objects_in(row)):
        for name, value in node.items():
            if isinstance(value, str | list | int):
                words = list(words_in({name: value}))
                n_values[name] += len(words)
                for word in words:
                    if word in ids:
                        n_hits[name].update({space for space, _ in ids[word]})
    found = {
        name: frozenset(space for space, n in hits.items() if n >= _MOSTLY * n_values[name])
        for name, hits in n_hits.items()
        if n_values[name] > 1
    }
    return {name: spaces for name, spaces in found.items() if spaces}


def owners(tables: Tables, people: Iterable[str]) -> dict[Ref, frozenset[Ref]]:
    """Return whose each row is: the people whose rows name it, or whom it names, over up to three steps.

    Parameters
    ----------
    tables, people
        The database, and the tables whose rows are persons.

    Returns
    -------
    dict
        Rows without owner, such as products, are absent; so are persons.
    """
    persons = frozenset(people)
    kept = {table: rows for table, rows in tables.items() if table not in persons}
    keys: dict[str, list[Ref]] = defaultdict(list)
    for table, rows in tables.items():
        for key in rows:
            keys[key].append((table, key))
    links = {
        (table, key): [ref for node in objects_in(row) for word in words_in(node) if word in keys for ref in keys[word]]
        for table, rows in tables.items()
        for key, row in rows.items()
    }
    found: dict[Ref, set[Ref]] = defaultdict(set)
    for ref, named in links.items():
        for other in named:
            if ref[0] in persons and other[0] not in persons:
                found[other].add(ref)
            elif other[0] in persons and ref[0] not in persons:
                found[ref].add(other)
    for _ in range(2):
        orphans = [(table, key) for table, rows in kept.items() for key in rows if (table, key) not in found]
        inherited = {ref: set().union(*(found[other] for other in links[ref] if other in found)) for ref in orphans}
        found.update({ref: heirs for ref, heirs in inherited.items() if heirs})
    return {ref: frozenset(refs) for ref, refs in found.items()}

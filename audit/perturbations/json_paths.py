"""Values inside parsed JSON: read, put and taken out by path, and what differs between two of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from audit.records.task import Json

Path: TypeAlias = tuple[str | int, ...]
Difference: TypeAlias = tuple[Path, Json, Json]


def show(path: Path) -> str:
    """Return a path as a person writes it.

    Examples
    --------
    >>> show(("evaluation_criteria", "actions", 2, "name"))
    'evaluation_criteria.actions[2].name'
    """
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def look(value: Json, path: Path) -> Json:
    """Return what stands at a path; ``None`` where there is nothing."""
    for key in path:
        if isinstance(value, Mapping) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, Sequence) and not isinstance(value, str) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def put(value: Json, path: Path, *, new: Json) -> Json:
    """Return a copy in which ``new`` stands at a path; objects on the way to it are made where there are none.

    Examples
    --------
    >>> put({"a": [1, 2]}, ("a", 1), new=5), put({}, ("b", "c"), new=1), put({"a": [1]}, ("a", 1), new=2)
    ({'a': [1, 5]}, {'b': {'c': 1}}, {'a': [1, 2]})
    """
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(key, int):
        items = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
        items[key : key + 1] = [put(items[key] if key < len(items) else None, rest, new=new)]
        return items
    fields = dict(value) if isinstance(value, Mapping) else {}
    fields[key] = put(fields.get(key), rest, new=new)
    return fields


def take(value: Json, path: Path) -> Json:
    """Return a copy without what stands at a path.

    Examples
    --------
    >>> take({"a": [1, 2], "b": 1}, ("a", 0)), take({"a": 1}, ("b",))
    ({'a': [2], 'b': 1}, {'a': 1})
    """
    parent, key = look(value, path[:-1]), path[-1]
    if isinstance(parent, Mapping):
        return put(value, path[:-1], new={name: part for name, part in parent.items() if name != key})
    if isinstance(parent, Sequence) and not isinstance(parent, str):
        return put(value, path[:-1], new=[part for position, part in enumerate(parent) if position != key])
    return value


def differences(before: Json, after: Json, *, path: Path = ()) -> Iterator[Difference]:
    """Yield what differs, as small as it can be named; a mere change of order is the whole object's.

    What a list lost is named by its old place, what it gained by its new one.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _in_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _in_lists(before, after, path)
    elif spell(before) != spell(after):
        yield path, before, after


def spell(value: Json) -> str:
    """Return a value as JSON, the order of its fields kept."""
    return json.dumps(value, ensure_ascii=False)


def _in_objects(before: Mapping[str, Json], after: Mapping[str, Json], path: Path) -> Iterator[Difference]:
    if set(before) == set(after) and list(before) != list(after):
        yield path, before, after
        return
    for name in dict.fromkeys((*before, *after)):
        if name in before and name in after:
            yield from differences(before[name], after[name], path=(*path, name))
        else:
            yield (*path, name), before.get(name), after.get(name)


def _in_lists(before: Sequence[Json], after: Sequence[Json], path: Path) -> Iterator[Difference]:
    matcher = SequenceMatcher(a=[spell(part) for part in before], b=[spell(part) for part in after], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace" and i2 - i1 == j2 - j1:
            for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                yield from differences(before[i], after[j], path=(*path, j))
        elif tag != "equal":
            yield from (((*path, i), before[i], None) for i in range(i1, i2))
            yield from (((*path, j), None, after[j]) for j in range(j1, j2))

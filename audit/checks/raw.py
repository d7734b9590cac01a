"""Reading a task's parsed JSON without trusting its types, and naming the place of each value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from audit.records.same import Same
from audit.records.task import Action, Benchmark, Json, Origin, Row, Task, Tool

_OBJECT: Final = (dict, Mapping)
"""The usual class first: asking an abstract one takes five times as long."""
_PLAIN: Final = (str, int, float, type(None))
MAX_SHOWN = 160
"""Characters of a value that evidence keeps."""


class Leaf(NamedTuple):
    """A text, number, bool or null inside a value, with its path and the name of the field that holds it."""

    path: str
    name: str
    value: Json


def child(value: Json, *names: str) -> Json:
    """Return what stands under ``names``, one inside the other; ``None`` where there is no such place.

    Examples
    --------
    >>> child({"a": {"b": 1}}, "a", "b"), child([], "a")
    (1, None)
    """
    for name in names:
        if not isinstance(value, _OBJECT) or name not in value:
            return None
        value = value[name]
    return value


def items(value: Json) -> Sequence[Json]:
    """Return a list as it is, and anything else as an empty one."""
    return value if isinstance(value, list | tuple) else ()


def texts(value: Json) -> list[str]:
    """Return the texts of a list."""
    return [part for part in items(value) if isinstance(part, str)]


def leaves(value: Json, path: str = "", *, name: str = "") -> Iterator[Leaf]:
    """Return every plain value inside ``value``, in order; those of a list carry the list's name.

    Examples
    --------
    >>> [(leaf.path, leaf.name) for leaf in leaves({"to": [{"id": 1}, 2]}, "arguments")]
    [('arguments.to[0].id', 'id'), ('arguments.to[1]', 'to')]
    """
    found: list[Leaf] = []
    _collect(value, path, name, found)
    return iter(found)


def _collect(value: Json, path: str, name: str, found: list[Leaf]) -> None:  # noqa: PLR0917  # the inner loop
    if isinstance(value, _PLAIN):
        found.append(Leaf(path, name, value))
    elif isinstance(value, _OBJECT):
        for key, part in value.items():
            inner = f"{path}.{key}" if path else str(key)
            if isinstance(part, _PLAIN):
                found.append(Leaf(inner, str(key), part))
            else:
                _collect(part, inner, str(key), found)
    elif isinstance(value, list | tuple):
        for position, part in enumerate(value):
            _collect(part, f"{path}[{position}]", name, found)
    else:
        found.append(Leaf(path, name, value))


def row_leaves(row: Row) -> tuple[Leaf, ...]:
    """Return every plain value inside a row; kept for the checks to come, and for other tasks that share the row."""
    return _row_leaves(Same(row))


@lru_cache(maxsize=2048)
def _row_leaves(held: Same[Row]) -> tuple[Leaf, ...]:
    return tuple(leaves(held.value.value))


def objects(value: Json, path: str = "") -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield every object inside ``value``, itself included, with its path."""
    if isinstance(value, _OBJECT):
        yield path, value
        for key, part in value.items():
            yield from objects(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for position, part in enumerate(value):
            yield from objects(part, f"{path}[{position}]")


def show(value: Json) -> str:
    """Return a value for evidence: as JSON, texts without quotes, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def place(task: Task, field: str) -> Origin:
    """Return the origin of a field of a task."""
    return Origin(task.origin.file, field, task.id)


def set_place(benchmark: Benchmark, field: str = "") -> Origin:
    """Return the origin of what a set as a whole has: its file, or the folder that holds the files of its tasks."""
    files = {task.origin.file for task in benchmark.corpus or benchmark.tasks}
    if len(files) == 1:
        return Origin(files.pop(), field)
    folders = [PurePosixPath(file).parts[:-1] for file in files]
    shared = takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))
    return Origin(str(PurePosixPath(*(parts[0] for parts in shared))) if files else "", field)


def inside(origin: Origin, field: str) -> Origin:
    """Return the origin of a field below ``origin``."""
    return Origin(origin.file, f"{origin.field}.{field}" if origin.field else field, origin.task_id)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the gold actions: the action's own, or one that it carries in its arguments.

    Parameters
    ----------
    name, caller, arguments
        What is called, by whom, with what.
    action
        The gold action.
    origin
        Of the arguments.
    position
        Of the action in its list.
    """

    name: str
    caller: str
    arguments: Mapping[str, Json]
    action: Action
    origin: Origin
    position: int


def calls_of(task: Task, tools: Mapping[tuple[str, str], Tool]) -> Iterator[Call]:
    """Yield the calls of a task's gold actions, those that a dispatching tool carries after the dispatching call.

    A call carries another if one argument names a listed tool, and another is an object, or a text that holds one.
    """
    for position, action in enumerate(task.actions or ()):
        origin = inside(action.origin, "arguments")
        yield Call(action.name, action.requestor, action.arguments, action, origin, position)
        named = [value for value in action.arguments.values() if isinstance(value, str)]
        name = next((value for value in named if (action.requestor, value) in tools and value != action.name), None)
        for field, value in action.arguments.items() if name else ():
            inner = as_object(value)
            if inner is not None:
                yield Call(str(name), action.requestor, inner, action, inside(origin, field), position)


def as_object(value: Json) -> Mapping[str, Json] | None:
    """Return an object, or the one that a text holds as JSON; ``None`` for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, Mapping) else None

"""The arguments of a planned call, in all the shapes in which they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from audit.plans.nested import read_nested
from audit.records.task import Json


class Shape(StrEnum):
    """How arguments are written."""

    ABSENT = "no key"
    NULL = "null"
    EMPTY_TEXT = "empty text"
    EMPTY_LIST = "empty list"
    EMPTY_OBJECT = "empty object"
    EMPTY_TEXT_LIST = "list with an empty text"
    OBJECT = "object"
    OBJECT_TEXT = "text that holds an object"
    JSON_TEXT = "list with one text that holds an object"
    ONE_PAIR = "list with one object of one key"
    ONE_OBJECT = "list with one object"
    PAIRS = "list of objects that together are the arguments"
    CLASH = "list of objects that disagree"
    POSITIONAL = "list of bare texts"
    JSON_VALUES = "list of texts that happen to be JSON"
    BROKEN = "list with a text that starts like an object and is none"
    MIXED = "list of values of several kinds"
    TEXT = "text"
    OTHER = "number or truth value"


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments.

    Parameters
    ----------
    shape
        How they are written.
    raw
        As they stand.
    named
        Those with a name.
    positional
        Values without a name. Objects that disagree about a parameter stand here, unmerged.
    clashes
        The parameters that objects of one list disagree about.
    """

    shape: Shape
    raw: Json = None
    named: Mapping[str, Json] = field(default_factory=dict)
    positional: tuple[Json, ...] = ()
    clashes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is given."""
        return not self.named and not self.positional


def read_arguments(value: Json, *, is_present: bool = True) -> Arguments:
    """Return arguments as a call means them; the values themselves are not touched.

    Examples
    --------
    >>> read_arguments(['{"a": 1}']).named, read_arguments([{"a": 1}, {"b": 2}]).named, read_arguments(["3"]).positional
    ({'a': 1}, {'a': 1, 'b': 2}, ('3',))
    """
    if value is None:
        return Arguments(Shape.NULL if is_present else Shape.ABSENT, value)
    if isinstance(value, Mapping):
        return Arguments(Shape.OBJECT if value else Shape.EMPTY_OBJECT, value, value)
    if isinstance(value, str):
        return _read_text(value)
    if isinstance(value, Sequence):
        return _read_list(value)
    return Arguments(Shape.OTHER, value, positional=(value,))


def _read_text(value: str) -> Arguments:
    if not value.strip():
        return Arguments(Shape.EMPTY_TEXT, value)
    found = _as_object(value)
    if found is not None:
        return Arguments(Shape.OBJECT_TEXT, value, found)
    return Arguments(Shape.TEXT, value, positional=(value,))


def _read_list(values: Sequence[Json]) -> Arguments:
    if not values:
        return Arguments(Shape.EMPTY_LIST, values)
    if list(values) == [""]:
        return Arguments(Shape.EMPTY_TEXT_LIST, values)
    objects = [found for value in values if (found := _as_object(value)) is not None]
    if len(objects) < len(values):
        return Arguments(_positional_shape(values), values, positional=tuple(values))
    clashes = _clashes(objects)
    if clashes:
        return Arguments(Shape.CLASH, values, positional=tuple(objects), clashes=clashes)
    named = {key: value for part in objects for key, value in part.items()}
    return Arguments(_objects_shape(values), values, named)


def _as_object(value: Json) -> Mapping[str, Json] | None:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = read_nested(value).value
    return value if isinstance(value, Mapping) else None


def _clashes(objects: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    first: dict[str, Json] = {}
    found: dict[str, None] = {}
    for part in objects:
        for key, value in part.items():
            if key in first and first[key] != value:
                found[key] = None
            first.setdefault(key, value)
    return tuple(found)


def _objects_shape(values: Sequence[Json]) -> Shape:
    if len(values) > 1:
        return Shape.PAIRS
    if isinstance(values[0], str):
        return Shape.JSON_TEXT
    return Shape.ONE_PAIR if isinstance(values[0], Mapping) and len(values[0]) == 1 else Shape.ONE_OBJECT


def _positional_shape(values: Sequence[Json]) -> Shape:
    spelled = [read_nested(value) for value in values if isinstance(value, str)]
    if any(isinstance(one.value, str) and one.value.lstrip().startswith("{") and not one.is_read for one in spelled):
        return Shape.BROKEN
    if len(spelled) < len(values):
        return Shape.MIXED
    return Shape.JSON_VALUES if all(one.is_read for one in spelled) else Shape.POSITIONAL

"""What a pickle holds, made JSON under limits: a small file may describe a value that fills the memory."""

from __future__ import annotations

import math
import struct
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeVar

from audit.loaders.json_file import MAX_BYTES, MAX_DEPTH
from audit.loaders.pickle_reader import Made, Name, Plain
from audit.records.task import Json

T = TypeVar("T")

MAX_NODES = 4_000_000
"""Values, in all, that one file may come to; a real event has two thousand."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"s": 1_000_000, "ms": 1_000, "us": 1}
_TIMESTAMP_UNITS = {7: "s", 8: "ms", 9: "us", 10: "ns"}
_FORMATS = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f4": "f", "f8": "d", "M8": "q",
}  # fmt: skip
_MISSING = ("NA", "_nat_unpickle", "__nat_unpickle")
_NEVER = -(2**63)
"""How a missing time is stored."""


class OddShapeError(Exception):
    """A value that is not what it should be; the loader turns it into a :class:`audit.errors.LoadError`."""


def need(value: object, kind: type[T], *, what: str) -> T:
    """Return ``value`` if it is of this kind.

    Raises
    ------
    OddShapeError
        Saying that ``what`` is not.
    """
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    raise OddShapeError(f"{what} is {describe(value)}")


def describe(value: object) -> str:
    """Return what a value is, for messages.

    Examples
    --------
    >>> describe([1]), describe(Name("a.b", "C"))
    ('a list', 'the name a.b.C')
    """
    if isinstance(value, Made):
        return f"an object of {value.name}"
    if isinstance(value, Name):
        return f"the name {value}"
    names: dict[type, str] = {list: "a list", tuple: "a tuple", dict: "a dictionary", str: "a text", bytes: "bytes"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), f"{value!r:.40}")


class Walk:
    """Counts what is made of one file, and refuses more than ``MAX_NODES`` values or ``MAX_BYTES`` characters."""

    def __init__(self) -> None:
        self._n_nodes = 0
        self._n_characters = 0

    def spend(self, n_nodes: int, n_characters: int = 0) -> None:
        """Count some values; raise :class:`OddShapeError` when they are too many."""
        self._n_nodes += n_nodes
        self._n_characters += n_characters
        if self._n_nodes > MAX_NODES or self._n_characters > MAX_BYTES:
            raise OddShapeError("what the file describes is too large")

    def json(self, value: Plain) -> Json:
        """Return a plain value as JSON: tuples as lists, missing numbers and times as null, times as text.

        What it comes to is counted before any of it is made, and a part that stands in many places is looked at once.

        Raises
        ------
        OddShapeError
            For an object of any other class, a number that is not finite, and what is nested too deep or too large.
        """
        size = _size(value, 0, {})
        self.spend(size.n_nodes, size.n_characters)
        return _json(value)


class _Size(NamedTuple):
    """What a value comes to with all that is inside it."""

    n_nodes: int
    n_characters: int
    n_levels: int
    """Containers inside one another, the value itself included."""


def _size(value: Plain, depth: int, known: dict[int, _Size]) -> _Size:
    """Measure a value; ``known`` has the containers that were measured before, by identity."""
    if not isinstance(value, list | tuple | dict):
        return _Size(1, len(value) if isinstance(value, str) else 0, 0)
    found = known.get(id(value))
    if depth + (found.n_levels - 1 if found else 0) > MAX_DEPTH:
        raise OddShapeError(f"a value is nested more than {MAX_DEPTH} levels deep")
    if found is None:
        parts = [_size(part, depth + 1, known) for part in (value.values() if isinstance(value, dict) else value)]
        found = known[id(value)] = _Size(
            1 + sum(part.n_nodes for part in parts),
            sum(part.n_characters for part in parts),
            1 + max((part.n_levels for part in parts), default=0),
        )
    return found


def _json(value: Plain) -> Json:
    if isinstance(value, list | tuple):
        return [_json(part) for part in value]
    if isinstance(value, dict):
        made = {str(key): _json(part) for key, part in value.items()}
        if len(made) < len(value):
            raise OddShapeError("a dictionary has two keys that read alike")
        return made
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, Made | Name | bytes):
        return _cell(value)
    return value


def _finite(value: float) -> float | None:
    if math.isinf(value):
        raise OddShapeError("a number is not finite")
    return None if math.isnan(value) else value


def _cell(value: Made | Name | bytes) -> Json:
    """Return a single value that has a class of its own."""
    name = value.name.attribute if isinstance(value, Made) else value.attribute if isinstance(value, Name) else ""
    if name in _MISSING:
        return None
    if isinstance(value, Made) and name == "scalar" and len(value.arguments) == 2:  # noqa: PLR2004
        dtype, raw = value.arguments
        return numbers(need(raw, bytes, what="a number"), dtype, n=1)[0]
    if isinstance(value, Made) and name == "_unpickle_timestamp" and value.arguments:
        count, _, zone, unit = (*value.arguments, None, None, 10)[:4]
        if zone is None and isinstance(unit, int) and unit in _TIMESTAMP_UNITS:
            return _time(need(count, int, what="a time"), _TIMESTAMP_UNITS[unit])
    raise OddShapeError(f"a value is {describe(value)}")


def numbers(raw: bytes, dtype: Plain, *, n: int) -> list[Json]:
    """Return ``n`` numbers, truth values or times that stand in ``raw``, as numpy's ``dtype`` says.

    Raises
    ------
    OddShapeError
        If there are more or fewer, or numpy's type is another.
    """
    code, order, unit = read_dtype(dtype)
    if code not in _FORMATS:
        raise OddShapeError(f"a column has the numpy type {code!r:.20}")
    layout = struct.Struct(f"{'>' if order == '>' else '<'}{_FORMATS[code]}")
    if len(raw) != n * layout.size:
        raise OddShapeError("a column is longer or shorter than its table")
    found = [value for (value,) in layout.iter_unpack(raw)]
    if code == "M8":
        return [_time(value, unit) for value in found]
    return [_finite(value) if isinstance(value, float) else value for value in found]


def read_dtype(dtype: Plain) -> tuple[str, str, str]:
    """Return the code, the byte order and, for times, the unit of a numpy type."""
    made = need(dtype, Made, what="a column's type")
    if made.name.attribute != "dtype" or not made.arguments:
        raise OddShapeError(f"a column's type is {describe(made)}")
    state = need(made.state, tuple, what="a column's type")
    order = state[1] if len(state) > 1 else None
    return need(made.arguments[0], str, what="a column's type"), need(order, str, what="a byte order"), _unit(state[-1])


def _unit(value: Plain) -> str:
    """Return the unit of times from the end of a type's state: ``((b"us", 1, 1, 1),)`` or a tuple around that."""
    while isinstance(value, tuple) and value:
        value = value[-1] if isinstance(value[-1], tuple) else value[0]
    return value.decode("ascii", "replace") if isinstance(value, bytes) else ""


def _time(count: int, unit: str) -> str | None:
    if count == _NEVER:
        return None
    if unit == "ns":
        count, unit = count // 1_000, "us"
    try:
        return (_EPOCH + timedelta(microseconds=count * _UNITS[unit])).replace(tzinfo=None).isoformat()
    except (OverflowError, KeyError) as error:
        raise OddShapeError(f"a time is {count} {unit!r:.10} after 1970") from error

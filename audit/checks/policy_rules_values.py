"""What the operators of policy rules do with values; whatever does not fit their types can't be told."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from audit.records.task import Json


class Unknown:
    """Stands for a value that can't be told: a row or field that is missing, or of a type that does not fit."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
Value = Json | Unknown
Truth = bool | None
"""``None`` where it can't be told."""
_TOLERANCE = 1e-6
"""Sums of money are equal although their binary fractions are not."""


def known(value: Value) -> bool:
    """Return whether a value is there."""
    return not isinstance(value, Unknown)


def _number(value: Value) -> float | int | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def entries(value: Value) -> Sequence[Json] | None:
    """Return a list; ``None`` for anything else, texts too."""
    return value if isinstance(value, list | tuple) else None


def loop_entries(value: Value) -> Sequence[Json] | None:
    """Return the entries of a list, or the values of an object; ``None`` for anything else."""
    return list(value.values()) if isinstance(value, Mapping) else entries(value)


def equal(one: Value, other: Value) -> Truth:
    """Return whether two values are the same; a text is never a number.

    Examples
    --------
    >>> equal(0.1 + 0.2, 0.3), equal("3", 3), equal(["a"], ["a"]), equal(UNKNOWN, 1)
    (True, False, True, None)
    """
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return None
    left, right = _number(one), _number(other)
    if left is not None and right is not None:
        return left == right or _is_close(left, right)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(equal(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    return type(one) is type(other) and one == other


def _is_close(one: float | int, other: float | int) -> bool:
    try:
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=_TOLERANCE)
    except OverflowError:  # a whole number beyond every float
        return False


def _less(one: Value, other: Value) -> Truth:
    left, right = _number(one), _number(other)
    if left is not None and right is not None:
        return left < right and not equal(one, other)
    return one < other if isinstance(one, str) and isinstance(other, str) else None


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _member(one: Value, other: Value) -> Truth:
    found = entries(other)
    if found is None or not known(one):
        return None
    return any(equal(one, part) for part in found)


def _within(one: Value, other: Value) -> Truth:
    parts, whole = entries(one), entries(other)
    if parts is None or whole is None:
        return None
    return all(any(equal(part, found) for found in whole) for part in parts)


def _same_entries(one: Value, other: Value) -> Truth:
    left, right = entries(one), entries(other)
    return None if left is None or right is None else sorted(map(_write, left)) == sorted(map(_write, right))


def _write(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def present(value: Value) -> bool:
    """Return whether a value is there and is not null."""
    return known(value) and value is not None


TESTS: Final[Mapping[str, Callable[[Value, Value], Truth]]] = {
    "equal": equal,
    "less": _less,
    "at_most": lambda one, other: _not(_less(other, one)),
    "more": lambda one, other: _less(other, one),
    "at_least": lambda one, other: _not(_less(one, other)),
    "in": _member,
    "within": _within,
    "same_entries": _same_entries,
}


def add(values: Sequence[Value]) -> Value:
    """Return the sum of numbers; 0 of none."""
    return _reckon(values, sum)


def _subtract(values: Sequence[Value]) -> Value:
    return _reckon(values, lambda numbers: numbers[0] - numbers[1])


def _multiply(values: Sequence[Value]) -> Value:
    return _reckon(values, math.prod)


def _reckon(values: Sequence[Value], work: Callable[[list[float | int]], float | int]) -> Value:
    numbers = [number for value in values if (number := _number(value)) is not None]
    if len(numbers) < len(values):
        return UNKNOWN
    try:
        found = work(numbers)
        return found if math.isfinite(found) else UNKNOWN
    except OverflowError:
        return UNKNOWN


def _extreme(values: Sequence[Value], sign: int) -> Value:
    return _reckon(values, lambda numbers: sign * max(sign * number for number in numbers))


def _size(values: Sequence[Value]) -> Value:
    found = entries(values[0])
    return UNKNOWN if found is None else len(found)


def _first(values: Sequence[Value]) -> Value:
    found = entries(values[0])
    return found[0] if found else UNKNOWN


def _join(values: Sequence[Value]) -> Value:
    texts = [str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)]
    return "".join(texts) if len(texts) == len(values) else UNKNOWN


def _moments(values: Sequence[Value]) -> tuple[datetime, datetime] | None:
    texts = [value for value in values if isinstance(value, str)]
    try:
        one, other = (datetime.fromisoformat(text) for text in texts)
    except ValueError:
        return None
    return (one, other) if (one.tzinfo is None) == (other.tzinfo is None) else None


def _hours(values: Sequence[Value]) -> Value:
    times = _moments(values)
    return (times[1] - times[0]).total_seconds() / 3600 if times else UNKNOWN


def _days(values: Sequence[Value]) -> Value:
    times = _moments(values)
    return (times[1].date() - times[0].date()).days if times else UNKNOWN


def _months(values: Sequence[Value]) -> Value:
    times = _moments(values)
    if times is None:
        return UNKNOWN
    start, end = times[0].date(), times[1].date()
    return 12 * (end.year - start.year) + end.month - start.month - (end.day < start.day)


def _default(values: Sequence[Value]) -> Value:
    return values[0] if present(values[0]) else values[1]


def get(values: Sequence[Value]) -> Value:
    """Return what stands in the first value under the keys that follow, one inside the other."""
    found = values[0]
    for key in values[1:]:
        if not isinstance(found, Mapping) or not isinstance(key, str) or key not in found:
            return UNKNOWN
        found = found[key]
    return found


def _items(values: Sequence[Value]) -> Value:
    parts = [value for value in values if not isinstance(value, Unknown)]
    return parts if len(parts) == len(values) else UNKNOWN


WORK: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "add": add,
    "subtract": _subtract,
    "multiply": _multiply,
    "max": lambda values: _extreme(values, 1),
    "min": lambda values: _extreme(values, -1),
    "size": _size,
    "first": _first,
    "join": _join,
    "hours": _hours,
    "days": _days,
    "months": _months,
    "default": _default,
    "get": get,
    "[]": _items,
}

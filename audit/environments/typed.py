"""Typed records out of arguments, with the conversions that the τ domains make: text stays text, 25.0 becomes 25."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from audit.environments.view import Row, ToolError

Field = Callable[[Any], Any]
"""Converts a value or raises a :class:`ToolError`."""
INVALID = "invalid record"


def text(value: object) -> str:
    """Return a text; nothing is converted to one."""
    if isinstance(value, str):
        return value
    raise ToolError(INVALID, f"{value!r} is not a text")


def whole(value: object) -> int:
    """Return an integer: from a number without fraction, a bool or a numeric text.

    Examples
    --------
    >>> whole(25.0), whole("7"), whole(True)
    (25, 7, 1)
    """
    try:
        number = float(value) if isinstance(value, str) and "." in value else value
        if isinstance(number, float) and number.is_integer():
            return int(number)
        if isinstance(number, int):
            return int(number)
        if isinstance(number, str):
            return int(number)
    except ValueError:
        pass
    raise ToolError(INVALID, f"{value!r} is not a whole number")


def number(value: object) -> float:
    """Return a float: from any number, a bool or a numeric text.

    Examples
    --------
    >>> number(100), number("7.5")
    (100.0, 7.5)
    """
    try:
        if isinstance(value, int | float | str):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise ToolError(INVALID, f"{value!r} is not a number")


_MADE: Final[Mapping[Field, type]] = {whole: int, number: float}


def one_of(*choices: str) -> Field:
    """Return a field that takes only these texts."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ToolError(INVALID, f"{value!r} is none of {', '.join(choices)}")

    return read


def record(value: object, fields: Mapping[str, Field]) -> Row:
    """Return an object with these fields converted, all of them required, unknown keys dropped."""
    if not isinstance(value, Mapping):
        raise ToolError(INVALID, f"{value!r} is not an object")
    if missing := [name for name in fields if name not in value]:
        raise ToolError(INVALID, f"{', '.join(missing)} is missing")
    return {name: read(value[name]) for name, read in fields.items()}


def records(values: object, fields: Mapping[str, Field]) -> list[Row]:
    """Return a list of such objects; an empty text or object is an empty list, for there is nothing in it."""
    if isinstance(values, str | Mapping) and not values:
        return []
    if not isinstance(values, list | tuple):
        raise ToolError(INVALID, f"{values!r} is not a list")
    return [record(value, fields) for value in values]


def convert_numbers(row: Any, path: tuple[str, ...], *, read: Field) -> Any:  # noqa: ANN401  # JSON in, JSON out
    """Return ``row`` with the numbers at ``path`` converted; ``*`` steps into every entry of a list or an object.

    What can't be converted stays. The same object comes back where nothing changes.

    Examples
    --------
    >>> convert_numbers({"cards": {"c1": {"amount": 5}}}, ("cards", "*", "amount"), read=number)
    {'cards': {'c1': {'amount': 5.0}}}
    """
    if not path:
        return _convert(row, read)
    if isinstance(row, list) and path[0] == "*":
        parts = [convert_numbers(part, path[1:], read=read) for part in row]
        return row if all(new is old for new, old in zip(parts, row, strict=True)) else parts
    if not isinstance(row, dict):
        return row
    made = row
    for key in row if path[0] == "*" else (path[0],) if path[0] in row else ():
        part = convert_numbers(row[key], path[1:], read=read)
        if part is not row[key]:
            made = dict(row) if made is row else made
            made[key] = part
    return made


def _convert(value: Any, read: Field) -> Any:  # noqa: ANN401  # JSON in, JSON out
    if type(value) is _MADE[read] or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        wanted = read(value)
    except ToolError:
        return value
    return wanted

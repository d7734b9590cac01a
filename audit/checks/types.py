"""Values against the types that tool tables write, such as ``list[str]``, ``int|null`` or ``enum[a|b]``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.records.task import Json

_PLAIN: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "string": (str,),
    "bool": (bool,),
    "boolean": (bool,),
    "dict": (Mapping,),
    "object": (Mapping,),
    "list": (list, tuple),
    "array": (list, tuple),
    "null": (type(None),),
    "none": (type(None),),
}
_NUMBERS = {"int": True, "integer": True, "float": False, "number": False}
"""Names of number types, and whether they are whole."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The value that does not fit, what would, and whether a list of allowed values says so."""

    value: Json
    wanted: str
    is_enum: bool


def misfit(value: Json, written: str) -> Misfit | None:
    """Return why ``value`` is not of the type ``written``; ``None`` if it is, or if the type is none we know.

    A whole number fits a ``float``, and a number without fraction an ``int``; a bool is no number.

    Examples
    --------
    >>> misfit("3", "int").wanted
    'int'
    >>> misfit(["a", 1], "list[str]").value
    1
    >>> misfit(None, "str|null") is None, misfit("x", "enum[a|b]").is_enum
    (True, True)
    """
    options = _split(written)
    found = [_misfit(value, option) for option in options]
    if any(one is None for one in found):
        return None
    first = found[0]
    if len(options) == 1:
        return first
    return Misfit(value, written, is_enum=any(one.is_enum for one in found if one))


def _split(written: str) -> list[str]:
    """Return the alternatives of a union; a bar inside brackets belongs to the type there."""
    parts, depth = [""], 0
    for sign in written.replace(" ", ""):
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def choices_of(written: str) -> tuple[str, ...]:
    """Return the values that a type allows one by one; empty where it is no such list.

    Examples
    --------
    >>> choices_of("enum[one_way|round_trip]"), choices_of("str")
    (('one_way', 'round_trip'), ())
    """
    name, _, rest = written.partition("[")
    return tuple(rest.removesuffix("]").split("|")) if name == "enum" and rest.endswith("]") else ()


def _misfit(value: Json, written: str) -> Misfit | None:
    name, _, rest = written.partition("[")
    name, inner = name.lower(), rest.removesuffix("]")
    if name == "enum":
        return None if _as_choice(value) in inner.split("|") else Misfit(value, f"one of {inner}", is_enum=True)
    if name in _NUMBERS:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return None if is_number and (is_whole or not _NUMBERS[name]) else Misfit(value, written, is_enum=False)
    if name not in _PLAIN:
        return None
    if not isinstance(value, _PLAIN[name]):
        return Misfit(value, written, is_enum=False)
    if inner and isinstance(value, list | tuple):
        return next((bad for part in value if (bad := misfit(part, inner)) is not None), None)
    return None


def _as_choice(value: Json) -> str | None:
    if isinstance(value, bool):
        return str(value)
    return str(value) if isinstance(value, str | int | float) else None

"""Records as plain JSON values."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from enum import Enum
from json.encoder import encode_basestring
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, "Plain"] | list["Plain"] | str | float | int | bool | None

_OBJECT = (dict, Mapping)
_LIST = (list, Sequence)
_WRITERS: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
}
"""Of the values that a text is mostly made of; ``json`` writes the others."""
_UNSAFE = re.compile(r"[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
"""Raw, these steer a terminal or can't be encoded; ``json`` leaves them as they are."""


def to_plain(value: object) -> Plain:
    """Return ``value`` made of dicts, lists and scalars only.

    Parameters
    ----------
    value
        A record, mapping, sequence, set (sorted), enum or JSON scalar.

    Raises
    ------
    ValueError
        If a number is not finite: what doesn't exist must be ``None``.
    TypeError
        If it is none of these.
    """
    if isinstance(value, Enum):
        return to_plain(value.value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(inner) for key, inner in value.items()}
    if isinstance(value, Set | Sequence):
        return [to_plain(inner) for inner in (sorted(value) if isinstance(value, Set) else value)]
    return fields_of(value)


def fields_of(record: object) -> dict[str, Plain]:
    """Return the fields of a dataclass record by name."""
    if not dataclasses.is_dataclass(record) or isinstance(record, type):
        raise TypeError(f"not a record: {type(record).__name__}")
    return {field.name: to_plain(getattr(record, field.name)) for field in dataclasses.fields(record)}


def dump(value: Plain, *, indent: int | None = 2) -> str:
    r"""Return ``value`` as JSON text that is safe to print and to encode as UTF-8.

    Examples
    --------
    >>> dump("é\u202e\x9b", indent=None)
    '"é\\u202e\\u009b"'
    """
    if indent is None:  # noqa: SIM108  # one line would be too long
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    else:
        text = indented(value, " " * indent)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"a report can't hold {value}: what doesn't exist must be None")
    return value


def pretty(value: object) -> str:
    """Return a database row as indented JSON for a reader; unlike in :func:`dump` a stray NaN is shown as it stands."""
    return indented(value, "\t", allow_nan=True)


def indented(value: object, step: str, *, allow_nan: bool = False) -> str:
    """Return what ``json.dumps`` with an indent returns, in about half its time: ``json`` alone indents slowly.

    Parameters
    ----------
    value
        Made of JSON scalars, mappings and sequences.
    step
        By which each level is indented.
    allow_nan
        Whether a number that is not finite is written as it stands.

    Raises
    ------
    ValueError
        If a number is not finite and that is not allowed.
    TypeError
        If it is made of anything else.

    Examples
    --------
    >>> print(indented({"a": [1, "é"], "b": {}}, "  "))
    {
      "a": [
        1,
        "é"
      ],
      "b": {}
    }
    """
    parts: list[str] = []

    def put(label: str, value: object, *, line: str) -> None:
        if (write := _WRITERS.get(type(value))) is not None:
            parts.append(label + write(value))
        elif isinstance(value, _OBJECT):
            enclose(label, ((f"{_key(name)}: ", part) for name, part in value.items()), signs="{}", line=line)
        elif isinstance(value, _LIST) and not isinstance(value, str):
            enclose(label, (("", part) for part in value), signs="[]", line=line)
        elif isinstance(value, str | int | float):
            parts.append(label + json.dumps(value, ensure_ascii=False, allow_nan=allow_nan))
        else:
            raise TypeError(f"not a JSON value: {type(value).__name__}")

    def enclose(label: str, entries: Iterable[tuple[str, object]], *, signs: str, line: str) -> None:
        inner, before = line + step, f"{label}{signs[0]}{line}{step}"
        is_empty = True
        for name, part in entries:
            put(before + name, part, line=inner)
            before, is_empty = f",{inner}", False
        parts.append(label + signs if is_empty else line + signs[1])

    put("", value, line="\n")
    return "".join(parts)


def _key(name: object) -> str:
    return encode_basestring(name) if isinstance(name, str) else f'"{json.dumps(name)}"'

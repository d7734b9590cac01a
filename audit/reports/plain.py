"""Records as plain JSON values."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import TypeAlias

Plain: TypeAlias = dict[str, "Plain"] | list["Plain"] | str | float | int | bool | None

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
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"a report can't hold {value}: what doesn't exist must be None")
    return value


def pretty(value: object) -> str:
    """Return a database row as indented JSON for a reader; unlike in :func:`dump` a stray NaN is shown as it stands."""
    return json.dumps(value, indent="\t", ensure_ascii=False, default=_container)


def _container(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")

"""JSON inside a text of a JSON file, read without trust."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from audit.records.task import Json

MAX_DEPTH = 60
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Nested:
    """What a text spells, and what is wrong with it; ``value`` is the text itself where it can't be read."""

    value: Json
    problem: str = ""
    is_read: bool = True


def read_nested(value: Json) -> Nested:
    """Return what a text spells as JSON; a value that is no text is what it is.

    A key that stands twice in one object is a problem, and the later value counts. A value that is nested too deep,
    holds half of a surrogate pair or a number that is not finite counts as unreadable.

    Examples
    --------
    >>> read_nested('{"a": 1}').value, read_nested("{a").problem
    ({'a': 1}, 'not JSON: Expecting property name enclosed in double quotes')
    """
    if not isinstance(value, str):
        return Nested(value)
    doubles: list[str] = []

    def build(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made: dict[str, Json] = {}
        for key, part in pairs:
            if key in made:
                doubles.append(key)
            made[key] = part
        return made

    try:
        found: Json = json.loads(value, object_pairs_hook=build, parse_constant=_refuse, parse_float=_finite)
        if _is_deep(found) or (_may_be_broken(value) and _is_broken(found)):
            return Nested(value, "nested too deep, or with text that can't be written", is_read=False)
    except json.JSONDecodeError as error:
        return Nested(value, f"not JSON: {error.msg}", is_read=False)
    except (ValueError, RecursionError):
        return Nested(value, "not JSON that can be read", is_read=False)
    return Nested(found, f"the key {doubles[0]!r} stands twice in one object" if doubles else "")


def _refuse(name: str) -> Json:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _may_be_broken(text: str) -> bool:
    return "\\u" in text or (not text.isascii() and _HALF.search(text) is not None)


def _is_deep(value: Json) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for part in level for inner in _inside(part) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _is_broken(value: Json) -> bool:
    """Return whether a text in a value holds half of a surrogate pair."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str) and _HALF.search(part):
            return True
        waiting.extend(part if isinstance(part, dict) else ())
        waiting.extend(_inside(part))
    return False


def _inside(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()

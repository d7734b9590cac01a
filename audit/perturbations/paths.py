"""Origins as paths into a task's entry."""

from __future__ import annotations

import re
from collections.abc import Mapping

from audit.perturbations.json_paths import Path
from audit.records.task import Json, Origin

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def path_in(raw: Json, origin: Origin) -> Path:
    """Return the path that an origin names in an entry, whose names may hold dots and brackets themselves.

    Examples
    --------
    >>> path_in({"criteria": {"actions": []}}, Origin("tasks.json", "criteria.actions[2].name"))
    ('criteria', 'actions', 2, 'name')
    >>> path_in({"Exp. result": "It is done."}, Origin("tasks.csv", "Exp. result"))
    ('Exp. result',)
    """
    rest, value, path = origin.field, raw, []
    while rest:
        key, rest = _first(rest, value)
        path.append(key)
        if isinstance(value, Mapping):
            value = value.get(str(key))
        else:
            value = value[key] if isinstance(value, list) and isinstance(key, int) and key < len(value) else None
    return tuple(path)


def _first(field: str, value: Json) -> tuple[str | int, str]:
    """Return the first step of a path and the rest: the longest name that an object has there, or what stands first."""
    known: Mapping[str, Json] = value if isinstance(value, Mapping) else {}
    names = [name for name in known if field == name or field.startswith((f"{name}.", f"{name}["))]
    if names:
        name = max(names, key=len)
        return name, field[len(name) :].removeprefix(".")
    match = _STEP.match(field)
    if match is None:
        return field, ""
    return match[2] or int(match[1]), field[match.end() :].removeprefix(".")

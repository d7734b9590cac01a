"""Values that fit a JSON Schema, for replies that no model wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.records.task import Json


@dataclass(frozen=True, slots=True)
class Chooser:
    """How the freedom that a schema leaves is used.

    Parameters
    ----------
    rng
        Draws numbers, lengths and members of an enumeration; ``None`` for the least of each.
    number
        Taken for every number instead of drawing one, whatever the schema's bounds.
    """

    rng: np.random.Generator | None = None
    number: float | None = None

    def pick_number(self, low: float, high: float, *, is_whole: bool) -> float:
        """Return a number between two bounds."""
        if self.number is not None:
            chosen = self.number
        elif self.rng is None:
            chosen = low
        else:
            chosen = (
                float(self.rng.integers(int(low), int(high) + 1)) if is_whole else float(self.rng.uniform(low, high))
            )
        return int(chosen) if is_whole else chosen

    def pick_length(self, low: int, high: int, *, is_listing: bool) -> int:
        """Return how long a list is; lists of names out of an enumeration are mostly short."""
        if self.rng is None:
            return low
        if is_listing:
            return min(high, max(low, int(self.rng.poisson(0.6))))
        return int(self.rng.integers(low, min(high, low + 2) + 1))

    def pick_members(self, members: Sequence[Json], n: int) -> list[Json]:
        """Return ``n`` different members in their own order; all if there are fewer."""
        if self.rng is None or n >= len(members):
            return list(members[:n])
        places = sorted(self.rng.choice(len(members), size=n, replace=False).tolist())
        return [members[place] for place in places]


def make_example(schema: Mapping[str, Json], chooser: Chooser) -> Json:
    """Return a value that fits ``schema``.

    Parameters
    ----------
    schema
        Objects, arrays, strings, numbers, booleans, null, ``enum``, ``const``, ``anyOf`` and local ``$ref``.
    chooser
        What to choose where the schema leaves a choice.

    Examples
    --------
    >>> make_example({"type": "object", "properties": {"score": {"type": "integer"}}}, Chooser(number=7))
    {'score': 7}
    """
    return _example(schema, chooser, root=schema)


def _example(schema: Mapping[str, Json], chooser: Chooser, *, root: Mapping[str, Json]) -> Json:
    schema = _resolve(schema, root)
    if "const" in schema:
        return schema["const"]
    members = schema.get("enum")
    if isinstance(members, Sequence) and members:
        return chooser.pick_members(members, 1)[0]
    kind = schema.get("type")
    if kind == "object":
        return _object(schema, chooser, root=root)
    if kind == "array":
        return _array(schema, chooser, root=root)
    return _scalar(str(kind), schema, chooser)


def _resolve(schema: Mapping[str, Json], root: Mapping[str, Json]) -> Mapping[str, Json]:
    """Follow a reference, or the first of several forms."""
    reference, forms = schema.get("$ref"), schema.get("anyOf")
    if isinstance(reference, str):
        target: Json = root
        for step in reference.removeprefix("#/").split("/"):
            target = _mapping(target)[step]
        return _resolve(_mapping(target), root)
    if isinstance(forms, Sequence) and forms:
        return _resolve(_mapping(forms[0]), root)
    return schema


def _object(schema: Mapping[str, Json], chooser: Chooser, *, root: Mapping[str, Json]) -> Json:
    properties = _mapping(schema.get("properties", {}))
    return {name: _example(_mapping(part), chooser, root=root) for name, part in properties.items()}


def _array(schema: Mapping[str, Json], chooser: Chooser, *, root: Mapping[str, Json]) -> Json:
    part = _resolve(_mapping(schema["items"]), root)
    low = _whole(schema.get("minItems"), 0)
    members = part.get("enum")
    if isinstance(members, Sequence) and members:
        high = min(_whole(schema.get("maxItems"), len(members)), len(members))
        return chooser.pick_members(members, chooser.pick_length(low, high, is_listing=True))
    keyed = _keyed_by(part, root)
    if keyed is not None:
        return _listing(schema, part, chooser, keyed=keyed, root=root)
    if part.get("type") == "object":
        return [_example(part, chooser, root=root) for _ in range(low)]
    high = _whole(schema.get("maxItems"), low + 2)
    n = chooser.pick_length(max(low, min(1, high)), high, is_listing=False)
    return [_numbered(_example(part, chooser, root=root), place) for place in range(1, n + 1)]


def _keyed_by(part: Mapping[str, Json], root: Mapping[str, Json]) -> str | None:
    """The property of an object that names a member of an enumeration, such as an item's id."""
    properties = _mapping(part.get("properties", {}))
    return next((name for name, inner in properties.items() if "enum" in _resolve(_mapping(inner), root)), None)


def _listing(
    schema: Mapping[str, Json], part: Mapping[str, Json], chooser: Chooser, *, keyed: str, root: Mapping[str, Json]
) -> Json:
    """Objects that each name another member."""
    members = _resolve(_mapping(_mapping(part["properties"])[keyed]), root)["enum"]
    names = members if isinstance(members, Sequence) else ()
    low, high = _whole(schema.get("minItems"), 0), min(_whole(schema.get("maxItems"), len(names)), len(names))
    chosen = chooser.pick_members(names, chooser.pick_length(low, high, is_listing=True))
    return [{**_mapping(_example(part, chooser, root=root)), keyed: name} for name in chosen]


def _scalar(kind: str, schema: Mapping[str, Json], chooser: Chooser) -> Json:
    if kind in {"integer", "number"}:
        low = _number(schema.get("minimum"), 0.0)
        high = _number(schema.get("maximum"), low + 10)
        return chooser.pick_number(low, high, is_whole=kind == "integer")
    if kind == "boolean":
        return chooser.rng is not None and bool(chooser.rng.integers(2))
    if kind == "string":
        return "Scripted text: no model was asked."
    return None


def _numbered(value: Json, place: int) -> Json:
    return f"{value} ({place})" if isinstance(value, str) else value


def _mapping(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise ValueError(f"a JSON Schema was expected, not {value!r}")
    return value


def _whole(value: Json, default: int) -> int:
    return value if isinstance(value, int) else default


def _number(value: Json, default: float) -> float:
    return float(value) if isinstance(value, int | float) else default

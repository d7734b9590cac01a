"""One object of a JSON file, read field by field with its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.errors import LoadError
from audit.records.task import Json, Origin

_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


def name_type(value: Json) -> str:
    """Return what kind of JSON value ``value`` is, for messages.

    Examples
    --------
    >>> name_type([]), name_type(1.5)
    ('a list', 'a number')
    """
    return _NAMES.get(type(value), "a number")


def as_json(value: Json) -> str:
    """Return ``value`` as compact readable JSON.

    Examples
    --------
    >>> as_json({"city": "Zürich"})
    '{"city": "Zürich"}'
    """
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An object of a file; reading a field of the wrong type raises a :class:`LoadError` that names its place.

    Absent and ``null`` read alike, as ``None``; an empty list stays a list.
    """

    values: Mapping[str, Json]
    origin: Origin
    path: Path

    def origin_of(self, field: str) -> Origin:
        """Return the origin of a field of this object."""
        parent = self.origin.field
        name = f"{parent}.{field}" if parent else field
        return Origin(self.origin.file, name, self.origin.task_id, self.origin.line)

    def error(self, what: str, *, field: str = "", mend: str = "") -> LoadError:
        """Return an error about this object or one of its fields."""
        origin = self.origin_of(field) if field else self.origin
        task = f" task {origin.task_id}" if origin.task_id is not None else ""
        return LoadError(what, where=f"{self.path}{task} {origin.field}".rstrip(), mend=mend)

    def wrong_type(self, field: str, *, wanted: str, value: Json) -> LoadError:
        """Return the error for a field that holds another type than ``wanted``."""
        return self.error(f"must be {wanted}, not {name_type(value)}", field=field, mend="Correct the field")

    def text(self, field: str) -> str | None:
        """Return a text field."""
        value = self.values.get(field)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong_type(field, wanted="a text", value=value)

    def need_text(self, field: str) -> str:
        """Return a text field that must be there and not blank."""
        value = self.text(field)
        if value is None or not value.strip():
            raise self.error(f"the field {field!r} is missing or blank", field=field, mend="Add it")
        return value

    def flag(self, field: str, *, default: bool) -> bool:
        """Return a field that is true or false; ``default`` is the format's own where it is absent."""
        value = self.values.get(field)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        raise self.wrong_type(field, wanted="true or false", value=value)

    def sequence(self, field: str) -> Sequence[Json] | None:
        """Return a list field."""
        value = self.values.get(field)
        if value is None or isinstance(value, list):
            return value
        raise self.wrong_type(field, wanted="a list", value=value)

    def texts(self, field: str) -> tuple[str, ...] | None:
        """Return a field that is a list of texts."""
        found = self.sequence(field)
        if found is None:
            return None
        for position, value in enumerate(found):
            if not isinstance(value, str):
                raise self.wrong_type(f"{field}[{position}]", wanted="a text", value=value)
        return tuple(str(value) for value in found)

    def mapping(self, field: str) -> Mapping[str, Json] | None:
        """Return a field that is an object, as it is."""
        value = self.values.get(field)
        if value is None or isinstance(value, dict):
            return value
        raise self.wrong_type(field, wanted="an object", value=value)

    def entry(self, field: str) -> Entry | None:
        """Return a field that is an object."""
        value = self.mapping(field)
        return None if value is None else Entry(value, self.origin_of(field), self.path)

    def entries(self, field: str) -> tuple[Entry, ...] | None:
        """Return a field that is a list of objects."""
        found = self.sequence(field)
        return None if found is None else tuple(self._nth(field, n, value) for n, value in enumerate(found))

    def _nth(self, field: str, position: int, value: Json) -> Entry:
        name = f"{field}[{position}]"
        if not isinstance(value, dict):
            raise self.wrong_type(name, wanted="an object", value=value)
        return Entry(value, self.origin_of(name), self.path)

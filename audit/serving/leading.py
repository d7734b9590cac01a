"""The first fields of a JSON file, without what follows them: a run's texts, which are most of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Set
from typing import Any, BinaryIO

_BEGINNING, _TAIL = 262_144, 64
"""Bytes in which the fields that are wanted mostly stand, and that show whether a file is whole."""
_SPACE, _COLON, _COMMA = re.compile(r"\s*"), re.compile(r"\s*:\s*"), re.compile(r"\s*,\s*")


def leading_fields(file: BinaryIO, wanted: Set[str]) -> Mapping[str, Any]:
    """Return an object's fields up to the last of those that are wanted; all of them where some are missing.

    Raises
    ------
    ValueError
        If the file holds no whole JSON, or none in UTF-8.
    """
    file.seek(0)
    found: dict[str, Any] = {}
    for key, value in _leading(file.read(_BEGINNING).decode(errors="replace")):
        found[key] = value
        if wanted <= found.keys() and _ends_whole(file):
            return found
    file.seek(0)
    document = json.loads(file.read())
    return document if isinstance(document, Mapping) else {}


def _leading(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object whose end may be cut off, as far as they are whole."""
    decoder = json.JSONDecoder()
    place = _SPACE.match(text, text.index("{") + 1).end()  # type: ignore[union-attr]  # matches anything
    while True:
        try:
            key, place = decoder.raw_decode(text, place)
            place = _COLON.match(text, place).end()  # type: ignore[union-attr]  # the next line but one
            value, place = decoder.raw_decode(text, place)
        except (ValueError, AttributeError, RecursionError):
            return
        if place >= len(text):  # a number may go on
            return
        yield str(key), value
        after = _COMMA.match(text, place)
        if after is None:
            return
        place = after.end()


def _ends_whole(file: BinaryIO) -> bool:
    """Whether a file ends as what we write does, at the margin; one that does not is read to say where it is cut."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    return file.read().rstrip().endswith(b"\n}")

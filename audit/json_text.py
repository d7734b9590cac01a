"""Places in the text of a JSON document that is known to be sound, without keeping its values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = re.compile(r"[ \t\n\r]*")
_STEP = re.compile(r"\[(\d+)\]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands: ``text[start:end]``. A member of an object has a key, which begins at ``key_start``."""

    start: int
    end: int
    key: str = ""
    key_start: int = -1

    @property
    def first(self) -> int:
        """Where a reader finds it: at its key, where it has one."""
        return self.start if self.key_start < 0 else self.key_start


def top(text: str) -> Span:
    """Return the span of the document's value; the document is not read for it."""
    return Span(_skip(text, 0), len(text.rstrip(" \t\n\r")))


def elements(text: str, container: Span) -> Iterator[Span]:
    """Yield the spans of a list's elements or of an object's members; nothing for any other value.

    Examples
    --------
    >>> text = '{"a": [1, 22]}'
    >>> [text[span.start:span.end] for span in elements(text, top(text))]
    ['[1, 22]']
    """
    opening = text[container.start]
    if opening not in "[{":
        return
    at = _skip(text, container.start + 1)
    while text[at] not in "]}":
        key, key_start = "", -1
        if opening == "{":
            key_start = at
            key, after = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, after) + 1)  # over the colon
        value = _value_at(text, at)
        yield Span(value.start, value.end, key, key_start)
        at = _skip(text, value.end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def follow(text: str, path: str, *, start: Span) -> Span:
    """Return the span of the value that a JSON path leads to, or of the last one on the way that exists.

    Parameters
    ----------
    path
        Such as ``evaluation_criteria.actions[2].name``; keys may hold dots and brackets themselves.
    start
        The value that the path begins at.

    Examples
    --------
    >>> text = '{"a.b": {"c": [1, 22]}}'
    >>> span = follow(text, "a.b.c[1]", start=top(text))
    >>> text[span.start:span.end]
    '22'
    """
    here = start
    while path:
        step = _index(path) if text[here.start] == "[" else _member(text, here, path)
        if step is None:
            return here
        key, path = step
        children = elements(text, here)
        if isinstance(key, int):
            found = next((child for n, child in enumerate(children) if n == key), None)
        else:
            found = next((child for child in children if child.key == key), None)
        if found is None:
            return here
        here = found
    return here


def _index(path: str) -> tuple[int, str] | None:
    match = _STEP.match(path)
    return None if match is None else (int(match[1]), path[match.end() :].removeprefix("."))


def _member(text: str, container: Span, path: str) -> tuple[str, str] | None:
    """Return the longest key of an object that ``path`` begins with, and the rest of the path."""
    keys = [child.key for child in elements(text, container) if child.key and _begins(path, child.key)]
    if not keys:
        return None
    key = max(keys, key=len)
    return key, path[len(key) :].removeprefix(".")


def _begins(path: str, key: str) -> bool:
    return path.startswith(key) and path[len(key) : len(key) + 1] in ("", ".", "[")


def _value_at(text: str, at: int) -> Span:
    return Span(at, _DECODER.raw_decode(text, at)[1])


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()

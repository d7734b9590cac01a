"""Untrusted text made fit to be shown: what is invisible becomes visible, what is endless is cut."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import quote

from audit.reports import numbers

LONG = 20_000
"""Characters of one text that a report shows."""
SHORT = 160
"""Characters of a name, an id or a title."""

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Control, formatting, bidirectional, blank and tag characters, lone surrogates.

Joiners (U+200C, U+200D) and the emoji selector stay: words and emoji need them.
"""
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x1b\\|\x07|$)|\x1b[@-Z\\-_]", re.DOTALL)
_COMMIT = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{28}\b")
_SPACE = re.compile(r"\s+")


def reveal(text: str) -> str:
    r"""Return ``text`` with every steering character written out; line breaks and tabs stay.

    Examples
    --------
    >>> reveal("a\x00b\u202ec\r\nd")
    'a␀b[U+202E]c\nd'
    """
    if text.isascii() and text.isprintable():
        return text
    return _STEERING.sub(_name, text.replace("\r\n", "\n"))


def block(text: str, *, limit: int = LONG) -> str:
    """Return a long text for a report, cut with a note when it has more than ``limit`` characters.

    Examples
    --------
    >>> block("abcdef", limit=4)
    'abcd … [cut here: 6 characters, the first 4 are shown]'
    """
    if len(text) <= limit:
        return reveal(text)
    note = f" … [cut here: {numbers.count(len(text))} characters, the first {numbers.count(limit)} are shown]"
    return reveal(text[:limit]) + note


def line(text: str, *, limit: int = SHORT) -> str:
    r"""Return a short text on one line, cut with an ellipsis.

    Examples
    --------
    >>> line("  two\n lines "), line("abcdef", limit=4)
    ('two lines', 'abc…')
    """
    if len(text) <= limit and "  " not in text and text.isascii() and text.isprintable():
        return text.strip(" ")
    start = _SPACE.sub(" ", text[: limit * 8]).strip()
    if len(start) > limit or len(text) > limit * 8:
        start = start[: limit - 1] + "…"
    return reveal(start)


def plain(text: str, *, limit: int = SHORT) -> str:
    r"""Return one line for a terminal: escape sequences are removed whole.

    Examples
    --------
    >>> plain("\x1b[31mred\x1b[0m\x1b]0;title\x07 text\x9b2J")
    'red text[U+009B]2J'
    """
    return line(_SEQUENCE.sub("", text[: limit * 8 + 1]), limit=limit)


def short_version(text: str) -> str:
    """Return a benchmark's version with the names of git commits cut to their first 12 digits.

    Examples
    --------
    >>> short_version("not the pinned " + "a2c0247251" * 4)
    'not the pinned a2c0247251a2'
    """
    return _COMMIT.sub(r"\1", text)


def task_anchor(id: str) -> str:
    """Return the fragment of a task, by which links from outside reach it.

    Examples
    --------
    >>> task_anchor("7"), task_anchor("a|b")
    ('task=7', 'task=a~7Cb')
    """
    return f"task={anchor('', id).removeprefix('-')}"


def anchor(kind: str, id: str) -> str:
    """Return a fragment for ``id`` that needs no escaping anywhere and differs for different ids.

    Examples
    --------
    >>> anchor("item", "7"), anchor("item", 'a b"')
    ('item-7', 'item-a~20b~22')
    """
    safe = quote(id.encode("utf-8", "surrogatepass"), safe="").replace("~", "~7E").replace("%", "~")
    if len(safe) > 100:
        safe = "~~" + hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:20]
    return f"{kind}-{safe}"


def _name(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return f"[U+{code:04X}]"

"""Spans moved to whole words, and titles made of them."""

from __future__ import annotations

import re

from audit.records.item_set import LONGEST_TITLE

_MARKS = re.compile(r"(?:[-*+•–>|][ \t]+|\(?\d{1,3}[.)][ \t]+|#{1,6}[ \t]+)+")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]+"
)


def trim(text: str, start: int, *, end: int) -> tuple[int, int] | None:
    """Return a span at whole words, without blanks, bullet marks or the last full stop; ``None`` if nothing is left.

    Examples
    --------
    >>> text = "- No pets allowed."
    >>> text[slice(*trim(text, 0, end=len(text)))]
    'No pets allowed'
    """
    start, end = max(0, start), min(end, len(text))
    while 0 < start < len(text) and _is_word(text[start]) and _is_word(text[start - 1]):
        start -= 1
    while 0 < end < len(text) and _is_word(text[end - 1]) and _is_word(text[end]):
        end += 1
    start = _skip(text, start, end)
    while end > start and (text[end - 1].isspace() or (text[end - 1] in ".;,:" and not _is_abbreviated(text, end))):
        end -= 1
    return (start, end) if start < end and any(_is_word(char) for char in text[start:end]) else None


def _skip(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    marks = _MARKS.match(text, start, end)
    return start if marks is None else _skip(text, marks.end(), end)


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_abbreviated(text: str, end: int) -> bool:
    return text[end - 1] == "." and text[max(0, end - 4) : end] in ("e.g.", "i.e.", "etc.")


def short_line(text: str, *, limit: int = 400) -> str:
    r"""Return ``text`` on one line, cut at ``limit`` characters, nothing unseen in it.

    Examples
    --------
    >>> short_line("too\nlong", limit=5)
    'too …'
    """
    line = " ".join(_UNSEEN.sub(" ", text[: 4 * limit]).split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1]}…"


def short_title(text: str) -> str:
    r"""Return the first words of ``text`` on one line, at most ``LONGEST_TITLE`` characters, nothing unseen among them.

    Examples
    --------
    >>> short_title("**Pay**  by card\nalone")
    'Pay by card alone'
    """
    words = _UNSEEN.sub(" ", text[: 4 * LONGEST_TITLE]).replace("**", "").replace("`", "").split()
    line = " ".join(words)
    if len(line) <= LONGEST_TITLE and len(text) <= 4 * LONGEST_TITLE:
        return line or "untitled"
    cut = line[: LONGEST_TITLE - 1]
    head = cut.rpartition(" ")[0] or cut
    return f"{head}…"

"""Words of texts that may be the keys of rows."""

from __future__ import annotations

import re
from functools import lru_cache

TOKEN = re.compile(r"#?\w+(?:[-.:/@+']\w+)*")
"""What stands together in a text: a word, an id, an address."""
WORD = re.compile(r"\w+")
SHORT_NUMBER = re.compile(r"#?\d{1,2}")
"""No key, but a quantity."""
_AMOUNT = re.compile(r"[$€£]\s?\d[\d,.]*\d|[$€£]\s?\d|(?<![\w,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])")
_HAS_AMOUNT = re.compile(r"[$€£]|\d,\d")
_LONG_LINE = 2_000


def tokens(text: str) -> list[str]:
    """Return what in a text may be a row key, in order: words, their parts, and both with ``#`` put in front.

    Amounts of money are none, nor are the parts of decimals, dates and phone numbers.

    Examples
    --------
    >>> tokens("order W42, a.b@c.d")
    ['order', '#order', 'W42', '#W42', 'a.b@c.d', '#a.b@c.d', 'a', '#a', 'b', '#b', 'c', '#c', 'd', '#d']
    """
    return list(dict.fromkeys(form for line in text.split("\n") for form in _tokens_in(line)))


def _tokens_in(line: str) -> tuple[str, ...]:
    return _tokens_in_short(line) if len(line) <= _LONG_LINE else _find_tokens(line)


@lru_cache(maxsize=8192)
def _tokens_in_short(line: str) -> tuple[str, ...]:
    """Return the tokens of a line; those of a benchmark's tasks often repeat one another's lines."""
    return _find_tokens(line)


def _find_tokens(line: str) -> tuple[str, ...]:
    bare = _AMOUNT.sub(" ", line) if _HAS_AMOUNT.search(line) else line
    return tuple(dict.fromkeys(form for match in dict.fromkeys(TOKEN.findall(bare)) for form in _forms(match)))


@lru_cache(maxsize=8192)
def _forms(token: str) -> tuple[str, ...]:
    """Return a token and its parts, each also with ``#`` in front; most tokens of a benchmark's tasks recur."""
    bare = token.lstrip("#")
    parts = WORD.findall(bare)
    is_whole = parts == [bare] or all(part.isdigit() for part in parts)
    words = (bare, *(() if is_whole else parts))
    return tuple(form for word in words if not SHORT_NUMBER.fullmatch(word) for form in (word, f"#{word}"))

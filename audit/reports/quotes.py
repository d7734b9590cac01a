"""What judges quote: found in the texts that they were shown, or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_QUOTE = re.compile(
    r"“([^“”\n]{3,400})”|\"([^\"\n]{3,400})\"|«([^«»\n]{3,400})»|`([^`\n]{3,400})`"
    r"|‘([^‘’\n]{3,400})’|(?<!\w)'([^'\n]{3,400})'(?!\w)"
)
_EDGE = " \t.,;:!?…"
_GAP = re.compile(r"\s+")
_MAX_QUOTES = 60
"""Quotes that are looked up of one task."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; ``kind`` is ``found`` or ``unfound`` for quotes, ``marked`` for what is quoted, else empty."""

    text: str
    kind: str = ""


def quotes_in(texts: Iterable[str]) -> tuple[str, ...]:
    r"""Return what is quoted in ``texts``, each once, without the marks and the stops at its ends.

    Examples
    --------
    >>> quotes_in(["It says \"renew it twice.\" and 'LN12', it's said."])
    ('renew it twice', 'LN12')
    """
    found = dict.fromkeys(quote for text in texts for match in _QUOTE.finditer(text) if (quote := _inner(match)))
    return tuple(found)[:_MAX_QUOTES]


def find(quotes: Sequence[str], sources: Iterable[str]) -> frozenset[str]:
    """Return the quotes that stand in one of the sources, whatever the case and the spaces are."""
    whole = "\n".join(map(_fold, sources))
    return frozenset(quote for quote in quotes if _fold(quote) in whole)


def split_quotes(text: str, found: frozenset[str]) -> tuple[Piece, ...]:
    """Return a judge's text in pieces, its quotes with their marks as ``found`` or ``unfound``."""
    pieces, end = [], 0
    for match in _QUOTE.finditer(text):
        if not (quote := _inner(match)):
            continue
        pieces += [Piece(text[end : match.start()]), Piece(match.group(), "found" if quote in found else "unfound")]
        end = match.end()
    return tuple(piece for piece in (*pieces, Piece(text[end:])) if piece.text)


def mark(text: str, found: frozenset[str]) -> tuple[Piece, ...]:
    """Return a source in pieces, what is quoted of it as ``marked``.

    Examples
    --------
    >>> [(piece.text, piece.kind) for piece in mark("Please  RENEW it.", frozenset({"renew it"}))]
    [('Please  ', ''), ('RENEW it', 'marked'), ('.', '')]
    """
    if not found:
        return (Piece(text),) if text else ()
    longest_first = sorted(found, key=lambda quote: (-len(quote), quote))
    pattern = "|".join(r"\s+".join(map(re.escape, quote.split())) for quote in longest_first)
    pieces, end = [], 0
    for match in re.finditer(pattern, text, re.IGNORECASE):
        pieces += [Piece(text[end : match.start()]), Piece(match.group(), "marked")]
        end = match.end()
    return tuple(piece for piece in (*pieces, Piece(text[end:])) if piece.text)


@lru_cache(maxsize=256)
def _fold(text: str) -> str:
    """The text without regard to case and spaces; every task of a benchmark is looked up in the same policy."""
    return _GAP.sub(" ", text).casefold()


def _inner(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None).strip(_EDGE).strip()

"""Quotes found again in a document: to the letter, or but for blanks, marks, dashes, quotation signs and case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.policies.words import trim
from audit.prompts.fence import visible

_LINE_MARK = re.compile(r"[ \t]*(?:\|[ \t]?)?[ \t]*(?:(?:[-*+•–]|\(?\d{1,3}[.)]|>|#{1,6})[ \t]+)?")
_ALIKE = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
    "*": "",
    "_": "",
    "`": "",
}
BREAK = re.compile(r"\n[ \t]*\n|^#{1,6}[ \t]", re.MULTILINE)
"""What no item may cross: a blank line, or the beginning of a heading."""
_FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands; or, with an empty span, why it stands nowhere."""

    start: int
    end: int
    problem: str = ""


class Haystack:
    """A run of a document that quotes are looked for in.

    Parameters
    ----------
    text
        The normalised document.
    start, end
        The run.
    """

    def __init__(self, text: str, start: int, *, end: int) -> None:
        self._text = text
        self._start, self._end = start, end
        self._folded, self._places = _fold(text[start:end])

    def find(self, quote: str, *, taken: Sequence[tuple[int, int]] = ()) -> Found:
        """Return the first place of ``quote`` that overlaps nothing taken, at whole words, without marks around it.

        Parameters
        ----------
        quote
            Words that should stand here; anybody's.
        taken
            Spans that are not free any more.
        """
        if not quote.strip():
            return Found(0, 0, "it is empty")
        problem = "it does not occur in the document"
        for start, end in self._places_of(quote):
            span = trim(self._text, start, end=end)
            if span is None or len(self._text[slice(*span)].split()) < _FEWEST_WORDS:
                problem = "it is too short to state a rule"
            elif BREAK.search(self._text[slice(*span)]):
                problem = "it crosses a heading or a blank line"
            elif any(span[0] < other_end and other_start < span[1] for other_start, other_end in taken):
                problem = "it overlaps another item"
            else:
                return Found(*span)
        return Found(0, 0, problem)

    def _places_of(self, quote: str) -> Iterator[tuple[int, int]]:
        bare = quote.strip()
        exact = list(_occurrences(self._text, bare, self._start, self._end))
        yield from exact
        if exact:
            return
        needle = fold(bare)
        for start, end in _occurrences(self._folded, needle, 0, len(self._folded)) if needle else ():
            yield self._start + self._places[start], self._start + self._places[end - 1] + 1


def fold(text: str) -> str:
    """Return ``text`` in the form in which quotes are compared with a document.

    Examples
    --------
    >>> fold("- The **fee**  is “fixed”")
    'the fee is "fixed"'
    """
    return _fold(text)[0].strip()


def _occurrences(text: str, needle: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while (found := text.find(needle, start, end)) >= 0:
        yield found, found + len(needle)
        start = found + len(needle)


def _fold(text: str) -> tuple[str, list[int]]:
    """Return ``text`` in the form that is compared, and where in ``text`` each of its characters comes from."""
    folded: list[str] = []
    places: list[int] = []
    for place, char in _content(text):
        shown = " " if char.isspace() else _ALIKE.get(char, visible(char).casefold())
        if shown == " " and folded and folded[-1] == " ":
            continue
        folded += shown
        places += [place] * len(shown)
    return "".join(folded), places


def _content(text: str) -> Iterator[tuple[int, str]]:
    """Yield the characters of ``text`` with their places, but for the marks at the beginnings of its lines."""
    position = 0
    for line in text.split("\n"):
        mark = _LINE_MARK.match(line)
        skipped = mark.end() if mark else 0
        yield from enumerate(line[skipped:], position + skipped)
        position += len(line) + 1
        yield position - 1, "\n"

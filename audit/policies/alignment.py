"""Two versions of a document aligned word by word: where a place of the old one is in the new one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORD = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")
_MOST_PAIRS = 4_000_000
"""Word pairs of a changed stretch that are compared; beyond, the stretch counts as replaced whole."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a sign with its span."""

    start: int
    end: int
    text: str


class Alignment:
    """Which words of two texts correspond.

    Parameters
    ----------
    old, new
        Normalised documents.
    """

    def __init__(self, old: str, new: str) -> None:
        self.old_words, self.new_words = read_words(old), read_words(new)
        self._starts = [word.start for word in self.old_words]
        self._new_starts = [word.start for word in self.new_words]
        self.partner: dict[int, int] = {}
        """Number of an old word to that of the equal new word that stands for it."""
        for one, other, is_equal in _stretches(old, new):
            self._pair(one, other, is_equal=is_equal)
        self._matched = sorted(self.partner)
        self._partnered = {new: old for old, new in self.partner.items()}

    def _pair(self, old_span: tuple[int, int], new_span: tuple[int, int], *, is_equal: bool) -> None:
        old, new = self.old_range(*old_span), self.new_range(*new_span)
        if is_equal:
            self.partner.update(zip(old, new, strict=True))
        elif 0 < len(old) * len(new) <= _MOST_PAIRS:
            old_texts = [self.old_words[n].text for n in old]
            new_texts = [self.new_words[n].text for n in new]
            for block in SequenceMatcher(None, old_texts, new_texts, autojunk=False).get_matching_blocks():
                for n in range(block.size):
                    self.partner[old.start + block.a + n] = new.start + block.b + n

    def old_range(self, start: int, end: int) -> range:
        """Return the numbers of the old text's words in a span."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    def new_range(self, start: int, end: int) -> range:
        """Return the numbers of the new text's words in a span."""
        return range(bisect_left(self._new_starts, start), bisect_left(self._new_starts, end))

    def partners(self, start: int, end: int) -> list[int | None]:
        """Return the new word's number for each old word of a span; ``None`` where it has none."""
        return [self.partner.get(number) for number in self.old_range(start, end)]

    def room(self, start: int, end: int) -> tuple[int, int]:
        """Return the numbers of the new words between which the old span's place is: after the partner of the last
        old word before it, and up to that of the first one after it.
        """
        numbers = self.old_range(start, end)
        left, right = bisect_left(self._matched, numbers.start), bisect_left(self._matched, numbers.stop)
        before = self.partner[self._matched[left - 1]] + 1 if left else 0
        after = self.partner[self._matched[right]] if right < len(self._matched) else len(self.new_words)
        return before, max(before, after)

    def is_new(self, number: int) -> bool:
        """Tell whether no old word stands for a new one."""
        return number not in self._partnered

    def is_matched(self, start: int, end: int) -> bool:
        """Tell whether every new word of a span stands for an old one."""
        return not any(self.is_new(number) for number in self.new_range(start, end))


def read_words(text: str) -> tuple[Word, ...]:
    """Return the words and signs of ``text`` in order."""
    return tuple(Word(match.start(), match.end(), match[0]) for match in _WORD.finditer(text))


def _stretches(old: str, new: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], bool]]:
    """Yield the stretches of both texts, by lines, and whether they are equal."""
    old_lines, new_lines = (list(_LINE.finditer(text)) for text in (old, new))
    old_texts, new_texts = ([line[0].strip() for line in lines] for lines in (old_lines, new_lines))
    for tag, a, b, c, d in SequenceMatcher(None, old_texts, new_texts, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            yield _span(old_lines, a, b), _span(new_lines, c, d), tag == "equal"


def _span(lines: Sequence[re.Match[str]], first: int, last: int) -> tuple[int, int]:
    return lines[first].start(), lines[last - 1].end()


def share_alike(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how alike two lists of words are, in [0, 1]: twice the words in common, in order, over all of them.

    Examples
    --------
    >>> share_alike(["no", "pets"], ["no", "dogs"])
    0.5
    """
    return SequenceMatcher(None, one, other, autojunk=False).ratio()

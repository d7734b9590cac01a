"""A set of items carried over to a new version of its document, and what a person should look at."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from audit.policies.alignment import Alignment, Word, read_words, share_alike
from audit.policies.heuristic import propose_offline
from audit.policies.resolve import BREAK
from audit.policies.structure import Block, BlockKind, read_blocks, split_sentences
from audit.policies.words import trim
from audit.records.item_diff import CarriedItem, Fate, ItemDiff, NewText
from audit.records.item_set import ItemSet, Review, SetItem, Unread
from audit.records.policy import Policy

LEAST_ALIKE = 0.5
"""Share of words that an item's new text must have in common with its old one to be the same rule, changed."""
_EMPHASIS = frozenset("*_`")
_FEWEST_NEW_WORDS = 3
_MOST_CANDIDATES = 4000
_LONGEST_CANDIDATE = 2000


@dataclass(frozen=True, slots=True)
class _Place:
    """A span of the new document that may stand for an item, and how it was found."""

    start: int
    end: int
    fate: Fate
    why: str = ""


class _Carrier:
    """Looks items up in the new version, one after the other; no place is given away twice."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        self.alignment = Alignment(old, new)
        self._taken: list[tuple[int, int]] = []
        self._hopeless: set[tuple[str, ...]] = set()
        self._old_headings, self._new_headings = _headings(old), _headings(new)
        self._sentences: list[tuple[int, int, tuple[str, ...], frozenset[str]]] | None = None

    @property
    def rounds(self) -> tuple[Callable[[SetItem], _Place | None], ...]:
        """The ways of finding an item, the surest first; each is tried for all items before the next one is."""
        return self.same, self.elsewhere, self.reworded, self.similar

    def take(self, place: _Place | None) -> _Place | None:
        """Return a place that was found, unless it is another item's."""
        if place is None or not self._is_free(place):
            return None
        insort(self._taken, (place.start, place.end))
        return place

    def same(self, item: SetItem) -> _Place | None:
        """Find the same words in their place of the alignment."""
        partners = self.alignment.partners(item.start, item.end)
        if not partners or None in partners:
            return None
        numbers = [number for number in partners if number is not None]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return None
        return self._exact(item, self.alignment.new_words[numbers[0]].start)

    def elsewhere(self, item: SetItem) -> _Place | None:
        """Find the same words at the one place where they stand."""
        quote, position = self.old[item.start : item.end], 0
        found: list[int] = []
        while (position := self.new.find(quote, position)) >= 0 and len(found) < 50:
            found.append(position)
            position += len(quote)
        free = [start for start in found if self._is_free(_Place(start, start + len(quote), Fate.MOVED))]
        if len(free) != 1:
            return None
        return _Place(free[0], free[0] + len(quote), Fate.MOVED, self._moved(item, free[0]))

    def reworded(self, item: SetItem) -> _Place | None:
        """Find what stands between the item's neighbours."""
        numbers = [number for number in self.alignment.partners(item.start, item.end) if number is not None]
        words = self.alignment.new_words
        low, high = self.alignment.room(item.start, item.end)
        first, last = (numbers[0], numbers[-1] + 1) if numbers else (low, high)
        if not numbers or self._is_alone(item):
            first, last = low, high
        if first >= last:
            return None
        return self._reworded(item, words[first].start, words[last - 1].end)

    def similar(self, item: SetItem) -> _Place | None:
        """Find the sentence that has most words in common with the item."""
        words = _texts(read_words(self.old[item.start : item.end]))
        if not words or words in self._hopeless:
            return None
        best, place, kinds = LEAST_ALIKE, None, frozenset(words)
        for start, end, others, other_kinds in self._read_sentences():
            most = 2 * min(len(words), len(others)) / (len(words) + len(others))
            if most < best or len(kinds & other_kinds) * 2 < len(kinds) or not self._is_free_span(start, end):
                continue
            share = share_alike(words, others)
            if share >= best:
                best, place = share, self._reworded(item, start, end)
        if place is None:
            self._hopeless.add(words)
        return place

    def _exact(self, item: SetItem, start: int) -> _Place | None:
        quote = self.old[item.start : item.end]
        if not self.new.startswith(quote, start):
            end = self._end_of_words(item, start)
            return None if end is None else _Place(start, end, Fate.CHANGED, "blanks or signs between its words differ")
        if self._path(self._old_headings, item.start)[-1:] != self._path(self._new_headings, start)[-1:]:
            return _Place(start, start + len(quote), Fate.MOVED, self._moved(item, start))
        return _Place(start, start + len(quote), Fate.KEPT)

    def _end_of_words(self, item: SetItem, start: int) -> int | None:
        n_words = len(self.alignment.old_range(item.start, item.end))
        first = self.alignment.new_range(start, len(self.new)).start
        end = self.alignment.new_words[first + n_words - 1].end
        return None if BREAK.search(self.new[start:end]) else end

    def _reworded(self, item: SetItem, start: int, end: int) -> _Place | None:
        span = trim(self.new, start, end=end)
        if span is None or BREAK.search(self.new[slice(*span)]):
            return None
        old, new = self.old[item.start : item.end], self.new[slice(*span)]
        if len(new) > _LONGEST_CANDIDATE + 2 * len(old):
            return None
        share = share_alike(_texts(read_words(old)), _texts(read_words(new)))
        if share < LEAST_ALIKE:
            return None
        what = "only signs or case changed" if share == 1 else f"its words changed ({share:.0%} in common)"
        return _Place(*span, Fate.CHANGED, what)

    def _is_alone(self, item: SetItem) -> bool:
        """Tell whether the words right before and after are still there, so that what is between is the item's."""
        numbers = self.alignment.old_range(item.start, item.end)
        return numbers.start - 1 in self.alignment.partner and numbers.stop in self.alignment.partner

    def _moved(self, item: SetItem, start: int) -> str:
        before = " > ".join(self._path(self._old_headings, item.start)) or "the beginning"
        after = " > ".join(self._path(self._new_headings, start)) or "the beginning"
        return f"from '{before}' to '{after}'" if before != after else f"within '{after}'"

    @staticmethod
    def _path(headings: Sequence[tuple[int, tuple[str, ...]]], place: int) -> tuple[str, ...]:
        above = [path for start, path in headings if start <= place]
        return above[-1] if above else ()

    def _is_free(self, place: _Place) -> bool:
        return self._is_free_span(place.start, place.end)

    def _is_free_span(self, start: int, end: int) -> bool:
        return not _touches(self._taken, start, end)

    def _read_sentences(self) -> list[tuple[int, int, tuple[str, ...], frozenset[str]]]:
        if self._sentences is None:
            spans = [span for span in _sentences(self.new) if span[1] - span[0] <= _LONGEST_CANDIDATE]
            read = [(span, _texts(read_words(self.new[slice(*span)]))) for span in spans[:_MOST_CANDIDATES]]
            self._sentences = [(*span, words, frozenset(words)) for span, words in read if words]
        return self._sentences


def carry_over(item_set: ItemSet, old: Policy, *, new: Policy, document: str = "") -> ItemDiff:
    """Return the items in the new version of their document, and what needs a look.

    Parameters
    ----------
    item_set
        Made for ``old``.
    old, new
        Both versions of the document.
    document
        The new document's file, as the new set names it.
    """
    carrier = _Carrier(old.text, new.text)
    places: dict[str, _Place] = {}
    for find in carrier.rounds:
        for item in item_set.items:
            if item.id not in places and (place := carrier.take(find(item))) is not None:
                places[item.id] = place
    carried = tuple(_carry(item, places.get(item.id), carrier) for item in item_set.items)
    items = sorted((each.new for each in carried if each.new is not None), key=lambda item: item.start)
    unread = tuple(_carry_unread(carrier, run) for run in item_set.unread)
    digest = hashlib.sha256(new.text.encode()).hexdigest()
    text = new.text if item_set.text else ""
    new_set = replace(item_set, items=tuple(items), document_sha256=digest, text=text, document=document, unread=unread)
    return ItemDiff(item_set, new_set, old.file or old.name, new.file, carried, tuple(_new_texts(carrier, items)))


def _carry(item: SetItem, place: _Place | None, carrier: _Carrier) -> CarriedItem:
    old_text = carrier.old[item.start : item.end]
    if place is None:
        return CarriedItem(Fate.VANISHED, item, None, old_text, "", "no text of the new version is like it")
    is_same = place.fate is not Fate.CHANGED
    review = item.review if is_same or item.review is Review.REJECTED else Review.OPEN
    new = replace(item, start=place.start, end=place.end, review=review)
    return CarriedItem(place.fate, item, new, old_text, carrier.new[place.start : place.end], place.why)


def _carry_unread(carrier: _Carrier, run: Unread) -> Unread:
    """Return where a run that nobody read is in the new version, as far as its neighbours tell."""
    words = carrier.alignment.new_words
    first, last = carrier.alignment.room(run.start, run.end)
    if first >= last:
        return replace(run, start=0, end=0)
    return replace(run, start=words[first].start, end=words[last - 1].end)


def _new_texts(carrier: _Carrier, items: Sequence[SetItem]) -> Iterator[NewText]:
    """Yield the sentences of the new version that have new words and touch no item."""
    rules = [(rule.start, rule.end) for rule in propose_offline(carrier.new)]
    marked = [(item.start, item.end) for item in items]
    for start, end in _sentences(carrier.new):
        if _touches(marked, start, end) or carrier.alignment.is_matched(start, end):
            continue
        free = [n for n in carrier.alignment.new_range(start, end) if carrier.alignment.is_new(n)]
        if sum(carrier.alignment.new_words[n].text.isalnum() for n in free) < _FEWEST_NEW_WORDS:
            continue
        is_rule = _touches(rules, start, end)
        yield NewText(start, end, carrier.new.count("\n", 0, start) + 1, carrier.new[start:end], is_rule)


def _touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether one of some spans, in order and without overlaps, shares a character with another span."""
    number = bisect_left(spans, (start, start))
    return any(a < end and start < b for a, b in spans[max(0, number - 1) : number + 1])


def _sentences(text: str) -> list[tuple[int, int]]:
    blocks = [block for block in read_blocks(text) if block.kind is not BlockKind.HEADING]
    return [span for block in blocks for span in split_sentences(text, block.start, end=block.end)]


def _headings(text: str) -> list[tuple[int, tuple[str, ...]]]:
    return [(block.start, _path_below(block, text)) for block in read_blocks(text) if block.kind is BlockKind.HEADING]


def _path_below(heading: Block, text: str) -> tuple[str, ...]:
    return (*heading.headings, " ".join(text[heading.start : heading.end].split()))


def _texts(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.text.casefold() for word in words if word.text not in _EMPHASIS)

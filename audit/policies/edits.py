"""What a reviewer does to a set of items: each edit returns a new set whose spans are sound, or says why it can't."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from audit.errors import UsageError
from audit.loaders.item_set import check_spans
from audit.policies.resolve import BREAK
from audit.policies.words import short_title, trim
from audit.records.item_set import LONGEST_TITLE, Binds, ItemSet, Review, SetItem
from audit.records.policy import ItemKind

_NUMBERED = re.compile(r"(?P<prefix>.*?)(?P<number>\d{1,9})(?P<letter>[a-z]?)")
_MOST_IN_ID = 20
FIRST_ID = "P01"


def set_review(item_set: ItemSet, ids: Collection[str], *, review: Review) -> ItemSet:
    """Return the set with this said about the items named."""
    for id in ids:
        find_item(item_set, id)
    return _map(item_set, ids, lambda item: replace(item, review=review))


def retitle(item_set: ItemSet, id: str, *, title: str) -> ItemSet:
    """Return the set with another title for an item: one line, at most 60 characters."""
    cleaned = " ".join(title.split())
    if (
        not cleaned
        or len(cleaned) > LONGEST_TITLE
        or short_title(cleaned) != cleaned.replace("**", "").replace("`", "")
    ):
        what = f"a title has 1 to {LONGEST_TITLE} characters on one line, all of them visible"
        raise UsageError(what, where=f"item {id}", mend="Write another title")
    find_item(item_set, id)
    return _map(item_set, [id], lambda item: replace(item, title=cleaned))


def describe(item_set: ItemSet, id: str, *, kind: ItemKind, binds: Binds | None, violable: bool) -> ItemSet:
    """Return the set with what kind of rule an item is, whom it binds and whether a request can violate it."""
    find_item(item_set, id)
    return _map(item_set, [id], lambda item: replace(item, kind=kind, binds=binds, violable=violable))


def split(item_set: ItemSet, id: str, *, at: int, text: str) -> ItemSet:
    """Return the set with an item cut in two at a character of the document; both parts are of the same kind."""
    item = find_item(item_set, id)
    if not item.start < at < item.end:
        raise UsageError("that place is not inside the item", where=f"item {id}", mend="Choose a place inside it")
    parts = [trim(text, start, end=end) for start, end in ((item.start, at), (at, item.end))]
    first, second = parts
    if first is None or second is None or first[1] > second[0]:
        mend = "Choose a place between two words"
        raise UsageError("one of the parts would hold no word of its own", where=f"item {id}", mend=mend)
    new = replace(item, id=_id_after(item_set, id), title=short_title(text[slice(*second)]))
    new = replace(new, start=second[0], end=second[1])
    old = replace(item, start=first[0], end=first[1])
    return _checked(item_set, [*_without(item_set, [id]), old, new], text)


def merge(item_set: ItemSet, id: str, *, text: str) -> ItemSet:
    """Return the set with an item and the next one as one item, which keeps the first one's id and title."""
    item = find_item(item_set, id)
    later = [other for other in item_set.items if other.start > item.start]
    if not later:
        raise UsageError("there is no next item", where=f"item {id}", mend="Merge it from the item before it")
    merged = replace(item, end=later[0].end)
    _check_break(merged, text)
    return _checked(item_set, [*_without(item_set, [id, later[0].id]), merged], text)


def add(item_set: ItemSet, start: int, *, end: int, text: str, title: str = "") -> ItemSet:
    """Return the set with a new item that a person made; rejected items that lie in its way go."""
    span = _free_span(item_set, start, end, text, own="")
    new = SetItem(next_id(item_set), title or short_title(text[slice(*span)]), ItemKind.OBLIGATION, *span)
    return _checked(item_set, [*_without(item_set, _in_the_way(item_set, span)), new], text)


def move(item_set: ItemSet, id: str, *, start: int, end: int, text: str) -> ItemSet:
    """Return the set with an item at another span; rejected items that lie in its way go."""
    item = find_item(item_set, id)
    span = _free_span(item_set, start, end, text, own=id)
    moved = replace(item, start=span[0], end=span[1])
    return _checked(item_set, [*_without(item_set, [id, *_in_the_way(item_set, span)]), moved], text)


def find_item(item_set: ItemSet, id: str) -> SetItem:
    """Return the item of that id.

    Raises
    ------
    UsageError
        If there is none.
    """
    for item in item_set.items:
        if item.id == id:
            return item
    raise UsageError(f"there is no item {id!r}", where="items", mend="Load the items anew")


def next_id(item_set: ItemSet) -> str:
    """Return an id after the highest number that the set uses, in its own style.

    Examples
    --------
    >>> next_id(ItemSet("p", "", ()))
    'P01'
    """
    matches = [match for item in item_set.items if (match := _NUMBERED.fullmatch(item.id))]
    if not matches:
        return FIRST_ID
    last = max(matches, key=lambda match: int(match["number"]))
    return f"{last['prefix']}{int(last['number']) + 1:0{len(last['number'])}d}"[-_MOST_IN_ID:]


def _id_after(item_set: ItemSet, id: str) -> str:
    used = {item.id for item in item_set.items}
    match = _NUMBERED.fullmatch(id)
    if match is not None and len(id) < _MOST_IN_ID:
        stem = f"{match['prefix']}{match['number']}"
        for letter in "abcdefghijklmnopqrstuvwxyz":
            if letter > match["letter"] and f"{stem}{letter}" not in used:
                return f"{stem}{letter}"
    return next_id(item_set)


def _map(item_set: ItemSet, ids: Collection[str], change: Callable[[SetItem], SetItem]) -> ItemSet:
    return replace(item_set, items=tuple(change(item) if item.id in ids else item for item in item_set.items))


def _without(item_set: ItemSet, ids: Collection[str]) -> list[SetItem]:
    return [item for item in item_set.items if item.id not in ids]


def _in_the_way(item_set: ItemSet, span: tuple[int, int]) -> list[str]:
    return [item.id for item in item_set.items if item.review is Review.REJECTED and _overlap(item, span)]


def _overlap(item: SetItem, span: tuple[int, int]) -> bool:
    return item.start < span[1] and span[0] < item.end


def _free_span(item_set: ItemSet, start: int, end: int, text: str, *, own: str) -> tuple[int, int]:  # noqa: PLR0917
    span = trim(text, start, end=end)
    if span is None:
        raise UsageError("there is no word in that span", where="items", mend="Select words of the document")
    for item in item_set.items:
        if item.id != own and item.review is not Review.REJECTED and _overlap(item, span):
            what = f"that span overlaps item {item.id}"
            raise UsageError(what, where="items", mend="Select words outside it, or reject it first")
    _check_break(SetItem("", "", ItemKind.LIMIT, *span), text)
    return span


def _check_break(item: SetItem, text: str) -> None:
    if BREAK.search(text[item.start : item.end]):
        what = "the item would cross a heading or a blank line"
        raise UsageError(what, where="items", mend="Keep to one paragraph or list")


def _checked(item_set: ItemSet, items: Sequence[SetItem], text: str) -> ItemSet:
    ordered = tuple(sorted(items, key=lambda item: item.start))
    check_spans(ordered, n_characters=len(text), where="items")
    return replace(item_set, items=ordered)

"""What a reviewer does to items, and what can't be done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from audit.errors import UsageError
from audit.loaders.item_set import check_spans
from audit.loaders.policy import normalise
from audit.policies import edits
from audit.records.item_set import Binds, ItemSet, Review
from audit.records.policy import ItemKind
from tests.policies.sets import BOATS, item, item_set, proposed, quotes

TEXT = normalise(BOATS)


@pytest.fixture
def boats() -> ItemSet:
    return proposed(TEXT)


def test_reviews_are_set_for_the_items_named_alone(boats: ItemSet) -> None:
    after = edits.set_review(boats, ["P01", "P03"], review=Review.ACCEPTED)
    assert [each.review.value for each in after.items[:4]] == ["accepted", "open", "accepted", "open"]
    assert (after.count(Review.ACCEPTED), after.count(Review.OPEN)) == (2, 5)


def test_a_title_and_a_kind_are_changed(boats: ItemSet) -> None:
    after = edits.retitle(boats, "P02", title="  Oars   and vests ")
    after = edits.describe(after, "P02", kind=ItemKind.PERMISSION, binds=None, violable=False)
    changed = edits.find_item(after, "P02")
    assert (changed.title, changed.kind, changed.binds, changed.violable) == (
        "Oars and vests",
        ItemKind.PERMISSION,
        None,
        False,
    )
    assert changed not in after.used


def test_a_split_keeps_the_first_id_and_gives_the_second_a_letter(boats: ItemSet) -> None:
    at = TEXT.index("one life vest")
    after = edits.split(boats, "P02", at=at, text=TEXT)
    assert quotes(after, TEXT)[1:3] == ["at most three oars, and", "one life vest for each person"]
    assert [each.id for each in after.items[1:3]] == ["P02", "P02a"]
    again = edits.split(after, "P02a", at=TEXT.index("for each"), text=TEXT)
    assert [each.id for each in again.items[1:4]] == ["P02", "P02a", "P02b"]


def test_a_merge_takes_what_lies_between_and_keeps_the_first(boats: ItemSet) -> None:
    after = edits.merge(boats, "P04", text=TEXT)
    assert quotes(after, TEXT)[3] == "The client must show a card. Cash is not accepted"
    assert len(after.items) == len(boats.items) - 1


def test_new_items_take_the_next_number_and_push_rejected_ones_aside(boats: ItemSet) -> None:
    start = TEXT.index("in a storm")
    rejected = edits.set_review(boats, ["P03"], review=Review.REJECTED)
    after = edits.add(rejected, start, end=start + len("in a storm"), text=TEXT)
    made = edits.find_item(after, "P08")
    assert (TEXT[made.start : made.end], made.review, made.proposed_by) == ("in a storm", Review.ACCEPTED, "")
    assert "P03" not in {each.id for each in after.items}


def test_an_item_is_moved_to_other_words(boats: ItemSet) -> None:
    start = TEXT.index("rent at most two")
    after = edits.move(boats, "P01", start=start, end=start + 20, text=TEXT)
    assert quotes(after, TEXT)[0] == "rent at most two boats"


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (lambda s: edits.set_review(s, ["X"], review=Review.OPEN), "there is no item 'X'"),
        (lambda s: edits.retitle(s, "P01", title=" "), "1 to 60 characters"),
        (lambda s: edits.retitle(s, "P01", title="x" * 61), "1 to 60 characters"),
        (lambda s: edits.retitle(s, "P01", title="a\x1bb"), "all of them visible"),
        (lambda s: edits.split(s, "P01", at=0, text=TEXT), "not inside the item"),
        (lambda s: edits.split(s, "P01", at=TEXT.index("client can") + 1, text=TEXT), "no word of its own"),
        (lambda s: edits.merge(s, "P05", text=TEXT), "cross a heading or a blank line"),
        (lambda s: edits.merge(s, "P07", text=TEXT), "no next item"),
        (lambda s: edits.add(s, 0, end=1, text=TEXT), "no word in that span"),
        (lambda s: edits.add(s, TEXT.index("Cash"), end=TEXT.index("## Ret"), text=TEXT), "overlaps item P05"),
        (lambda s: edits.move(s, "P01", start=2, end=TEXT.index("A client"), text=TEXT), "cross a heading"),
        (lambda s: edits.describe(s, "Z", kind=ItemKind.LIMIT, binds=Binds.USER, violable=True), "no item 'Z'"),
    ],
)
def test_what_can_t_be_done_is_said(boats: ItemSet, edit: Callable[[ItemSet], ItemSet], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        edit(boats)


@pytest.mark.parametrize(
    ("ids", "following"), [((), "P01"), (("A09", "A10a"), "A11"), (("first",), "P01"), (("P099",), "P100")]
)
def test_the_next_id_follows_the_highest_number(ids: tuple[str, ...], following: str) -> None:
    text = "one two three"
    made = item_set(text, *(item(text, word, id) for word, id in zip(text.split(), ids, strict=False)))
    assert edits.next_id(made) == following


def test_a_split_finds_an_id_when_letters_are_used_up_or_there_is_no_number() -> None:
    text = "one two three four"
    letters = item_set(text, item(text, "one two", "P01z"), item(text, "four", "P02"))
    named = item_set(text, item(text, "one two", "first"))
    assert [each.id for each in edits.split(letters, "P01z", at=4, text=text).items] == ["P01z", "P03", "P02"]
    assert [each.id for each in edits.split(named, "first", at=4, text=text).items] == ["first", "P01"]


def test_any_run_of_edits_leaves_sound_spans(boats: ItemSet) -> None:
    after = edits.split(boats, "P02", at=TEXT.index("one life"), text=TEXT)
    after = edits.merge(after, "P02", text=TEXT)
    after = edits.merge(after, "P01", text=TEXT)
    check_spans(after.items, n_characters=len(TEXT), where="here")
    assert quotes(after, TEXT)[0].endswith("for each person")

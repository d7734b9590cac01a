"""Items carried over to a new version of their document."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.loaders.item_set import check_spans, read_item_set
from audit.loaders.policy import normalise
from audit.policies.alignment import Alignment, share_alike
from audit.policies.carrying import carry_over
from audit.policies.documents import find_document, read_document
from audit.policies.edits import set_review
from audit.records.item_diff import Fate, ItemDiff
from audit.records.item_set import Review, Unread
from audit.reports.item_diff import diff_markdown, diff_text
from audit.resources import resource
from tests.policies.hostile import DOCUMENTS
from tests.policies.sets import BOATS, document, proposed, quotes

TEXT = normalise(BOATS)


def carry(new: str, old: str = TEXT, **fields: object) -> ItemDiff:
    found = proposed(old, **fields)
    found = set_review(found, [each.id for each in found.items], review=Review.ACCEPTED)
    diff = carry_over(found, document(old), new=document(new))
    check_spans(diff.new.items, n_characters=len(normalise(new)), where="new")
    return diff


def fates(diff: ItemDiff) -> dict[str, str]:
    return {each.old.id: each.fate.value for each in diff.items if each.fate is not Fate.KEPT}


def test_the_same_document_needs_no_look() -> None:
    diff = carry(TEXT)
    assert not diff.needs_look
    assert diff.new.items == diff.old.items
    assert {each.fate for each in diff.items} == {Fate.KEPT}


def test_text_before_an_item_moves_its_span_and_keeps_its_review() -> None:
    diff = carry(TEXT.replace("The kiosk", "The old kiosk at the pier"))
    assert fates(diff) == {}
    assert [each.text for each in diff.new_texts] == ["The old kiosk at the pier rents boats."]
    assert all(each.review is Review.ACCEPTED for each in diff.new.items)


def test_a_changed_number_is_a_changed_item_that_is_reviewed_again() -> None:
    diff = carry(TEXT.replace("at most two", "at most four"))
    (changed,) = diff.of(Fate.CHANGED)
    assert changed.new is not None
    assert (changed.new_text, changed.new.review) == ("A client can rent at most four boats", Review.OPEN)
    assert fates(diff) == {"P01": "changed"}
    assert diff.new_texts == ()


def test_a_rule_under_another_heading_has_moved() -> None:
    new = TEXT.replace("- Never rent in a storm.\n", "") + "\n\n## Weather\n\n- Never rent in a storm.\n"
    diff = carry(new)
    assert fates(diff) == {"P03": "moved"}
    assert diff.items[2].why == "from 'Boats' to 'Boats > Weather'"
    assert diff.of(Fate.MOVED)[0].new in diff.new.items


def test_a_rule_that_is_gone_has_vanished_and_its_id_is_not_in_the_new_set() -> None:
    diff = carry(TEXT.replace(" Cash is not accepted.", ""))
    assert fates(diff) == {"P05": "vanished"}
    assert "P05" not in {each.id for each in diff.new.items}
    assert quotes(diff.new, TEXT.replace(" Cash is not accepted.", ""))[4] == "Boats must be back by 18:00"


def test_new_text_is_listed_with_its_line_and_whether_it_reads_like_a_rule() -> None:
    diff = carry(TEXT + "\n\nDogs must not board the boats. The lake was dug long ago.")
    assert [(each.line, each.text, each.reads_like_rule) for each in diff.new_texts] == [
        (12, "Dogs must not board the boats.", True),
        (12, "The lake was dug long ago.", False),
    ]


def test_words_of_two_items_are_not_given_away_twice() -> None:
    old = "You must pay at the pier. You must pay at the pier."
    diff = carry("You must pay at the pier.", old)
    assert sorted(each.fate.value for each in diff.items) == ["kept", "vanished"]


def test_a_rewritten_sentence_elsewhere_is_found_by_its_words() -> None:
    old = "# A\n\nThe client must bring a card and a photo to the desk.\n\n# B\n\nNo dogs may enter."
    new = "# A\n\nNo dogs may enter.\n\n# B\n\nEach client must bring one card and a photo to the front desk."
    diff = carry(new, old)
    assert {each.old.id: each.fate.value for each in diff.items} == {"P01": "changed", "P02": "moved"}


def test_signs_and_case_alone_are_said_so() -> None:
    diff = carry(TEXT.replace("Never rent in a storm", "**Never** rent in a Storm"))
    assert diff.items[2].why == "only signs or case changed"


def test_blanks_inside_an_item_are_a_change_that_keeps_its_words() -> None:
    old = "You must pay at the pier, and wait."
    diff = carry("You must pay  at the pier, and wait.", old)
    assert (diff.items[0].fate, diff.items[0].why) == (Fate.CHANGED, "blanks or signs between its words differ")


def test_what_was_not_read_stays_unread() -> None:
    run = Unread(TEXT.index("- Never"), TEXT.index("## Returns"), "timed out")
    new = TEXT.replace("# Boats", "# All our boats")
    (carried,) = carry(new, unread=(run,)).new.unread
    assert normalise(new)[carried.start : carried.end].startswith("- Never rent")
    gone = carry("# Boats", unread=(run,)).new.unread
    assert [(each.start, each.end) for each in gone] in ([(0, 0)], [(0, 7)])


def test_a_rejected_item_stays_rejected_where_its_words_changed() -> None:
    found = set_review(proposed(TEXT), ["P01"], review=Review.REJECTED)
    diff = carry_over(found, document(TEXT), new=document(TEXT.replace("two boats", "two barges")))
    assert diff.new.items[0].review is Review.REJECTED


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_hostile_documents_are_carried_over_and_back(name: str) -> None:
    for old, new in ((TEXT, normalise(DOCUMENTS[name])), (normalise(DOCUMENTS[name]), TEXT)):
        diff = carry(new, old)
        assert len(diff.items) == len(proposed(old).items)
        assert diff_text(diff).isprintable() or "\x1b" not in diff_text(diff)
        assert "<script" not in diff_markdown(diff)


def test_very_long_changed_stretches_count_as_replaced() -> None:
    old, new = " ".join(f"a{n}" for n in range(3000)), " ".join(f"b{n}" for n in range(3000))
    assert Alignment(old, new).partner == {}
    assert share_alike([], []) == 1


def test_retail_s_first_document_carries_over_to_today_s(real_data: Path) -> None:
    path = resource("policies", "tau1-retail", "items.json")
    found = read_item_set(path)
    old = find_document(found, path, named=read_document(real_data / "tau1/retail/wiki.md"))
    diff = carry_over(found, old, new=read_document(real_data / "tau3/domains/retail/policy.md"))
    assert len(diff.of(Fate.KEPT)) >= 25
    assert len(diff.of(Fate.VANISHED)) <= 2

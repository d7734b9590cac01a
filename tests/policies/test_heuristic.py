"""Items proposed by wording, and how far they agree with those that people made."""

from __future__ import annotations

import pytest

from audit.loaders.item_set import check_spans, read_item_set
from audit.loaders.policy import normalise
from audit.policies.agreement import measure_agreement
from audit.policies.heuristic import propose_offline
from audit.records.item_set import Review
from audit.resources import resource
from tests.policies.hostile import DOCUMENTS
from tests.policies.sets import BOATS, item


def found(text: str) -> dict[str, tuple[str, str | None, bool]]:
    return {
        text[each.start : each.end]: (each.kind.value, each.binds and each.binds.value, each.violable)
        for each in propose_offline(text)
    }


def test_rules_are_found_by_bullets_sentences_and_modal_verbs() -> None:
    assert found(normalise(BOATS)) == {
        "A client can rent at most two boats": ("limit", "user", True),
        "at most three oars, and one life vest for each person": ("limit", "user", True),
        "Never rent in a storm": ("prohibition", "agent", True),
        "The client must show a card": ("obligation", "user", True),
        "Cash is not accepted": ("prohibition", "user", True),
        "Boats must be back by 18:00": ("obligation", "user", True),
        "If a boat is late, the agent must charge 5 dollars an hour": ("limit", "agent", True),
    }


def test_a_condition_is_one_item_with_its_list_and_a_plain_label_is_none() -> None:
    text = "Trips can end if any of these is true:\n- the boat leaks\n- it rains\n\nPay:\n- You must take cards.\n"
    assert list(found(text)) == [
        "Trips can end if any of these is true:\n- the boat leaks\n- it rains",
        "You must take cards",
    ]


def test_lists_of_two_members_stay_apart() -> None:
    text = "- If the client is gold:\n  - two free oars\n- If the client is silver:\n  - one free oar may be had\n"
    assert len(found(text)) == 2


@pytest.mark.parametrize(
    ("sentence", "kind", "binds", "violable"),
    [
        ("You should make one tool call at a time.", "obligation", "agent", False),
        ("Confirm the details before you book.", "procedure", "agent", True),
        ("Members may renew a loan.", "permission", "user", True),
        ("You must remind the user of the deadline.", "obligation", "agent", False),
    ],
)
def test_kinds_and_who_is_bound(sentence: str, kind: str, binds: str, violable: bool) -> None:
    assert list(found(sentence).values()) == [(kind, binds, violable)]


@pytest.mark.parametrize("sentence", ["Each boat has the following parts:", "The lake is deep.", "Must I?", "May"])
def test_what_is_no_rule(sentence: str) -> None:
    assert propose_offline(sentence) == ()


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_hostile_documents_give_sound_items_the_same_each_time(name: str) -> None:
    text = normalise(DOCUMENTS[name])
    items = propose_offline(text)
    check_spans(items, n_characters=len(text), where=name)
    assert items == propose_offline(text)
    assert all(each.review is Review.OPEN and each.proposed_by == "offline (heuristic)" for each in items)
    assert all(each.title.isprintable() and len(each.title) <= 60 for each in items)


def test_agreement_pairs_each_item_once_and_counts_shared_characters() -> None:
    text = "abcdefghij"
    made = [item(text, "abcd", "M1"), item(text, "ghij", "M2")]
    proposed = [item(text, "abc", "P1"), item(text, "d", "P2"), item(text, "ef", "P3")]
    agreement = measure_agreement(proposed, made)
    assert (agreement.n_same, agreement.n_touching) == (1, 2)
    assert (agreement.precision, agreement.recall, agreement.share_covered) == (1 / 3, 1 / 2, 1 / 2)
    assert measure_agreement([], []).precision is None
    assert measure_agreement([], []).recall is None


def test_most_of_the_sample_s_items_are_found() -> None:
    text = normalise(resource("benchmarks", "sample", "library", "policy.md").read_text(encoding="utf-8"))
    made = read_item_set(resource("policies", "sample-library", "items.json")).used
    agreement = measure_agreement([each for each in propose_offline(text) if each.violable], made)
    assert agreement.recall is not None
    assert agreement.precision is not None
    assert agreement.recall >= 0.9
    assert agreement.precision >= 0.65

"""Texts, paths and values by themselves."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.perturbations.choice import count, shuffle
from audit.perturbations.invent_fact import person_in
from audit.perturbations.json_paths import differences, look, put, take
from audit.perturbations.language import base, pieces, say_no, say_yes, third
from audit.perturbations.paths import path_in
from audit.perturbations.world import exchange, fresh
from audit.records.task import Json, Origin

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(".!? \nabAB-*1", max_size=60))
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_lists_and_paragraphs_are_cut() -> None:
    assert pieces("Rules:\n- one\n- two\n\nThe end") == ["Rules:", "\n- one", "\n- two", "\n\nThe end"]
    assert pieces("a line that\nwraps, e.g. here, goes on") == ["a line that\nwraps, e.g. here, goes on"]
    assert pieces("节点4错了。节点5也错了。") == ["节点4错了。", "节点5也错了。"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The agent doesn't offer any refund.", "The agent offers any refund."),
        ("Agent won't change it.", "Agent will change it."),
        ("Agent should refuse to proceed.", "Agent should agree to proceed."),
        ("The agent denies the request.", "The agent grants the request."),
        ("The request is declined.", "The request is accepted."),
        ("Refusing to pay is fine.", "Agreeing to pay is fine."),
        ("They are not eligible for it.", "They are eligible for it."),
        ("Do not book it.", "Book it."),
        ("No other date can be chosen.", "Any other date can be chosen."),
        ("Tell nobody, change nothing.", "Tell anybody, change anything."),
        ("It can't be moved any longer.", "It can be moved."),
        ("It is against the policy.", "It is in line with the policy."),
        ("a fare that is never refunded", "a fare that is refunded"),
        ("Not moved.", "Moved."),
    ],
)
def test_a_refusal_is_turned_around(before: str, after: str) -> None:
    assert say_yes(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Reservation B1 is moved.", "Reservation B1 is not moved."),
        ("The chatbot can help.", "The chatbot cannot help."),
        ("Agent correctly books it.", "Agent correctly does not book it."),
        ("Agent communicate it.", "Agent does not communicate it."),
        ("Nothing of that sort", None),
    ],
)
def test_an_act_is_denied(before: str, after: str | None) -> None:
    assert say_no(before) == after


@pytest.mark.parametrize("verb", ["cancel", "deny", "have", "pass", "waive", "process", "go", "do", "fix", "pay", "be"])
def test_a_verb_comes_back_to_its_plain_form(verb: str) -> None:
    assert base(third(verb)) == verb


@given(JSON, JSON)
def test_no_difference_means_the_same_json_and_the_other_way_round(before: Json, after: Json) -> None:
    found = list(differences(before, after))
    assert (not found) is (json.dumps(before) == json.dumps(after))


@given(JSON)
def test_what_is_put_is_there_and_what_is_taken_is_not(value: Json) -> None:
    holder: Json = {"a": [value, 1], "b": {"c": value}}
    assert look(put(holder, ("b", "c"), new=5), ("b", "c")) == 5
    assert look(put(holder, ("a", 0), new=5), ("a", 0)) == 5
    assert look(put(holder, ("a", 2), new=5), ("a",)) == [value, 1, 5]
    assert look(take(holder, ("a", 0)), ("a",)) == [1]
    assert look(take(holder, ("b", "c")), ("b",)) == {}
    assert take(holder, ("a", "x")) == holder
    assert take(holder, ("z", "x")) == holder
    assert put(holder, (), new=1) == 1


def test_names_of_fields_may_hold_dots_and_brackets() -> None:
    raw: Json = {"a.b": {"c[0]": [1]}, "list": [{"x": 1}]}
    assert path_in(raw, Origin("", "a.b.c[0]")) == ("a.b", "c[0]")
    assert path_in(raw, Origin("", "list[0].x")) == ("list", 0, "x")
    assert path_in(raw, Origin("", "list[4].x")) == ("list", 4, "x")
    assert path_in(raw, Origin("", "")) == ()
    assert path_in({}, Origin("", "]")) == ("]",)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 500))
def test_a_higher_rate_comes_to_no_fewer_tasks(one: float, other: float, n: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= count(low, n) <= count(high, n) <= n


def test_the_order_of_tasks_does_not_depend_on_the_order_in_which_they_come() -> None:
    ids = [str(number) for number in range(50)]
    assert shuffle(ids, seed=1, kind="pad") == shuffle(ids[::-1], seed=1, kind="pad") != ids
    assert shuffle(ids, seed=1, kind="pad") != shuffle(ids, seed=2, kind="pad")
    assert shuffle(ids, seed=1, kind="pad") != shuffle(ids, seed=1, kind="swap")


def test_words_are_exchanged_whole() -> None:
    value: Json = {"a": ["R1 and R12", {"b": "#R1"}], "n": 1}
    assert exchange(value, old="R1", new="Q9") == {"a": ["Q9 and R12", {"b": "#Q9"}], "n": 1}


def test_a_fresh_key_has_the_old_shape() -> None:
    assert fresh("ab1-cd", np.random.default_rng(3)).endswith("-cd")
    assert fresh("é1", np.random.default_rng(3))[0] == "é"


@pytest.mark.parametrize(
    "row", [None, {}, {"name": "Blue Room"}, {"full_name": "Ada", "email": "x"}, {"first_name": "Ada"}]
)
def test_what_is_no_person_has_no_name(row: Json) -> None:
    assert person_in(row) == ""

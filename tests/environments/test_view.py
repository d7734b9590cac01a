from __future__ import annotations

from typing import Any

import pytest

from audit.environments.view import (
    Draft,
    ToolError,
    change_rows,
    copy_json,
    differences,
    remove_rows,
    same_row,
    same_state,
    write_row,
)
from audit.records.task import Json

BASE: Any = {"users": {"u1": {"age": 1, "tags": ["a", "b"]}, "u2": {"age": 2}}, "orders": {"o1": {}}}


def test_an_edit_copies_the_row_and_shares_all_others() -> None:
    draft = Draft(BASE)
    draft.edit("users", "u1")["tags"].append("c")
    state, changed = draft.finish()

    assert state["users"]["u1"] == {"age": 1, "tags": ["a", "b", "c"]}
    assert BASE["users"]["u1"] == {"age": 1, "tags": ["a", "b"]}
    assert state["users"]["u2"] is BASE["users"]["u2"]
    assert state["orders"] is BASE["orders"]
    assert changed == (("users", "u1"),)


def test_an_edit_that_changes_nothing_leaves_the_very_same_state() -> None:
    draft = Draft(BASE)
    draft.edit("users", "u1")["age"] = 1
    assert draft.finish() == (BASE, ())
    assert draft.finish()[0] is BASE


def test_a_draft_reads_what_it_wrote() -> None:
    draft = Draft(BASE)
    draft.put(("users", "u3"), {"age": 3})
    draft.remove("users", "u2")

    assert draft.read("users", "u3", missing="no") == {"age": 3}
    assert draft.find("users", "u2") is None
    assert draft.find("nothing", "u2") is None
    assert list(draft.table("users")) == ["u1", "u3"]
    assert draft.table("nothing") == {}
    with pytest.raises(ToolError, match="user not found"):
        draft.read("users", "u2", missing="user not found")
    with pytest.raises(KeyError):
        draft.edit("users", "u2")
    draft.edit("users", "u3")["age"] = 4
    assert draft.finish()[0]["users"]["u3"] == {"age": 4}


def test_states_stack_on_one_base() -> None:
    first = change_rows(BASE, {("users", "u3"): {"age": 3}})
    second = change_rows(first, {("users", "u1"): {"age": 9}})
    third = remove_rows(second, (("users", "u3"), ("users", "u2")))

    assert [list(state["users"]) for state in (first, second, third)] == [["u1", "u2", "u3"]] * 2 + [["u1"]]
    assert [len(state["users"]) for state in (first, second, third)] == [3, 3, 1]
    assert dict(second["users"]) == {"u1": {"age": 9}, "u2": {"age": 2}, "u3": {"age": 3}}
    assert "u2" not in third["users"]
    with pytest.raises(KeyError):
        third["users"]["u2"]
    assert third["users"].base is BASE["users"]  # type: ignore[attr-defined]
    assert change_rows(third, {}) is third


def test_removing_a_row_and_adding_it_back_changes_nothing() -> None:
    draft = Draft(BASE)
    draft.remove("users", "u9")
    assert draft.finish()[1] == ()
    gone = remove_rows(BASE, (("users", "u2"),))
    back = change_rows(gone, {("users", "u2"): {"age": 2}})
    assert list(differences(BASE, gone)) == [("users", "u2")]
    assert same_state(BASE, back)
    removed = Draft(BASE)
    removed.remove("users", "u1")
    assert removed.finish()[1] == (("users", "u1"),)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"a": None}, {}, True),
        ({"a": {"b": None, "c": 1}}, {"a": {"c": 1}}, True),
        ({"a": [None]}, {"a": []}, False),
        ({"a": 25}, {"a": 25.0}, False),
        ({"a": True}, {"a": 1}, False),
        ({"a": 0.0}, {"a": -0.0}, False),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": [1]}, {"a": {"0": 1}}, False),
        ({"a": "1"}, {"a": 1}, False),
    ],
)
def test_rows_are_equal_where_their_canonical_texts_are(one: Json, other: Json, is_same: bool) -> None:
    assert same_row(one, other) is is_same
    assert (write_row(one) == write_row(other)) is is_same


def test_states_of_different_bases_are_compared_row_by_row() -> None:
    other = copy_json(BASE)
    assert same_state(BASE, other)
    other["users"]["u1"]["tags"] = ("a", "b")
    other["users"]["u2"]["age"] = 2.0
    assert set(differences(BASE, other)) == {("users", "u1"), ("users", "u2")}
    assert not same_state(BASE, {"users": BASE["users"]})
    assert same_state({"users": {}}, {})


def test_copies_are_deep_and_lists_stay_lists() -> None:
    made = copy_json({"a": [{"b": 1}], "t": (1,)})
    assert made == {"a": [{"b": 1}], "t": [1]}

"""Wishes that fit more than one thing."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks import wishes
from tests.checks import inn

WHO = "You are Mara Quill, guest gu_101."


def database() -> dict[str, Any]:
    rows = inn.database()
    rows["kinds"] = {
        name: {
            "kind_id": name,
            "offers": {f"OF{name}{n}": {"offer_id": f"OF{name}{n}", "price": n} for n in range(1, 4)},
        }
        for name in ("K1", "K2")
    }
    rows["kinds"]["K3"] = {"kind_id": "K3", "offers": {"OFK37": {"offer_id": "OFK37", "price": 1}}}
    for key, level in (("ST501", "lodge"), ("ST502", "basic_lodge"), ("ST503", "hall")):
        rows["stays"][key]["level"] = level
    return rows


def found(script: str, *actions: dict[str, Any], tools: Any = inn.TOOLS) -> list[tuple[str, str]]:  # noqa: ANN401
    made = inn.inspect(wishes.CHECK, inn.task("t1", f"{WHO} {script}", *actions), db=database(), tools=tools)
    assert {one.severity.value for one in made} <= {"warning"}
    return [(one.rule, dict(one.evidence)["script"]) for one in made]


def book(offer: str = "OFK12", **more: str) -> dict[str, Any]:
    return inn.action("book_stay", guest_id="gu_101", offer_id=offer, **more)


@pytest.mark.parametrize(
    ("script", "is_found"),
    [
        ("You want a similar one.", True),
        ("You want some cheap similar offer.", True),
        ("You want another comparable offer.", True),
        ("You want the same one.", False),
        ("The rooms are dissimilar.", False),
    ],
)
def test_something_similar_is_an_open_wish(script: str, is_found: bool) -> None:  # noqa: FBT001
    assert found(script, book()) == [("wish-for-similar", script)] * is_found


def test_where_gold_takes_nothing_of_several_the_wish_is_settled() -> None:
    wish = "You want a similar one."
    assert found(wish, book("OFK37")) == []  # the only one of its kind
    assert found(wish, inn.action("cancel_stay", stay_id="ST501")) == []
    assert found(wish, inn.action("get_room", room_id="OFK12")) == []  # gold only looks it up
    assert found(wish, book("nothing")) == []


@pytest.mark.parametrize(
    ("script", "is_found"),
    [
        ("You want the cheapest lodge.", True),
        ("Book the lodge with the lowest price.", True),
        ("You want the cheapest lodge, no basic lodge.", False),
        ("You want the cheapest room. You like a lodge.", False),
        ("You want a lodge.", False),
        ("You want the cheapest dislodged room.", False),
    ],
)
def test_a_word_that_is_part_of_another_value_leaves_open_which_is_meant(script: str, is_found: bool) -> None:  # noqa: FBT001
    made = found(script, inn.action("book_stay", level="lodge"))
    assert [rule for rule, _ in made] == ["wish-fits-two-values"] * is_found


def test_values_come_from_the_tool_table_too() -> None:
    script = "You want the cheapest board."
    for options, n in (("enum[board|full_board]", 1), ("enum[board|full]", 0)):
        tools = {"tools": [{"name": "feed", "kind": "write", "parameters": [{"name": "meal", "type": options}]}]}
        assert len(found(script, inn.action("feed", meal="board"), tools=tools)) == n


def test_a_field_of_many_values_has_no_fixed_ones() -> None:
    rows = database()
    rows["stays"] |= {f"ST6{n}": inn.stay(f"ST6{n}", "gu_102", "RM12", level=f"level {n}") for n in range(9)}
    task = inn.task("t1", f"{WHO} You want the cheapest lodge.", inn.action("book_stay", level="lodge", nights=2))
    assert inn.inspect(wishes.CHECK, task, db=rows) == []

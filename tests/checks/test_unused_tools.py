"""Tools that gold hands out and forgets."""

from __future__ import annotations

from typing import Any

from audit.checks import unused_tools
from tests.checks import inn

TOOLS = {"tools": [*inn.TOOLS["tools"], {"name": "unlock", "kind": "generic", "parameters": []}]}
UNLOCK = inn.action("unlock", tool_name="get_room")
CALL = inn.action("call_special", tool_name="get_room", arguments='{"room_id": "RM11"}')
ELSEWHERE = inn.task("other", "You are guest gu_101.", inn.action("unlock", tool_name="get_stay"), CALL)


def found(*actions: dict[str, Any], others: tuple[dict[str, Any], ...] = (ELSEWHERE,)) -> list[str]:
    tasks = inn.task("t1", "You are guest gu_101.", *actions), *others
    made = inn.inspect(unused_tools.CHECK, *tasks, tools=TOOLS)
    assert {one.rule for one in made} <= {"gold-unlocks-unused-tool"}
    return [one.subject for one in made if one.task_id == "t1"]


def test_a_tool_that_is_unlocked_and_not_called_is_found_once() -> None:
    assert found(UNLOCK, UNLOCK) == ["unlock get_room"]


def test_a_tool_that_is_called_is_used_by_whatever_calls_it() -> None:
    assert found(UNLOCK, CALL) == []
    assert found(UNLOCK, inn.action("get_room", room_id="RM11")) == []
    assert found(UNLOCK, inn.action("call_special", tool_name="get_room")) == []  # it takes no arguments


def test_another_tool_that_is_called_does_not_count() -> None:
    assert found(inn.action("unlock", tool_name="get_stay"), CALL) == ["unlock get_stay"]


def test_where_no_tool_calls_others_nothing_is_handed_out() -> None:
    assert found(UNLOCK, others=()) == []


def test_names_of_no_tool_are_left_alone() -> None:
    assert found(inn.action("unlock", tool_name="get_rooms"), inn.action("unlock", tool_name=["get_room"])) == []

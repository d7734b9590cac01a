"""Tools that gold hands out and forgets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.checks import unused_tools
from audit.checks.protocol import Subject
from audit.records.policy import Policy
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


def undocumented(texts: dict[str, str], *, names_all: bool = True) -> list[tuple[str | None, str]]:
    """Return the tools that no document of their task names; ten other tasks have what their gold needs, or nothing."""
    others = [inn.task(f"o{n}", "You are guest gu_101.", UNLOCK, CALL) for n in range(10)]
    loaded = inn.benchmark(inn.task("t1", "You are guest gu_101.", UNLOCK, CALL), *others, tools=TOOLS)
    known = dict.fromkeys((f"o{n}" for n in range(10)), "Use get_room." if names_all else "Be kind.") | texts
    tasks = [
        replace(task, policy=Policy(task.id, known[task.id], "")) if task.id in known else task for task in loaded.tasks
    ]
    made = unused_tools.CHECK.inspect(Subject(replace(loaded, tasks=tuple(tasks))))
    return [(one.task_id, one.what) for one in made if one.rule == "gold-tool-undocumented"]


def test_a_tool_that_no_document_of_the_task_names_is_found_once() -> None:
    assert undocumented({"t1": "Be kind."}) == [
        ("t1", "Gold uses get_room, which nothing that the task comes with names.")
    ]
    assert undocumented({"t1": "Call get_room."}) == []


def test_where_many_tasks_lack_their_tools_agents_learn_them_elsewhere() -> None:
    assert undocumented({"t1": "Be kind."}, names_all=False) == []


def test_where_all_tasks_have_one_policy_no_document_is_missing() -> None:
    found = inn.inspect(unused_tools.CHECK, inn.task("t1", "You are guest gu_101.", UNLOCK, CALL), tools=TOOLS)
    assert found == []

from __future__ import annotations

from typing import Any

from audit.environments.mock import MOCK
from audit.environments.toolset import read_function
from audit.records.task import Json, Origin
from tests.environments.worlds import Talk, bind, call_of

DATABASE: dict[str, Any] = {
    "tasks": {"task_1": {"task_id": "task_1", "title": "One", "status": "pending"}},
    "users": {"user_1": {"user_id": "user_1", "name": "Test", "tasks": ["task_1"]}},
}


def start(initial_state: Json = None) -> Talk:
    environment = bind(MOCK, DATABASE, initial_state=initial_state)
    return Talk(environment, environment.initial_state("t1"))


def holds(talk: Talk, name: str, side: str = "assistant", **arguments: Json) -> Json:
    entry: dict[str, Json] = {"func_name": name, "env_type": side, "arguments": arguments}
    return talk.environment.run(talk.state, read_function(entry, Origin("", ""))).result


def test_tasks_are_made_and_completed() -> None:
    talk = start()
    made = talk.call("create_task", user_id="user_1", title="Two")
    assert made.result == {"task_id": "task_2", "title": "Two", "description": None, "status": "pending"}
    assert talk.row("users", "user_1")["tasks"] == ["task_1", "task_2"]
    assert talk.call("create_task", user_id="user_9", title="Two").error == "user not found"
    assert talk.call("update_task_status", task_id="task_2", status="completed").error == ""
    assert talk.call("update_task_status", task_id="task_9", status="completed").error == "task not found"
    assert talk.call("get_users").result == [talk.row("users", "user_1")]
    assert talk.call("transfer_to_human_agents", summary="x").changed == ()
    assert holds(talk, "assert_number_of_tasks", user_id="user_1", expected_number=2) is True
    assert holds(talk, "assert_task_status", task_id="task_2", expected_status="pending") is False
    assert holds(talk, "assert_task_status", task_id="task_9", expected_status="pending") is None


def test_notifications_are_the_users() -> None:
    action: dict[str, Json] = {
        "env_type": "user",
        "func_name": "add_notification",
        "arguments": {"notification_id": "n1", "message": "Hello", "task_id": "task_1"},
    }
    talk = start({"initialization_actions": [action]})
    seen = talk.environment.call(talk.state, call_of("check_notifications", requestor="user"))
    assert seen.result == [{"notification_id": "n1", "message": "Hello", "status": "unread", "task_id": "task_1"}]
    assert talk.call("check_notifications").error == "unknown tool"
    dismiss = call_of("dismiss_notification", {"notification_id": "n1"}, requestor="user")
    talk.state = talk.environment.call(talk.state, dismiss).state
    assert holds(talk, "assert_notification_status", "user", notification_id="n1", expected_status="read") is True


def test_rows_functions_and_said_calls_make_the_initial_state() -> None:
    patch: dict[str, Json] = {
        "users": {"user_1": {"tasks": ["task_1", "task_2"]}},
        "tasks": {"task_2": {"title": "New"}},
    }
    said: list[Json] = [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "tool_calls": [
                {"name": "get_users", "arguments": {}},
                {"name": "create_task", "arguments": {"user_id": "user_1", "title": "Three"}},
            ],
        },
        {"role": "user", "tool_calls": [{"name": "dismiss_notification", "arguments": {"notification_id": "n9"}}]},
        "not a message",
    ]
    broken: dict[str, Json] = {"func_name": "delete_everything"}
    talk = start(
        {
            "initialization_data": {"agent_data": patch},
            "initialization_actions": [broken, 3],
            "message_history": said,
        }
    )
    assert talk.row("users", "user_1") == {"user_id": "user_1", "name": "Test", "tasks": ["task_1", "task_2", "task_3"]}
    assert talk.row("tasks", "task_2") == {"title": "New"}
    assert talk.row("tasks", "task_3")["title"] == "Three"
    outcomes = [(outcome.action.name, outcome.error) for outcome in talk.environment.setup("t1")]
    assert outcomes == [
        ("delete_everything", "unknown tool"),
        ("", "unknown tool"),
        ("create_task", ""),
        ("dismiss_notification", "notification not found"),
    ]
    assert DATABASE["users"]["user_1"]["tasks"] == ["task_1"]


def test_an_initial_state_of_any_other_shape_changes_nothing() -> None:
    shapes: list[Json] = [
        None,
        [],
        "x",
        {"initialization_data": 3},
        {"initialization_data": {"agent_data": {"users": 3}}},
    ]
    shapes += [{"initialization_actions": {}}, {"message_history": 3}, {"message_history": [{"tool_calls": 3}]}]
    for shape in shapes:
        assert start(shape).state == DATABASE
    nested = start({"initialization_data": {"agent_data": {"tasks": {"data": {"task_7": {"title": "x"}}}}}})
    assert nested.row("tasks", "task_7") == {"title": "x"}
    assert nested.environment.setup("unknown task") == ()

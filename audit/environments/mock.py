"""τ mock: the toy domain of tasks and notifications."""

from __future__ import annotations

from typing import Final

from audit.environments.toolset import Domain, ToolBody
from audit.environments.view import Draft, Row
from audit.records.task import Json, ToolKind


def _create_task(draft: Draft, arguments: Row) -> Json:
    user_id = arguments["user_id"]
    draft.read("users", user_id, missing="user not found")
    task_id = f"task_{len(draft.table('tasks')) + 1}"
    task = {
        "task_id": task_id,
        "title": arguments["title"],
        "description": arguments.get("description"),
        "status": "pending",
    }
    draft.put(("tasks", task_id), task)
    draft.edit("users", user_id)["tasks"].append(task_id)
    return task


def _get_users(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return list(draft.table("users").values())


def _update_status(draft: Draft, arguments: Row) -> Json:
    draft.read("tasks", arguments["task_id"], missing="task not found")
    task = draft.edit("tasks", arguments["task_id"])
    task["status"] = arguments["status"]
    return task


def _transfer(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return "Transfer successful"


def _check_notifications(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return list(draft.table("notifications").values())


def _dismiss(draft: Draft, arguments: Row) -> Json:
    draft.read("notifications", arguments["notification_id"], missing="notification not found")
    draft.edit("notifications", arguments["notification_id"])["status"] = "read"
    return f"Notification {arguments['notification_id']} dismissed."


def _add_notification(draft: Draft, arguments: Row) -> Json:
    key = arguments["notification_id"]
    row = {
        "notification_id": key,
        "message": arguments["message"],
        "status": "unread",
        "task_id": arguments.get("task_id"),
    }
    draft.put(("notifications", key), row)
    return row


def _assert_number(draft: Draft, arguments: Row) -> Json:
    user = draft.read("users", arguments["user_id"], missing="user not found")
    return bool(len(user["tasks"]) == arguments["expected_number"])


def _assert_status(draft: Draft, arguments: Row) -> Json:
    task = draft.read("tasks", arguments["task_id"], missing="task not found")
    return bool(task["status"] == arguments["expected_status"])


def _assert_notification(draft: Draft, arguments: Row) -> Json:
    row = draft.read("notifications", arguments["notification_id"], missing="notification not found")
    return bool(row["status"] == arguments["expected_status"])


_READ, _WRITE, _GENERIC = ToolKind.READ, ToolKind.WRITE, ToolKind.GENERIC

MOCK: Final = Domain(
    name="tau-mock",
    tools={
        ("assistant", "create_task"): ToolBody(_WRITE, ("user_id", "title"), _create_task, ("description",)),
        ("assistant", "get_users"): ToolBody(_READ, (), _get_users),
        ("assistant", "update_task_status"): ToolBody(_WRITE, ("task_id", "status"), _update_status),
        ("assistant", "transfer_to_human_agents"): ToolBody(_GENERIC, ("summary",), _transfer),
        ("user", "check_notifications"): ToolBody(_READ, (), _check_notifications),
        ("user", "dismiss_notification"): ToolBody(_WRITE, ("notification_id",), _dismiss),
    },
    tables=("tasks", "users"),
    functions={
        ("assistant", "assert_number_of_tasks"): ToolBody(_READ, ("user_id", "expected_number"), _assert_number),
        ("assistant", "assert_task_status"): ToolBody(_READ, ("task_id", "expected_status"), _assert_status),
        ("user", "add_notification"): ToolBody(_WRITE, ("notification_id", "message"), _add_notification, ("task_id",)),
        ("user", "assert_notification_status"): ToolBody(
            _READ, ("notification_id", "expected_status"), _assert_notification
        ),
    },
)

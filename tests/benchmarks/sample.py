"""The files of the built-in sample, read as plain JSON, for the tests of its invariants."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from audit.resources import resource

DOMAIN = resource("benchmarks", "sample", "library")
TODAY = "2027-04-14"

Record = dict[str, Any]


@cache
def tables() -> dict[str, dict[str, Record]]:
    parsed: dict[str, dict[str, Record]] = json.loads((DOMAIN / "db.json").read_text(encoding="utf-8"))
    return parsed


@cache
def tasks() -> dict[str, Record]:
    listed = json.loads((DOMAIN / "tasks.json").read_text(encoding="utf-8"))
    return {task["id"]: task for task in listed}


@cache
def tools() -> dict[str, Record]:
    return {tool["name"]: tool for tool in json.loads((DOMAIN / "tools.json").read_text(encoding="utf-8"))["tools"]}


@cache
def splits() -> dict[str, list[str]]:
    parsed: dict[str, list[str]] = json.loads((DOMAIN / "split_tasks.json").read_text(encoding="utf-8"))
    return parsed


@cache
def answer_key() -> Record:
    parsed: Record = json.loads(resource("benchmarks", "sample", "answer_key.json").read_text(encoding="utf-8"))
    return parsed


def flawed(kind: str) -> list[Record]:
    """The tasks with a planted flaw of ``kind``."""
    return [tasks()[flaw["task_id"]] for flaw in answer_key()["flaws"] if flaw["kind"] == kind]


def strings(value: Any) -> Iterator[str]:  # noqa: ANN401  # any JSON value
    """Every string inside a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def scenario(task: Record) -> str:
    """What the simulated user is told."""
    return "\n".join(strings(task["user_scenario"]))


def actions(task: Record) -> list[Record]:
    found: list[Record] = task["evaluation_criteria"]["actions"]
    return found


def writes(task: Record) -> list[Record]:
    return [action for action in actions(task) if tools()[action["name"]]["kind"] == "write"]

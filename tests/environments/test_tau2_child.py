"""The program of the other process, run in this one on a stand-in for tau2."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.environments.child.serve_tau2 import Session, find_changes, main, open_domain, read_tables, serve
from tests.environments import fake_tau2


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in [name for name in sys.modules if name == "tau2" or name.startswith("tau2.")]:
        del sys.modules[name]


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    answers: list[str] = []
    serve([json.dumps(request) for request in requests], answers.append)
    return [json.loads(answer) for answer in answers]


def call(name: str, caller: str = "assistant", **arguments: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"name": name, "arguments": arguments, "caller": caller, "is_function": False}


def test_a_session_answers_line_by_line(package: Path) -> None:
    fake_tau2.install(package)
    add = call("add", key="a", amount=2)
    opened, start, first, second, back = ask(
        {"do": "open", "domain": "counters"},
        {"do": "run", "setup": {}, "calls": []},
        {"do": "run", "setup": {}, "calls": [add]},
        {"do": "run", "setup": {}, "calls": [add, call("look", key="a"), call("ring", "user")]},
        {"do": "run", "setup": {}, "calls": [call("drop", key="b")]},
    )
    assert opened["tools"]["user"] == {"ring": "write"}
    assert opened["tables"]["counters"]["a"] == {"n": 1}
    assert start == {"setup": [], "changes": {}}
    assert first == {"result": {"n": 3}, "error": "", "detail": "", "changes": {"counters": {"a": {"n": 3}}}}
    assert second["changes"] == {"user.phone": {"": {"rings": 1}}}
    assert back["changes"] == {"counters": {"b": None}}


def test_a_session_prepares_a_task(package: Path) -> None:
    fake_tau2.install(package)
    setup: dict[str, Any] = {
        "initialization_data": {"agent_data": {"counters": {"c": {"n": 1}}}, "user_data": {"phone": {"rings": 4}}},
        "initialization_actions": [{"func_name": "add", "arguments": {"key": "c", "amount": 1}}],
        "message_history": [{"role": "user", "tool_calls": [{"name": "ring", "arguments": {}}]}, {"role": "assistant"}],
    }
    _, answer = ask({"do": "open", "domain": "counters"}, {"do": "run", "setup": setup, "calls": []})
    assert answer["changes"] == {"counters": {"c": {"n": 2}}, "user.phone": {"": {"rings": 5}}}
    assert [entry["error"] for entry in answer["setup"]] == ["", ""]


def test_a_side_that_is_not_there_can_not_be_set_up(package: Path) -> None:
    fake_tau2.install(package)
    setup: dict[str, Any] = {"initialization_data": {"user_data": {"phone": {}}}}
    opened, answer = ask({"do": "open", "domain": "bare"}, {"do": "run", "setup": setup, "calls": []})
    assert (opened["tools"]["user"], opened["tables"]) == ({}, {})
    assert answer["changes"] == {}


def test_what_is_wrong_is_answered_and_can_be_put_right(package: Path) -> None:
    assert ask({"do": "open", "domain": "counters"})[0]["problem"] == "missing"
    fake_tau2.install_other(package)
    assert ask({"do": "open", "domain": "counters"})[0]["problem"] == "other package"
    for name in [name for name in sys.modules if name.startswith("tau2")]:
        del sys.modules[name]
    (package / "tau2" / "__init__.py").unlink()
    (package / "tau2").rmdir()
    fake_tau2.install(package)
    wrong, right = ask({"do": "open", "domain": "ships"}, {"do": "open", "domain": "counters"})
    assert wrong == {"problem": "domain", "detail": "bare, counters"}
    assert right["tables"]["plans"]["7"]["name"] == "x"
    assert isinstance(open_domain("counters"), Session)


def test_the_program_keeps_standard_output_for_its_answers(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_tau2.install(package)
    asked = [
        {"do": "open", "domain": "counters"},
        {"do": "run", "setup": {}, "calls": [call("shout", text="hi")]},
    ]
    out, noise = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(json.dumps(each) + "\n" for each in asked)))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", noise)
    main()
    assert json.loads(out.getvalue().splitlines()[1])["result"] == "HI"
    assert noise.getvalue() == "noise on standard output\n"


def test_tables_are_read_whatever_their_shape() -> None:
    assert read_tables({"empty": {}, "list": [], "texts": ["a"], "one": {"n": 1}}, "user.") == {
        "user.empty": {},
        "user.list": {"": {"value": []}},
        "user.texts": {"": {"value": ["a"]}},
        "user.one": {"": {"n": 1}},
    }


def test_changes_name_new_other_and_missing_rows() -> None:
    before: dict[str, Any] = {"t": {"a": {"n": 1}, "b": {"n": 1}, "c": {"n": 1}}, "gone": {"x": {}}}
    after: dict[str, Any] = {"t": {"a": {"n": 1}, "b": {"n": 1.0}, "d": {}}, "new": {"y": {}}}
    assert find_changes(before, after) == {
        "t": {"b": {"n": 1.0}, "d": {}, "c": None},
        "gone": {"x": None},
        "new": {"y": {}},
    }

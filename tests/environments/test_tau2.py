from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.environments.registry import environment_for
from audit.environments.replay import replay
from audit.environments.tau2 import PYTHON_VARIABLE, Tau2Environment
from audit.environments.view import same_state
from audit.errors import AuditError, UsageError
from audit.records.task import Action, Json, ToolKind
from tests.builders import benchmark, task
from tests.environments import fake_tau2
from tests.environments.worlds import call_of

SETUP: dict[str, Json] = {
    "initialization_data": {"agent_data": {"counters": {"c": {"n": 50}}}, "user_data": None},
    "initialization_actions": [
        {"func_name": "add", "arguments": {"key": "a", "amount": 4}},
        {"env_type": "user", "func_name": "ring"},
        {"func_name": "explode"},
    ],
    "message_history": [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "tool_calls": [{"name": "look", "arguments": {"key": "a"}}]},
        {"role": "assistant", "tool_calls": [{"name": "add", "arguments": {"key": "a", "amount": 1}}]},
    ],
}
TASKS: dict[str, dict[str, Json]] = {"t1": {"id": "t1", "initial_state": SETUP}, "t2": {"id": "t2"}}


@pytest.fixture
def counters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tau2Environment]:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    environment = Tau2Environment("counters", tasks=TASKS)
    yield environment
    environment.close()


def add(key: str, amount: Json) -> Action:
    return call_of("add", {"key": key, "amount": amount})


def test_calls_change_rows_and_leave_earlier_states_alone(counters: Tau2Environment) -> None:
    start = counters.initial_state("t2")
    first = counters.call(start, add("a", 4))
    assert (first.result, first.error, first.changed) == ({"n": 5}, "", (("counters", "a"),))
    assert first.state["counters"]["a"] == {"n": 5}
    assert start["counters"]["a"] == {"n": 1}
    second = counters.call(first.state, add("a", 5))
    assert second.state["counters"]["a"] == {"n": 10}
    sideways = counters.call(first.state, add("b", 1))
    assert dict(sideways.state["counters"]) == {"a": {"n": 5}, "b": {"n": 3.0, "since": "2025-01-02"}}
    seen = counters.call(second.state, call_of("look", {"key": "a"}))
    assert (seen.result, seen.changed) == ({"n": 10}, ())
    assert same_state(seen.state, second.state)
    assert not same_state(seen.state, sideways.state)


def test_a_failing_call_keeps_what_it_changed_before(counters: Tau2Environment) -> None:
    outcome = counters.call(counters.initial_state("t2"), add("a", 200))
    assert (outcome.error, outcome.result) == ("too much", None)
    assert outcome.state["counters"]["a"] == {"n": 201}


def test_rows_can_go(counters: Tau2Environment) -> None:
    outcome = counters.call(counters.initial_state("t2"), call_of("drop", {"key": "a"}))
    assert outcome.changed == (("counters", "a"),)
    assert "a" not in outcome.state["counters"]


def test_numbers_of_another_type_are_a_change(counters: Tau2Environment) -> None:
    outcome = counters.call(counters.initial_state("t2"), add("a", 0.0))
    assert outcome.changed == (("counters", "a"),)


def test_tables_of_every_shape_are_rows_by_key(counters: Tau2Environment) -> None:
    state = counters.initial_state("t2")
    assert list(state["plans"]) == ["7", "8"]
    assert list(state["steps"]) == ["0", "1"]
    assert dict(state["noted"]) == {"r1": {"x": 1}}
    assert dict(state["version"]) == {"": {"value": 3}}
    assert dict(state["user.phone"]) == {"": {"rings": 0}}


def test_a_tasks_initial_state_is_set_up_in_the_process(counters: Tau2Environment) -> None:
    state = counters.initial_state("t1")
    assert state["counters"]["a"] == {"n": 6}
    assert state["counters"]["c"] == {"n": 50}
    assert state["user.phone"][""] == {"rings": 1}
    outcomes = [(outcome.action.name, outcome.error) for outcome in counters.setup("t1")]
    assert outcomes == [
        ("add", ""),
        ("ring", ""),
        ("explode", "'Tools' object has no attribute 'explode'"),
        ("add", ""),
    ]
    assert counters.call(state, add("c", 1)).state["counters"]["c"] == {"n": 51}
    assert counters.setup("unheard of") == ()


def test_tools_are_known_with_their_kinds_and_callers(counters: Tau2Environment) -> None:
    state = counters.initial_state("t2")
    ring = call_of("ring", requestor="user")
    assert counters.kind_of(ring) is ToolKind.WRITE
    assert counters.kind_of(call_of("look")) is ToolKind.READ
    assert counters.kind_of(call_of("shout")) is ToolKind.GENERIC
    assert counters.kind_of(call_of("answer")) is ToolKind.UNKNOWN
    assert counters.kind_of(call_of("ring")) is ToolKind.UNKNOWN
    assert counters.call(state, call_of("ring")).error == "unknown tool"
    assert counters.call(state, ring).state["user.phone"][""] == {"rings": 1}
    assert counters.call(state, call_of("shout", {"text": "hi"})).result == "HI"
    assert counters.call(state, call_of("answer")).error == "KeyError"


def test_arguments_that_do_not_fit_are_told_apart(counters: Tau2Environment) -> None:
    state = counters.initial_state("t2")
    misfits: list[dict[str, Json]] = [{"key": "a"}, {"key": "a", "amount": 1, "more": 2}]
    for arguments in misfits:
        assert counters.call(state, call_of("add", arguments)).error == "bad arguments"
    assert counters.call(state, add("a", "x")).error != "bad arguments"


def test_functions_that_only_tasks_may_call_can_be_run(counters: Tau2Environment) -> None:
    state = counters.initial_state("t2")
    is_at = call_of("is_at", {"key": "a", "n": 1})
    assert counters.run(state, is_at).result is True
    assert counters.call(state, is_at).error == "unknown tool"
    assert counters.run(state, call_of("_hidden")).error == "no such tool"
    with pytest.raises(TypeError, match="another environment"):
        counters.run({}, is_at)


def test_gold_is_replayed_as_with_any_environment(counters: Tau2Environment) -> None:
    run = replay(counters, task("t2", actions=(add("a", 1), add("zz", 1), call_of("look", {"key": "a"}), add("a", -1))))
    assert [bool(outcome.error) for outcome in run.outcomes] == [False, True, False, False]
    assert run.is_unchanged


def test_the_process_is_not_told_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    monkeypatch.setenv("SOME_API_KEY", "s3cret")
    environment = Tau2Environment("counters", tasks={})
    assert environment.run(environment.initial_state(""), call_of("tell_keys")).result == []
    environment.close()


def test_a_domain_without_database_or_user_has_no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    environment = Tau2Environment("bare", tasks={})
    assert environment.initial_state("t") == {}
    assert environment.call(environment.initial_state("t"), call_of("shout", {"text": "a"})).result == "A"
    environment.close()


def test_a_benchmark_gets_the_environment_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    monkeypatch.setenv(PYTHON_VARIABLE, sys.executable)
    mine = replace(task("t1"), raw=TASKS["t1"])
    same: Any = {"plans": {"7": {}, "8": {}}, "other": {"x": {}}}
    environment = environment_for(benchmark(mine, database=same), name="tau2:counters")
    assert isinstance(environment, Tau2Environment)
    assert environment.name == "tau2:counters"
    assert environment.initial_state("t1")["counters"]["a"] == {"n": 6}
    environment.close()
    foreign: Any = {"plans": {"7": {}, "9": {}}}
    with pytest.raises(UsageError, match="tau2 has another database: row '8' of plans is in only one of them"):
        environment_for(benchmark(mine, database=foreign), name="tau2:counters")


def test_a_missing_package_is_said_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "tau2.py"
    blocked.write_text("raise ImportError('no module here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"tau2 is not installed. Install it with pip install 'bench-audit\[tau2\]'"):
        Tau2Environment("counters", tasks={})


def test_another_package_of_that_name_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install_other(tmp_path)))
    with pytest.raises(UsageError, match="another one than tau2-bench's"):
        Tau2Environment("counters", tasks={})


def test_an_unknown_domain_is_said_with_those_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    with pytest.raises(UsageError, match=r"no domain 'ships'. There are: bare, counters"):
        Tau2Environment("ships", tasks={})


def test_a_python_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"can't be started .*Correct {PYTHON_VARIABLE}"):
        Tau2Environment("counters", tasks={}, python=str(tmp_path / "python"))


def test_a_process_that_dies_is_said_with_its_last_words(counters: Tau2Environment) -> None:
    state = counters.initial_state("t2")
    with pytest.raises(AuditError, match=r"the tau2 process ended \(the floor is lava\)"):
        counters.call(state, call_of("die"))
    with pytest.raises(AuditError, match="has ended"):
        counters.call(state, add("a", 1))


def test_a_process_that_dies_before_the_question_is_said(tmp_path: Path) -> None:
    dead = tmp_path / "python"
    dead.write_text("#!/bin/sh\nexit 0\n")
    dead.chmod(0o755)
    with pytest.raises(AuditError, match="the tau2 process ended"):
        Tau2Environment("counters", tasks={}, python=str(dead))


def test_a_process_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(fake_tau2.install(tmp_path)))
    environment = Tau2Environment("counters", tasks={}, timeout_s=30)
    state = environment.initial_state("")
    environment.timeout_s = 0.05
    with pytest.raises(AuditError, match=r"no answer in 0\.05 s"):
        environment.call(state, call_of("sleep"))

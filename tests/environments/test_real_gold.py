"""Gold actions of the public sets, replayed; the counts were measured with another implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.environments.protocol import Environment
from audit.environments.registry import DOMAINS, environment_for
from audit.environments.replay import Replay, replay, run_calls
from audit.environments.toolset import read_function
from audit.environments.view import same_state
from audit.loaders.registry import load_benchmark
from audit.records.task import Action, Benchmark, Origin, Task, ToolKind
from audit.sources.resolve import resolve_source
from tests.builders import benchmark, task
from tests.environments.worlds import call_of

Object = dict[str, Any]


def load(real_data: Path, domain: str) -> tuple[Benchmark, Environment]:
    loaded = load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data))
    environment = environment_for(loaded)
    assert environment is not None
    return loaded, environment


def failures(environment: Environment, runs: dict[str, Replay]) -> dict[ToolKind, list[str]]:
    """Return the ids of the tasks with failing calls, one entry a call, by the tool's kind."""
    found: dict[ToolKind, list[str]] = {}
    for task_id, run in runs.items():
        for outcome in run.failures:
            found.setdefault(environment.kind_of(outcome.action), []).append(task_id)
    return found


def unchanged(environment: Environment, runs: dict[str, Replay]) -> list[str]:
    """Return the tasks whose gold writes and leaves the database as it was."""
    return [
        task_id
        for task_id, run in runs.items()
        if run.is_unchanged and any(environment.kind_of(done.action) is ToolKind.WRITE for done in run.outcomes)
    ]


def test_tau3_airline_gold_runs_without_an_error(real_data: Path) -> None:
    loaded, environment = load(real_data, "airline")
    runs = {each.id: replay(environment, each) for each in loaded.tasks}
    assert failures(environment, runs) == {}
    assert sum(run.is_unchanged for run in runs.values()) == 24


def test_tau3_retail_gold_has_sixteen_failing_reads_and_two_failing_writes(real_data: Path) -> None:
    loaded, environment = load(real_data, "retail")
    runs = {each.id: replay(environment, each) for each in loaded.tasks}
    found = failures(environment, runs)
    assert len(found[ToolKind.READ]) == 16
    assert found[ToolKind.WRITE] == ["64", "105"]
    assert len({*found[ToolKind.READ], *found[ToolKind.WRITE]}) == 15
    assert unchanged(environment, runs) == ["105"]
    assert sum(run.is_unchanged for run in runs.values()) == 11


def test_mock_tasks_are_set_up_and_reached_by_their_gold(real_data: Path) -> None:
    loaded, environment = load(real_data, "mock")
    for each in loaded.tasks:
        assert not [outcome for outcome in environment.setup(each.id) if outcome.error]
        run = replay(environment, each)
        assert run.failures == ()
        criteria: Any = each.raw["evaluation_criteria"]
        for entry in criteria.get("env_assertions", []) if criteria.get("actions") else []:
            if entry["env_type"] == "assistant":
                assert environment.run(run.final, read_function(entry, Origin("", ""))).result is True


def tau1(real_data: Path, domain: str, file: str, *, environment: str) -> tuple[Environment, dict[str, Replay]]:
    """Replay τ1's gold; its ids are the places in the file."""
    folder = real_data / "tau1" / domain
    names = ("users", "orders", "products") if domain == "retail" else ("users", "flights", "reservations")
    tables = {name: json.loads((folder / "data" / f"{name}.json").read_text()) for name in names}
    rows: list[Object] = json.loads((folder / file).read_text())
    tasks = [
        task(str(place), actions=tuple(call_of(call["name"], call["kwargs"]) for call in row["actions"]))
        for place, row in enumerate(rows)
    ]
    bound = DOMAINS[environment].bind(benchmark(*tasks, database=tables))
    return bound, {each.id: replay(bound, each) for each in tasks}


@pytest.mark.parametrize("environment", ["tau-retail", "tau1-retail"])
def test_tau1_retail_test_has_twenty_failing_reads_and_four_writes(real_data: Path, environment: str) -> None:
    bound, runs = tau1(real_data, "retail", "tasks_test.json", environment=environment)
    found = failures(bound, runs)
    assert len(found[ToolKind.READ]) == 20
    assert found[ToolKind.WRITE] == ["12", "13", "64", "106"]
    assert len({*found[ToolKind.READ], *found[ToolKind.WRITE]}) == 19
    assert unchanged(bound, runs) == ["12", "106"]


def test_tau1_retail_train_has_fewer_failures_by_its_own_rule_for_equal_ids(real_data: Path) -> None:
    bound, runs = tau1(real_data, "retail", "tasks_train.json", environment="tau-retail")
    found = failures(bound, runs)
    assert found.keys() == {ToolKind.WRITE}
    assert (len(found[ToolKind.WRITE]), len(set(found[ToolKind.WRITE]))) == (44, 43)
    assert len(unchanged(bound, runs)) == 11
    bound, runs = tau1(real_data, "retail", "tasks_train.json", environment="tau1-retail")
    found = failures(bound, runs)
    assert (len(found[ToolKind.WRITE]), len(set(found[ToolKind.WRITE]))) == (20, 19)
    assert len(unchanged(bound, runs)) == 5


def test_tau1_airline_and_dev_run_without_an_error(real_data: Path) -> None:
    for domain, file in (("airline", "tasks_test.json"), ("retail", "tasks_dev.json")):
        bound, runs = tau1(real_data, domain, file, environment=f"tau1-{domain}")
        assert failures(bound, runs) == {}


def recorded(real_data: Path, domain: str) -> list[Object]:
    path = real_data / "tau3" / "results" / f"gpt-4.1_{domain}_default_gpt-4.1_1trials.json"
    simulations: list[Object] = json.loads(path.read_text())["simulations"]
    return simulations


def answers(run: Object) -> list[tuple[Action, Object]]:
    """Return the calls of a recorded run with their tool messages."""
    calls = {call["id"]: call for message in run["messages"] for call in message.get("tool_calls") or []}
    return [
        (call_of(calls[message["id"]]["name"], calls[message["id"]]["arguments"]), message)
        for message in run["messages"]
        if message["role"] == "tool"
    ]


def as_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def test_recorded_answers_are_ours_and_errors_come_at_the_same_calls(real_data: Path) -> None:
    n_equal = n_errors = 0
    for domain in ("airline", "retail"):
        _, environment = load(real_data, domain)
        for run in recorded(real_data, domain):
            state = environment.initial_state("")
            for action, message in answers(run):
                outcome = environment.call(state, action)
                assert bool(outcome.error) == message["error"], (run["task_id"], action.name, outcome.error)
                if outcome.error:
                    n_errors += 1
                elif action.name != "transfer_to_human_agents":
                    ours = as_json(outcome.result) if isinstance(outcome.result, str) else outcome.result
                    theirs = json.dumps(as_json(message["content"]), sort_keys=True)
                    assert json.dumps(ours, sort_keys=True) == theirs, (run["task_id"], action.name)
                    n_equal += 1
                state = outcome.state
    assert (n_equal, n_errors) == (429, 13)


def test_recorded_database_verdicts_are_reproduced(real_data: Path) -> None:
    verdicts: list[bool] = []
    for domain in ("airline", "retail"):
        _, environment = load(real_data, domain)
        path = real_data / "tau3" / "results" / f"gpt-4.1_{domain}_default_gpt-4.1_1trials.json"
        gold = {entry["id"]: entry for entry in json.loads(path.read_text())["tasks"]}
        for run in recorded(real_data, domain):
            writes = [action for action, _ in answers(run) if environment.kind_of(action) is ToolKind.WRITE]
            initial = environment.initial_state(run["task_id"])
            done = run_calls(environment, writes, state=initial)
            wanted = replay(environment, gold_task(gold[run["task_id"]]))
            verdicts.append(same_state(done[-1].state if done else initial, wanted.final))
            assert verdicts[-1] == run["reward_info"]["db_check"]["db_match"], run["task_id"]
    assert (verdicts.count(True), verdicts.count(False)) == (44, 16)


def gold_task(entry: Object) -> Task:
    calls = entry["evaluation_criteria"]["actions"] or []
    return task(entry["id"], actions=tuple(call_of(call["name"], call["arguments"]) for call in calls))

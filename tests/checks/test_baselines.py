from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit.checks.baselines import CHECK, passes
from audit.checks.protocol import Subject
from audit.environments.mock import MOCK
from audit.environments.registry import environment_for
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding, Severity
from audit.records.task import Action, Json, Origin, Parameter, Task, Tool, ToolKind
from audit.sources.resolve import resolve_source
from tests.builders import benchmark, task

TABLES = {"tasks": {"task_1": {"status": "pending"}}, "users": {"user_1": {"tasks": ["task_1"]}}}
HAND_OVER = Tool("transfer_to_human_agents", ToolKind.GENERIC)
DONE: dict[str, Json] = {"task_id": "task_1", "status": "completed"}
TRANSFER: dict[str, Json] = {"name": "transfer_to_human_agents", "arguments": {"summary": "All of it."}}


def scored(criteria: Json, task_id: str = "t1") -> Task:
    """Return a task of the mock domain with these criteria, its actions read from them."""
    entries = criteria.get("actions") if isinstance(criteria, dict) else None
    actions = tuple(_action(entry) for entry in entries) if isinstance(entries, list) else None
    origin = Origin("tasks.json", "", task_id)
    return replace(task(task_id), raw={"evaluation_criteria": criteria}, actions=actions, origin=origin)


def _action(entry: Json) -> Action:
    assert isinstance(entry, dict)
    name, arguments, compared = str(entry["name"]), entry["arguments"], entry.get("compare_args")
    assert isinstance(arguments, dict)
    kind = ToolKind.WRITE if name.startswith(("update", "create")) else ToolKind.GENERIC
    compare_args = tuple(str(name) for name in compared) if isinstance(compared, list) else None
    return Action(name, arguments, kind, Origin("tasks.json", "actions", "t1"), compare_args=compare_args)


def subject(*tasks: Task, is_bound: bool = True, tools: tuple[Tool, ...] = (HAND_OVER,)) -> Subject:
    known = benchmark(*tasks, database=TABLES, tools=tools)
    return Subject(known, MOCK.bind(known) if is_bound else None)


def idle(criteria: Json, *, is_bound: bool = True) -> bool | None:
    one = scored(criteria)
    return passes(subject(one, is_bound=is_bound), one, calls=())


def write(**arguments: Json) -> Json:
    return {"name": "update_task_status", "arguments": {**DONE, **arguments}}


def status(wanted: str, task_id: str = "task_1") -> Json:
    return {"func_name": "assert_task_status", "arguments": {"task_id": task_id, "expected_status": wanted}}


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        (None, True),
        ({"actions": []}, True),
        ({"actions": [write()]}, False),
        ({"actions": [write(status="pending")]}, True),
        ({"actions": [write(task_id="task_9")]}, True),
        ({"actions": None}, True),
        ({"actions": None, "env_assertions": []}, True),
        ({"actions": [], "communicate_info": ["25"]}, False),
        ({"actions": [], "communicate_info": ["25"], "reward_basis": ["DB"]}, True),
        ({"actions": [], "nl_assertions": ["Refuses."]}, True),
        ({"actions": [], "nl_assertions": ["Refuses."], "reward_basis": ["DB", "NL_ASSERTION"]}, None),
        ({"actions": [write()], "nl_assertions": ["Refuses."], "reward_basis": ["DB", "NL_ASSERTION"]}, False),
        ({"actions": [], "nl_assertions": [], "reward_basis": ["DB", "NL_ASSERTION"]}, True),
        ({"actions": [TRANSFER], "reward_basis": ["DB", "ACTION"]}, False),
        ({"actions": [], "reward_basis": ["ACTION"]}, True),
        ({"actions": [], "reward_basis": ["STYLE"]}, None),
        ({"env_assertions": [status("pending")], "reward_basis": ["ENV_ASSERTION"]}, True),
        ({"env_assertions": [status("completed")], "reward_basis": ["ENV_ASSERTION"]}, False),
        ({"env_assertions": [status("completed") | {"assert_value": False}], "reward_basis": ["ENV_ASSERTION"]}, True),  # type: ignore[operator]
        ({"env_assertions": [status("pending", "task_9")], "reward_basis": ["ENV_ASSERTION"]}, False),
        ({"env_assertions": [{"func_name": "assert_mood"}], "reward_basis": ["ENV_ASSERTION"]}, None),
        ({"env_assertions": [], "reward_basis": ["ENV_ASSERTION"]}, True),
    ],
)
def test_an_agent_that_does_nothing_is_scored_by_the_tasks_own_basis(criteria: Json, expected: bool | None) -> None:
    assert idle(criteria) is expected


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        ({"actions": []}, True),
        ({"actions": [TRANSFER]}, True),
        ({"actions": [write()]}, None),
        ({"env_assertions": [status("pending")], "reward_basis": ["ENV_ASSERTION"]}, None),
    ],
)
def test_without_an_environment_what_needs_one_is_undecided(criteria: Json, expected: bool | None) -> None:
    assert idle(criteria, is_bound=False) is expected


def inspect(*tasks: Task, tools: tuple[Tool, ...] = (HAND_OVER,)) -> list[Finding]:
    return list(CHECK.inspect(subject(*tasks, tools=tools)))


def test_a_task_that_needs_no_agent_is_a_note_and_a_warning_where_gold_writes() -> None:
    refusal, broken, _ = inspect(
        scored({"actions": []}),
        scored({"actions": [write(task_id="task_9")]}, "t2"),
        scored({"actions": [write()]}, "t3"),
    )
    assert (refusal.rule, refusal.severity, refusal.task_id) == ("passes-when-idle", Severity.NOTE, "t1")
    assert (broken.rule, broken.severity, broken.task_id) == ("passes-when-idle", Severity.WARNING, "t2")
    assert broken.what.endswith("though the gold actions write (update_task_status).")


def test_the_floor_of_the_set_counts_what_is_undecided_apart() -> None:
    found = inspect(
        scored({"actions": []}),
        scored({"actions": [write()]}, "t2"),
        scored({"actions": [], "nl_assertions": ["Refuses."], "reward_basis": ["NL_ASSERTION"]}, "t3"),
        scored({"actions": [TRANSFER | {"compare_args": []}], "reward_basis": ["ACTION"]}, "t4"),
    )
    assert [(each.rule, each.task_id) for each in found] == [
        ("passes-when-idle", "t1"),
        ("passes-on-transfer", "t4"),
        ("idle-agents-score", None),
    ]
    assert found[-1].what == (
        "Of 4 tasks an agent that does nothing passes 1, one that transfers at once 2; "
        "1 can't be decided without a judge or a replay."
    )


def test_a_transfer_counts_only_where_what_is_compared_is_equal() -> None:
    literal = scored({"actions": [TRANSFER], "reward_basis": ["ACTION"]})
    assert inspect(literal) != []
    with_summary = replace(HAND_OVER, parameters=(Parameter("summary", "str"),))
    assert inspect(literal, tools=(with_summary,)) == []


def test_sets_that_need_an_agent_give_no_finding() -> None:
    assert inspect(scored({"actions": [write()]})) == []
    assert inspect(scored({"actions": [TRANSFER], "reward_basis": ["ACTION"]}), tools=()) == []
    user_tool = replace(HAND_OVER, caller="user")
    assert inspect(scored({"actions": [TRANSFER], "reward_basis": ["ACTION"]}), tools=(user_tool,)) == []
    assert list(CHECK.inspect(Subject(benchmark(task())))) == []


@pytest.mark.parametrize(("domain", "n_idle", "n_transfer"), [("airline", 23, 23), ("retail", 6, 6), ("mock", 1, 2)])
def test_idle_agents_pass_as_many_public_tasks_as_known(
    real_data: Path, domain: str, n_idle: int, n_transfer: int
) -> None:
    loaded = load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data))
    found = list(CHECK.inspect(Subject(loaded, environment_for(loaded))))
    evidence = dict(found[-1].evidence)
    assert (evidence["passed when idle"], evidence["passed on transfer"]) == (str(n_idle), str(n_transfer))
    assert sum(each.rule == "passes-when-idle" for each in found) == n_idle
    if domain == "retail":
        assert [each.task_id for each in found[:-1]] == ["10", "12", "25", "50", "57", "65"]

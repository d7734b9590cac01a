from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import AuditError, LoadError
from audit.loaders.registry import load_benchmark
from audit.loaders.tau_task import CUT_ROWS, USER_TABLE
from audit.records.task import PartKind, ToolKind
from audit.sources.resolve import resolve_source
from tests.loaders.boats import action, database, load, member, script, task, write_domain, write_json


def test_a_domain_loads_with_everything_that_it_has(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "boats", [task("1"), task("2")], split_tasks={"base": ["1", "2"], "train": ["2"]})
    benchmark = load(folder)
    assert [loaded.id for loaded in benchmark.tasks] == ["1", "2"]
    assert benchmark.tasks[1].tags == ("base", "train")
    assert benchmark.splits == {"base": ("1", "2"), "train": ("2",)}
    assert [file.path for file in benchmark.files] == [
        "tasks.json",
        "policy.md",
        "db.json",
        "tools.json",
        "split_tasks.json",
    ]
    assert len({file.sha256 for file in benchmark.files}) == 5
    assert sorted(benchmark.database) == ["boats", "hires", "members"]
    assert (benchmark.policy.name, benchmark.policy.file, len(benchmark.tools)) == (str(folder), "policy.md", 5)
    assert str(benchmark.tasks[0].origin) == "tasks.json task 1 "


def test_tasks_and_a_policy_are_enough(tmp_path: Path) -> None:
    benchmark = load(write_domain(tmp_path, skip=("db", "tools")))
    assert (benchmark.database, benchmark.tools, benchmark.tasks[0].rows) == ({}, (), ())


def test_files_named_by_flags_win_over_those_beside_the_tasks(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "here")
    other = write_domain(tmp_path / "there", tools=[{"name": "only"}], db={"members": {"mem_1": member(9)}})
    (other / "policy.md").write_text("Another rule.", encoding="utf-8")
    benchmark = load(folder, policy=other / "policy.md", database=other / "db.json", tools=other / "tools.json")
    assert benchmark.policy.text == "Another rule."
    assert [tool.name for tool in benchmark.tools] == ["only"]
    assert benchmark.tasks[0].rows[0].value == member(9)
    assert benchmark.files[1].path == str(other / "policy.md")


def test_only_the_default_split_is_taken_and_the_corpus_keeps_every_task(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, [task("b"), task("a"), task("c")], split_tasks={"base": ["a", "b"]})
    benchmark = load(folder)
    assert [loaded.id for loaded in benchmark.tasks] == ["b", "a"]
    assert [loaded.id for loaded in benchmark.corpus] == ["b", "a", "c"]
    assert benchmark.n_available == 3


def test_a_split_file_without_the_default_split_means_all_tasks(tmp_path: Path) -> None:
    assert len(load(write_domain(tmp_path, split_tasks={"train": []})).tasks) == 1


def test_a_list_may_be_wrapped_in_an_object(tmp_path: Path) -> None:
    assert len(load(write_domain(tmp_path, {"tasks": [task()], "info": {}})).tasks) == 1


def test_whole_numbers_are_taken_as_ids(tmp_path: Path) -> None:
    assert [loaded.id for loaded in load(write_domain(tmp_path, [task(0), task(10)])).tasks] == ["0", "10"]


def test_odd_ids_are_kept_as_they_are(tmp_path: Path) -> None:
    odd = "[wet_issue]a|b|c[PERSONA:Hard] " + "x" * 200
    assert load(write_domain(tmp_path, [task(odd)])).tasks[0].id == odd


def test_unknown_keys_are_ignored_and_kept_in_the_raw_task(tmp_path: Path) -> None:
    value = task(annotations=None, persoca="x", user_tools=[])
    assert load(write_domain(tmp_path, [value])).tasks[0].raw == value


def test_action_ids_need_not_start_with_the_task_s_id(tmp_path: Path) -> None:
    calls = [action(action_id="999_0"), action(action_id="999_0")]
    loaded = load(write_domain(tmp_path, [task(criteria={"actions": calls})])).tasks[0]
    assert loaded.actions is not None
    assert len(loaded.actions) == 2


def test_a_task_whose_rows_were_cut_is_tagged(tmp_path: Path) -> None:
    crowd: dict[str, Any] = {f"mem_{n}": member(n, note="x" * 3000, next=f"mem_{n + 1}") for n in range(1, 40)}
    loaded = load(write_domain(tmp_path, db={"members": crowd})).tasks[0]
    assert loaded.tags == (CUT_ROWS,)
    assert len(loaded.rows) < 25


def test_rows_do_not_copy_what_is_not_pruned(tmp_path: Path) -> None:
    benchmark = load(write_domain(tmp_path, [task("1"), task("2")]))
    first, second = (loaded.rows[0] for loaded in benchmark.tasks)
    assert first.value is second.value is benchmark.database["members"]["mem_1"]


@pytest.mark.parametrize(
    ("tasks", "complaint"),
    [
        ("x", "must be a list of tasks"),
        ({"simulations": []}, "must be a list of tasks"),
        ([], "holds no task"),
        ([task("1"), 3], "task number 2: must be an object, not a number"),
        ([task("1"), {"user_scenario": {}}], "task number 2: the task has no 'id'"),
        ([task("")], "task number 1: the task has no 'id'"),
        ([task(1.5)], "task number 1: the task's 'id' must be a text, not a number"),
        ([task(True)], "task number 1: the task's 'id' must be a text, not true or false"),
        ([task("a"), task("b"), task("a")], "task number 3: the id 'a' is that of task number 1 too"),
        ([task("1"), task(1)], "task number 2: the id '1' is that of task number 1 too"),
    ],
)
def test_a_broken_list_of_tasks_is_one_line(tmp_path: Path, tasks: object, complaint: str) -> None:
    with pytest.raises(LoadError, match=rf"tasks\.json:? ?{complaint}"):
        load(write_domain(tmp_path, tasks))


def test_a_database_that_is_no_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"db\.json: the database must be an object of tables, not a list"):
        load(write_domain(tmp_path, db=[1]))


def test_a_file_without_a_single_table_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"db\.json: the database holds no table"):
        load(write_domain(tmp_path, db={"version": 3, "rows": [1]}))
    assert load(write_domain(tmp_path, db={})).database == {}


def test_a_source_without_a_policy_is_refused(tmp_path: Path) -> None:
    found = replace(resolve_source(str(write_domain(tmp_path))), policy=None)
    with pytest.raises(LoadError, match="no policy was given"):
        load_benchmark(found)


def test_an_unknown_loader_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    found = replace(resolve_source(str(write_domain(tmp_path))), loader="xml")
    with pytest.raises(LoadError, match=r"no loader 'xml'\. There are: .*tau"):
        load_benchmark(found)


def test_a_file_that_vanishes_is_one_line(tmp_path: Path) -> None:
    found = resolve_source(str(write_domain(tmp_path)))
    (tmp_path / "db.json").unlink()
    with pytest.raises(LoadError, match="there is no such database file"):
        load_benchmark(found)


FULL = task(
    told=script(),
    criteria={
        "actions": [action(compare_args=["hire_id"], requestor="assistant")],
        "nl_assertions": ["a"],
        "communicate_info": ["b"],
        "env_assertions": [{"func_name": "f", "env_type": "user", "arguments": {}, "assert_value": True}],
        "reward_basis": ["DB"],
    },
    description={"purpose": "p"},
    ticket="t",
    initial_state={
        "initialization_data": {"agent_data": {"members": {"mem_1": {"n": 1}}, "boats": [{"boat_id": "B"}]}},
        "initialization_actions": [{"func_name": "g"}],
        "message_history": [{"role": "user", "tool_calls": [{"name": "h", "arguments": {}}]}],
    },
)
JUNK: list[Any] = [
    None,
    0,
    -1.5,
    "",
    "mem_1",
    [],
    {},
    [None],
    [[1]],
    {"a": None},
    True,
    [{"name": "x"}],
    {"data": {"x": {}}},
]


def spoil(value: Any, rng: random.Random) -> Any:  # noqa: ANN401  # any JSON
    """Return ``value`` with one random part replaced by junk."""
    if isinstance(value, dict | list) and value and rng.random() < 0.8:
        spoiled = copy.copy(value)
        key: Any = rng.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
        spoiled[key] = spoil(value[key], rng)
        return spoiled
    return rng.choice(JUNK)


def outcome(folder: Path) -> str:
    try:
        load(folder)
    except AuditError as error:
        return str(error)
    return "loaded"


@pytest.mark.parametrize("stem", ["tasks", "db", "tools", "split_tasks"])
def test_no_spoiled_file_does_worse_than_one_clear_line(tmp_path: Path, stem: str) -> None:
    sound: dict[str, Any] = {"tasks": [FULL], "db": database(), "split_tasks": {"base": ["1"]}}
    folder = write_domain(tmp_path, **sound)
    content = json.loads((folder / f"{stem}.json").read_text(encoding="utf-8"))
    rng = random.Random(7)
    outcomes = []
    for _ in range(250):
        write_json(folder / f"{stem}.json", spoil(content, rng))
        outcomes.append(outcome(folder))
    refused = [line for line in outcomes if line != "loaded"]
    assert 0 < len(refused) < 250
    assert all("\n" not in line and str(folder) in line for line in refused)


PHONE = {"phone": {"on": True, "apps": {"maps": {"version": 1}}}, "keys": ["shed"]}


def test_the_user_s_own_records_are_rows_of_every_task(tmp_path: Path) -> None:
    benchmark = load(write_domain(tmp_path, [task("1"), task("2")], user_db=PHONE))
    for loaded in benchmark.tasks:
        assert [(row.table, row.key, row.value) for row in loaded.rows[-2:]] == [
            (USER_TABLE, "phone", PHONE["phone"]),
            (USER_TABLE, "keys", ["shed"]),
        ]
        assert str(loaded.rows[-2].origin) == "user_db.json phone"
    assert "user_db.json" in [file.path for file in benchmark.files]
    assert USER_TABLE not in benchmark.database


def test_what_a_task_changes_on_the_user_s_side_is_merged_into_its_own_records(tmp_path: Path) -> None:
    data = {"user_data": {"phone": {"on": False}}}
    value = task("1", initial_state={"initialization_data": data})
    first, second = load(write_domain(tmp_path, [value, task("2")], user_db=PHONE)).tasks
    assert first.rows[-2].value == {"on": False, "apps": {"maps": {"version": 1}}}
    assert str(first.rows[-2].origin) == "tasks.json task 1 initial_state.initialization_data.user_data.phone"
    assert second.rows[-2].value == PHONE["phone"]


def test_databases_may_be_toml(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, skip=("db",))
    (folder / "db.toml").write_text(
        '[[members]]\nmember_id = "mem_1"\nfull_name = "Greta Oarsman"\nemail = "g@lake.example"\nborn = 1990-06-02\n'
    )
    (folder / "user_db.toml").write_text("[phone]\non = true\n")
    benchmark = load(folder)
    assert benchmark.database["members"]["mem_1"] == {
        "member_id": "mem_1",
        "full_name": "Greta Oarsman",
        "email": "g@lake.example",
        "born": "1990-06-02",
    }
    assert [(row.table, row.key, str(row.origin)) for row in benchmark.tasks[0].rows] == [
        ("members", "mem_1", "db.toml members[0]"),
        (USER_TABLE, "phone", "user_db.toml phone"),
    ]


def test_records_of_the_user_that_are_no_object_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"user_db\.json: the user's records must be an object, not a list"):
        load(write_domain(tmp_path, user_db=[1]))


def test_a_call_that_carries_a_reading_tool_reads_and_keeps_its_own_name(tmp_path: Path) -> None:
    tools = [
        {"name": "dispatch", "kind": "write", "parameters": [{"name": "tool"}, {"name": "arguments"}]},
        {"name": "find_member", "kind": "read"},
    ]
    call = action("dispatch", arguments={"tool": "find_member", "arguments": '{"email": "x"}'})
    loaded = load(write_domain(tmp_path, [task(criteria={"actions": [call]})], tools=tools)).tasks[0]
    assert loaded.actions is not None
    assert [(made.name, made.kind) for made in loaded.actions] == [("dispatch", ToolKind.READ)]
    assert loaded.actions[0].arguments["arguments"] == '{"email": "x"}'
    assert [part.kind for part in loaded.behavior] == [PartKind.ACTION, PartKind.NO_WRITE]

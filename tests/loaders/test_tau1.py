"""Benchmarks in the layout of τ1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError
from audit.inspection import check_benchmark
from audit.loaders.registry import load_benchmark
from audit.records.task import PartKind, ToolKind
from audit.sources.resolve import resolve_source
from tests.loaders.trams import WIKI, as_python, call, load, task, write_domain


def write(tmp_path: Path, *tasks: dict[str, Any], is_python: bool = True) -> Path:
    return write_domain(tmp_path / "trams", is_python=is_python, test=list(tasks))


def test_python_and_json_give_the_same_tasks(tmp_path: Path) -> None:
    tasks = [task(), task(outputs=["30 days"]), task(actions=[call("find_rider", email="ola@tram.example")])]
    read = load(write_domain(tmp_path / "a", test=tasks))
    same = load(write_domain(tmp_path / "b", is_python=False, test=tasks))
    assert [each.raw for each in read.tasks] == [each.raw for each in same.tasks]
    assert [[part.text for part in each.behavior] for each in read.tasks] == [
        [part.text for part in each.behavior] for each in same.tasks
    ]
    assert (read.database, read.tools, read.policy.text) == (same.database, same.tools, same.policy.text)
    assert read.format == "tau1"
    assert read.policy.text == WIKI.strip()


def test_a_task_has_its_instruction_calls_outputs_and_rows(tmp_path: Path) -> None:
    (found,) = load(write(tmp_path, task(outputs=["30 days"]))).tasks
    assert (found.id, found.description_text) == ("0", "You are rid_1 and want your umbrella F901 back.")
    assert [part.kind for part in found.behavior] == [PartKind.ACTION, PartKind.COMMUNICATE]
    assert found.behavior[0].text == 'hand_out(find_id="F901")'
    assert str(found.behavior[1].origin) == "tasks_test.py task 0 outputs[0]"
    assert found.actions is not None
    assert (found.actions[0].kind, found.actions[0].arguments) == (ToolKind.WRITE, {"find_id": "F901"})
    assert {(row.table, row.key, row.origin.file) for row in found.rows} == {
        ("riders", "rid_1", "data/riders.json"),
        ("finds", "F901", "data/finds.json"),
    }
    assert found.tags == ("test",)


def test_no_call_that_writes_means_that_nothing_may_change(tmp_path: Path) -> None:
    without = {name: value for name, value in task().items() if name != "actions"}
    found = load(write(tmp_path, task(actions=[]), without)).tasks
    assert [part.kind for part in found[0].behavior] == [PartKind.NO_WRITE]
    assert found[1].actions is None
    assert found[1].behavior == ()


def test_calls_of_the_older_shape_have_arguments(tmp_path: Path) -> None:
    old = {"name": "hand_out", "arguments": {"find_id": "F901"}}
    folder = write_domain(tmp_path / "old", is_python=False, test=[task(actions=[old])])
    (found,) = load(folder).tasks
    assert found.actions is not None
    assert found.actions[0].arguments == {"find_id": "F901"}


def test_splits_are_the_files_and_all_but_the_first_stand_before_their_ids(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "x", test=[task()], train=[task(), task(id="old")], dev=[task()])
    found = load(folder)
    assert [each.id for each in found.tasks] == ["0"]
    assert [each.id for each in found.corpus] == ["0", "train:0", "train:old", "dev:0"]
    assert found.splits == {"test": ("0",), "train": ("train:0", "train:old"), "dev": ("dev:0",)}
    alone = load(folder / "tasks_train.py")
    assert ([each.id for each in alone.tasks], alone.splits) == (["0", "old"], {"train": ("0", "old")})


@pytest.mark.parametrize(
    ("is_python", "text"), [(True, 'RULES = [\n  "Be kind.",\n  "Be quick.",\n]'), (False, '["Be kind.", "Be quick."]')]
)
def test_rules_that_no_agent_is_shown_are_kept_beside_the_policy(tmp_path: Path, is_python: bool, text: str) -> None:  # noqa: FBT001  # a parameter of the test
    folder = write_domain(tmp_path / "x", is_python=is_python)
    name = f"rules.{'py' if is_python else 'json'}"
    (folder / name).write_text(text)
    found = load(folder)
    assert [(rules.text, rules.file) for rules in found.other_policies] == [("Be kind.\nBe quick.", name)]
    assert found.policy.text == WIKI.strip()
    assert name in {file.path for file in found.files}
    (folder / name).write_text("RULES = []" if is_python else "[]")
    assert load(folder).other_policies == ()
    (folder / name).write_text("RULES = [1]" if is_python else "[1]")
    with pytest.raises(LoadError, match="a rule is no text"):
        load(folder)


def test_a_file_of_any_name_and_a_database_in_one_file_will_do(tmp_path: Path) -> None:
    folder = write(tmp_path, task())
    (folder / "tasks_test.py").rename(folder / "mine.py")
    (folder / "wiki.md").rename(folder / "policy.md")
    database = tmp_path / "db.json"
    database.write_text(json.dumps({"riders": {"rid_1": {"email": "a@b.example"}}}))
    found = load(folder / "mine.py", database=database)
    assert found.tasks[0].tags == ()
    assert found.splits == {}
    assert [row.origin.file for row in found.tasks[0].rows] == [str(database)]


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ([], "holds no task"),
        ([7], r"task number 0, counted from 0: must be an object, not a number"),
        ([task(id=""), task()], "the task's id is a text"),
        ([task(id=True)], "the task's id is true or false"),
        ([task(id="1"), task()], "the id '1' is that of task number 0 too"),
        ([task(instruction=" ")], r"task 0 instruction: the field 'instruction' is missing or blank"),
        ([task(actions=[{"kwargs": {}}])], r"task 0 actions\[0\]\.name: the field 'name' is missing"),
        ([task(actions="x")], "must be a list, not a text"),
        ([task(outputs=[1])], r"outputs\[0\]: must be a text"),
    ],
)
def test_a_broken_task_is_one_line(tmp_path: Path, tasks: list[Any], words: str) -> None:
    folder = write_domain(tmp_path / "x", is_python=False, test=tasks)
    with pytest.raises(LoadError, match=words):
        load(folder)


def test_a_file_that_is_no_list_is_one_line(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "x", is_python=False)
    (folder / "tasks_test.json").write_text('{"a": 1}')
    with pytest.raises(LoadError, match="must be a list of tasks, not an object"):
        load_benchmark(resolve_source(str(folder)))


def test_missing_and_broken_files_beside_the_tasks_are_one_line(tmp_path: Path) -> None:
    folder = write(tmp_path, task())
    (folder / "data" / "finds.json").write_text("[]")
    with pytest.raises(LoadError, match=r"finds\.json: a table must be an object of rows, not a list"):
        load(folder)
    (folder / "data" / "finds.json").write_text('{"F901": 1}')
    with pytest.raises(LoadError, match=r"finds\.json: the rows of a table must be objects"):
        load(folder)
    for path in (folder / "data").iterdir():
        path.unlink()
    with pytest.raises(LoadError, match="the folder of the database holds no table"):
        load(folder)
    (folder / "data").rmdir()
    (folder / "wiki.md").write_text(" \n")
    with pytest.raises(LoadError, match="the policy is empty"):
        load(folder)
    (folder / "wiki.md").unlink()
    with pytest.raises(LoadError, match=r"there is no wiki\.md beside the tasks"):
        load(folder)


@pytest.mark.parametrize(("is_python", "name"), [(True, "tasks_test.py"), (False, "tasks_test.json")])
def test_findings_name_the_line_in_the_file(tmp_path: Path, is_python: bool, name: str) -> None:  # noqa: FBT001  # a parameter of the test
    tasks = [task(), task(actions=[call("hand_over", find_id="F901")], outputs=["1,000"])]
    folder = write(tmp_path, *tasks, is_python=is_python)
    result = check_benchmark(load(folder), root=folder)
    text = (folder / name).read_text().split("\n")
    found = {finding.rule: finding for finding in result.findings if finding.task_id == "1"}
    comma = found["communicate-with-comma"]
    assert str(comma.origin) == f"{name} task 1 outputs[0]"
    assert comma.line is not None
    assert "1,000" in text[comma.line - 1]
    unknown = found["gold-unknown-tool"]
    assert unknown.line is not None
    assert any("hand_over" in line for line in text[unknown.line - 1 : unknown.line + 1])


def test_agents_that_do_nothing_are_scored_as_tau1_scores(tmp_path: Path) -> None:
    folder = write(tmp_path, task(actions=[]), task(actions=[], outputs=["7 finds"]), task())
    rules = {(finding.rule, finding.task_id) for finding in check_benchmark(load(folder), root=folder).findings}
    assert ("passes-when-idle", "0") in rules
    assert ("passes-when-idle", "1") not in rules
    assert ("no-criteria", "0") in rules


def test_a_known_set_is_found_in_a_clone_and_as_conversion(tmp_path: Path) -> None:
    clone = write_domain(tmp_path / "tau-bench" / "tau_bench" / "envs" / "airline")
    found = resolve_source("tau1/airline", data_dir=tmp_path)
    assert (found.tasks, found.loader, found.items) == (clone / "tasks_test.py", "tau1", "tau1-airline")
    assert found.database == clone / "data"
    converted = write_domain(tmp_path / "conv" / "airline", is_python=False)
    found = resolve_source("tau1/airline", data_dir=tmp_path / "conv")
    assert found.tasks == converted / "tasks_test.json"
    assert found.version.startswith("not the pinned ")
    (converted / "tasks_test.py").write_text(as_python([task()]))
    assert resolve_source("tau1/airline", data_dir=tmp_path / "conv").tasks == converted / "tasks_test.py"

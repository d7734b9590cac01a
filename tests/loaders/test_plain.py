"""Tables as benchmarks."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError, UsageError
from audit.inspection import Places, check_benchmark, load
from audit.records.task import PartKind, ToolKind
from tests.loaders.boats import write_domain
from tests.loaders.sheets import HEADINGS, POLICY, read, rows, write, write_json
from tests.plans import kiosk


def test_a_row_is_a_task(tmp_path: Path) -> None:
    headings = (*HEADINGS, "state", "tags", "owner")
    path = write(tmp_path, rows(("A1", "You want it.", "It is done.", "Rain.", "easy; new", "Kim"), headings=headings))
    found = read(path)
    (task,) = found.tasks
    assert (task.id, task.description_text, task.behavior_text) == ("A1", "You want it.", "It is done.")
    assert [(part.kind, str(part.origin)) for part in (*task.description, *task.behavior)] == [
        (PartKind.SCENARIO, "cases.csv task A1 description"),
        (PartKind.PROSE, "cases.csv task A1 behavior"),
    ]
    assert [(row.table, row.value) for row in task.rows] == [("initial state", "Rain.")]
    assert (task.tags, task.actions, task.origin.line) == (("easy", "new"), None, 2)
    assert task.raw["owner"] == "Kim"
    assert (found.format, found.style, found.policy.text) == ("plain", "tau", POLICY.strip())
    assert dict(found.columns) == {name: name for name in ("id", "description", "behavior", "state", "tags")}


def test_a_guess_that_matters_is_told_with_what_else_there_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path, rows(("1", "Go.", "Gone.", "x"), headings=("Nr", "Scenario", "Expected", "Task")))
    with caplog.at_level(logging.WARNING):
        read(path)
    (said,) = caplog.messages
    for words in (
        "id from 'Nr'",
        "description from 'Scenario'",
        "(there is 'Task' too)",
        "judged as outcomes",
        "--map",
    ):
        assert words in said
    caplog.clear()
    read(path, ("id", "Nr"), ("description", "Task"), ("behavior", "expected"), style="workflow")
    assert caplog.messages == []


def test_tasks_without_an_id_are_known_by_their_place(tmp_path: Path) -> None:
    found = read(write(tmp_path, rows(("You go.", "Gone."), ("You stay.", "Stayed."), headings=HEADINGS[1:])))
    assert [task.id for task in found.tasks] == ["1", "2"]
    assert [task.raw["id"] for task in found.tasks] == ["1", "2"]
    found = read(write(tmp_path, rows(("a", "You go.", "Gone."), (" ", "You stay.", "Stayed."))))
    assert [task.id for task in found.tasks] == ["a", "2"]


def test_json_records_may_hold_lists_numbers_and_objects(tmp_path: Path) -> None:
    record = {
        "id": 7,
        "description": {"text": "You want it."},
        "behavior": ["It is done.", "", "You are told."],
        "state": {"members": {"m1": {"name": "Ada"}}, "boats": {"b1": {"free": True}}},
        "tags": ["new", 3],
        "actions": [{"name": "hire", "arguments": {"boat": "b1"}}, {"name": "wave", "kwargs": {}, "requestor": "user"}],
    }
    for name in ("cases.json", "cases.jsonl"):
        (task,) = read(write_json(tmp_path / name, record, name=name), ("description", "description.text")).tasks
        assert (task.id, task.description_text, task.tags) == ("7", "You want it.", ("new", "3"))
        assert [part.text for part in task.behavior if part.kind is PartKind.PROSE] == ["It is done.", "You are told."]
        assert [(row.table, row.key) for row in task.rows] == [("members", "m1"), ("boats", "b1")]
        assert task.actions is not None
        assert [(call.name, call.requestor, str(call.origin)) for call in task.actions] == [
            ("hire", "assistant", f"{name} task 7 actions[0]"),
            ("wave", "user", f"{name} task 7 actions[1]"),
        ]


def test_cells_may_hold_json_and_prose_in_brackets_stays_prose(tmp_path: Path) -> None:
    headings = (*HEADINGS, "state", "actions")
    cells = [
        ("1", "Go.", "Gone.", '"[{""id"": ""x""}]"', '"[{""name"": ""hire""}]"'),
        ("2", "Go.", "Gone.", "[no rain]", "[]"),
        ("3", "Go.", "Gone.", "", ""),
    ]
    tasks = read(write(tmp_path, rows(*cells, headings=headings))).tasks
    assert [[row.value for row in task.rows] for task in tasks] == [[[{"id": "x"}]], ["[no rain]"], []]
    assert [None if task.actions is None else len(task.actions) for task in tasks] == [1, 0, None]
    assert [part.kind for part in tasks[1].behavior] == [PartKind.PROSE, PartKind.NO_WRITE]


def test_a_database_and_tools_work_as_in_other_formats(tmp_path: Path) -> None:
    boats = write_domain(tmp_path / "boats")
    cells = ("1", "You are mem_1; cancel.", "Cancelled.", '"[{""name"": ""cancel_hire"", ""arguments"": {}}]"')
    path = write(tmp_path, rows(cells, headings=(*HEADINGS, "actions")))
    found = read(path, database=boats / "db.json", tools=boats / "tools.json")
    (task,) = found.tasks
    assert ("members", "mem_1") in {(row.table, row.key) for row in task.rows}
    assert task.actions is not None
    assert task.actions[0].kind is ToolKind.WRITE
    assert len(found.files) == 4


def test_a_policy_may_stand_in_a_column(tmp_path: Path) -> None:
    headings = (*HEADINGS, "policy")
    same = write(tmp_path / "a", rows(("1", "Go.", "Gone.", "Be kind."), headings=headings), policy=None)
    found = read(same)
    assert (found.policy.text, found.tasks[0].policy) == ("Be kind.", None)
    mixed = rows(
        ("1", "Go.", "Gone.", "Be kind."), ("2", "Go.", "Gone.", ""), ("3", "Go.", "G.", "own.md"), headings=headings
    )
    path = write(tmp_path / "b", mixed)
    (path.parent / "own.md").write_text("Be quick.")
    found = read(path)
    assert [found.policy_of(task).text for task in found.tasks] == ["Be kind.", POLICY.strip(), "Be quick."]
    assert "own.md" in {file.path for file in found.files}
    (path.parent / "policy.md").unlink()
    with pytest.raises(LoadError, match="the rows have 2 policies, or none, and no policy is shared by all"):
        read(path)


@pytest.mark.parametrize("name", ["gone.md", "../outside.md", "/etc/outside.txt"])
def test_a_policy_s_file_lies_beside_the_table_and_nowhere_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.md").write_text("Secret.")
    path = write(tmp_path / "in", rows(("1", "Go.", "Gone.", name), headings=(*HEADINGS, "policy")))
    with pytest.raises(LoadError, match=r"row 2 \(line 2\), 'policy': there is no file .* beside the table"):
        read(path)


def test_without_any_policy_the_message_says_how_to_name_one(tmp_path: Path) -> None:
    path = write(tmp_path, rows(("1", "Go.", "Gone.")), policy=None)
    with pytest.raises(LoadError, match=r"there is no policy: no policy\.md beside the table\. Name .* --policy FILE"):
        read(path)
    with pytest.raises(LoadError, match="the policy is empty"):
        read(write(tmp_path, rows(("1", "Go.", "Gone.")), policy=" "))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"description": " ", "behavior": "x"}, r"entry 1 \(line 2\), 'description': the description is empty"),
        ({"description": {"a": 1}, "behavior": "x"}, "'description': must be a text, not an object"),
        ({"description": True, "behavior": "x"}, "must be a text, not true or false"),
        ({"description": ["x", 1], "behavior": "x"}, "must be a list of texts, and holds a number"),
        ({"description": "x", "behavior": "x", "id": [1]}, "'id': must be a text, not a list"),
        ({"description": "x", "actions": "{"}, "'actions': not JSON: .*Write JSON into the cell"),
        ({"description": "x", "actions": {}}, "must be a list of calls, not an object"),
        ({"description": "x", "actions": [1]}, "call 1 has no name"),
        ({"description": "x", "actions": [{"name": "a"}, {"name": " "}]}, "call 2 has no name"),
        (
            {"description": "x", "actions": [{"name": "a", "arguments": []}]},
            "the arguments of call 1 must be an object",
        ),
        ({"description": "x", "actions": [{"name": "a", "requestor": "boss"}]}, "call 1 is by 'boss'"),
    ],
)
def test_a_cell_that_can_t_be_read_is_one_line_with_row_and_column(
    tmp_path: Path, record: dict[str, Any], words: str
) -> None:
    with pytest.raises(LoadError, match=words):
        read(write_json(tmp_path, record))


def test_an_id_that_comes_twice_names_both_rows(tmp_path: Path) -> None:
    path = write(tmp_path, rows(("a", "Go.", "Gone."), ("", "", ""), ("a", "Stay.", "Stayed.")))
    with pytest.raises(LoadError, match=r"row 4 \(line 4\), 'id': the id 'a' is that of row 2 too"):
        read(path)
    twice = write(tmp_path / "j", '{"id": 1, "task": "x", "answer": "y"}\n' * 2, "x.jsonl")
    with pytest.raises(LoadError, match=r"x\.jsonl line 2, 'id': the id '1' is that of line 1 too"):
        read(twice)


def test_findings_name_the_line_of_the_row(tmp_path: Path) -> None:
    path = write(tmp_path, rows(("a", '"Two\nlines are here, or more."', "Done."), ("b", "You want your bag.", "")))
    result = check_benchmark(read(path), root=tmp_path)
    found = {(finding.rule, finding.task_id, finding.line) for finding in result.findings}
    assert ("no-criteria", "b", 4) in found


def test_a_manifest_of_ones_own_maps_columns_and_flags_win(tmp_path: Path) -> None:
    write(tmp_path, rows(("1", "Go.", "Gone.", "Went."), headings=("n", "what", "then", "else")), "list.csv")
    head = 'name = "mine"\nloader = "plain"\nstyle = "workflow"\n[domains.desk]\nfolder = "."\ntasks = "list.csv"\n'
    columns = '[domains.desk.columns]\nid = "n"\ndescription = "what"\nbehavior = "then"\n'
    (tmp_path / "benchmark.toml").write_text(head + columns)
    found = load(str(tmp_path), Places())
    assert (found.name, found.style, found.tasks[0].behavior_text) == ("mine/desk", "workflow", "Gone.")
    found = load(str(tmp_path), Places(columns=(("behavior", "else"),), style="tau"))
    assert (found.style, found.tasks[0].behavior_text) == ("tau", "Went.")
    text = (tmp_path / "benchmark.toml").read_text()
    (tmp_path / "benchmark.toml").write_text(text.replace("id =", "nr ="))
    with pytest.raises(LoadError, match="a task has no 'nr' to map a column to"):
        load(str(tmp_path), Places())


def test_columns_are_mapped_in_tables_only(tmp_path: Path) -> None:
    folder = write_domain(tmp_path)
    with pytest.raises(UsageError, match=r"--map: columns can't be mapped in the format 'tau'"):
        load(str(folder), Places(columns=(("id", "x"),)))
    assert load(str(folder), Places(style="workflow")).style == "workflow"


def test_plans_keep_their_style(tmp_path: Path) -> None:
    kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    with pytest.raises(UsageError, match="plans have a style of their own"):
        load(str(tmp_path / kiosk.FILE), Places(style="tau"))


def test_json_texts_of_every_kind_survive(tmp_path: Path) -> None:
    text = 'Quote " and \\ and \u2028 and 🚋, {curly} %s'
    path = write(tmp_path, json.dumps([{"description": text, "behavior": text}]), "x.json")
    assert read(path).tasks[0].description_text == text

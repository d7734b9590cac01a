"""Lines of findings, against files written by hand."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from audit.loaders.lines import LineMap, locate, seen_from
from audit.records.task import Origin, SourceFile
from tests.reports import checked

TASKS = """[
  {
    "id": 7,
    "criteria": {
      "actions": [
        {"name": "a"},
        {"name": "b",
         "arguments": {"x": 1}}
      ]
    }
  },
  "no task",
  {"id": "8", "criteria": null}
]
"""


def record(path: Path) -> SourceFile:
    return SourceFile(path.name, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize(
    ("task_id", "field", "line"),
    [
        ("7", "", 2),
        ("7", "criteria", 4),
        ("7", "criteria.actions[0]", 6),
        ("7", "criteria.actions[1].arguments.x", 8),
        ("7", "criteria.actions[1].requestor", 7),
        ("8", "criteria.actions[0]", 13),
        ("9", "criteria", 1),
        (None, "", 1),
        (None, "[2].criteria", 13),
    ],
)
def test_a_field_has_the_line_where_it_stands(task_id: str | None, field: str, line: int) -> None:
    assert LineMap(TASKS).line_of(Origin("tasks.json", field, task_id)) == line


@pytest.mark.parametrize("n_lines", [1, 2_000, 30_000])
def test_lines_of_a_long_file_are_counted_right(n_lines: int) -> None:
    rows = ",\n".join(f'"line {number}"' for number in range(2, n_lines + 2))
    text = f'[\n{rows},\n{{"id": "last",\n"a": 1}}]'
    assert LineMap(text).line_of(Origin("tasks.json", "a", "last")) == n_lines + 3
    assert LineMap(text).line_of(Origin("tasks.json", f"[{n_lines - 1}]", None)) == n_lines + 1


@pytest.mark.parametrize(
    ("text", "line"),
    [('{"about": 1,\n"tasks":\n[{"id": "7",\n"a": 1}]}', 4), ('{\n"id": "7",\n\n"a": 1}', 4), ('{"tasks": {}}', 1)],
)
def test_the_tasks_may_stand_below_a_key_or_alone(text: str, line: int) -> None:
    assert LineMap(text).line_of(Origin("tasks.json", "a", "7")) == line


def test_findings_get_their_lines_and_keep_those_that_they_have(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(TASKS)
    bare = checked.finding(checked.FAILS, "7", field="criteria.actions[1]")
    known = checked.finding(checked.FAILS, "7", line=99)
    found = locate([bare, known], [record(tmp_path / "tasks.json")], root=tmp_path)
    assert [finding.line for finding in found] == [7, 99]


def test_a_byte_order_mark_moves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(TASKS, encoding="utf-8-sig")
    (found,) = locate([checked.finding(checked.FAILS, "8")], [record(tmp_path / "tasks.json")], root=tmp_path)
    assert found.line == 13


def test_a_file_that_changed_or_is_gone_or_is_no_json_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(TASKS)
    (tmp_path / "policy.md").write_text("# Policy\n")
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe")
    files = [
        SourceFile("tasks.json", "of another file"),
        SourceFile("gone.json", ""),
        record(tmp_path / "policy.md"),
        record(tmp_path / "bad.json"),
    ]
    findings = [checked.finding(checked.FAILS, origin=Origin(file.path, "", "7")) for file in files]
    assert [finding.line for finding in locate(findings, files, root=tmp_path)] == [None] * 4


def test_paths_are_told_for_files_below_the_place_and_for_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "here" / "set"
    folder.mkdir(parents=True)
    (folder / "tasks.json").write_text("[]")
    (tmp_path / "other.json").write_text("[]")
    names = ["tasks.json", str(tmp_path / "other.json"), "absent.json"]
    assert seen_from(tmp_path / "here", names, root=folder) == {"tasks.json": "set/tasks.json"}

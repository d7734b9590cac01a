"""Tables written back: rows to the byte, and a manifest that says what their columns hold."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import OutputError
from audit.inspection import Places, find_source
from audit.loaders.registry import load_benchmark
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.writers.plain import PlainWriter
from tests import builders
from tests.loaders import boats
from tests.loaders.sheets import HEADINGS, rows, write, write_json

SHEET = 'Nr;What;Then;tags\r\nA1;"Go;\nnow.";Gone.;a\r\n\r\nA2; Stay. ;Stayed.;\r\nA3;Sit.;Sat.\r\n'
COLUMNS = (("description", "What"), ("behavior", "Then"))


def source_of(path: Path, *columns: tuple[str, str], **places: Any) -> Source:  # noqa: ANN401  # fields of Places
    return find_source(str(path), Places(columns=columns, **places))


def put(source: Source, kept: Benchmark, folder: Path, **options: Any) -> Benchmark:  # noqa: ANN401  # flags
    folder.mkdir()
    PlainWriter().write(source, kept, folder=folder, **options)
    return load_benchmark(find_source(str(folder), Places()))


def keep(found: Benchmark, *ids: str) -> Benchmark:
    return replace(found, tasks=tuple(task for task in found.tasks if task.id in ids))


@pytest.mark.parametrize("mark", ["", "\ufeff", "sep=;\r\n"])
def test_kept_rows_are_the_same_to_the_byte(tmp_path: Path, mark: str) -> None:
    source = source_of(write(tmp_path / "in", mark + SHEET), *COLUMNS, style="workflow")
    found = load_benchmark(source)
    again = put(source, keep(found, "A1", "A3"), tmp_path / "out")
    assert [task.id for task in again.tasks] == ["A1", "A3"]
    written = (tmp_path / "out" / "cases.csv").read_bytes().decode()
    assert written == mark + 'Nr;What;Then;tags\r\nA1;"Go;\nnow.";Gone.;a\r\nA3;Sit.;Sat.\r\n'
    manifest = tomllib.loads((tmp_path / "out" / "benchmark.toml").read_text())
    assert (manifest["loader"], manifest["style"]) == ("plain", "workflow")
    assert manifest["domains"]["table"]["columns"] == {
        "description": "What",
        "behavior": "Then",
        "id": "Nr",
        "tags": "tags",
    }


def test_a_table_without_ids_gets_a_column_of_them(tmp_path: Path) -> None:
    source = source_of(write(tmp_path / "in", rows(("Go.", "Gone."), ('"Sit, now."', "Sat."), headings=HEADINGS[1:])))
    again = put(source, keep(load_benchmark(source), "2"), tmp_path / "out")
    assert [task.id for task in again.tasks] == ["2"]
    assert (tmp_path / "out" / "cases.csv").read_text() == 'description,behavior,id\n"Sit, now.",Sat.,2\n'


def test_changed_cells_are_written_anew_and_no_others(tmp_path: Path) -> None:
    source = source_of(write(tmp_path / "in", SHEET), *COLUMNS)
    found = load_benchmark(source)
    tasks = [replace(task, raw={**task.raw, "Then": 'Gone "for\ngood".'}) for task in found.tasks[:1]]
    again = put(source, replace(found, tasks=(*tasks, *found.tasks[1:])), tmp_path / "out")
    assert again.tasks[0].behavior_text == 'Gone "for\ngood".'
    assert "A2; Stay. ;Stayed.;\r\n" in (tmp_path / "out" / "cases.csv").read_bytes().decode()


def test_values_that_are_no_texts_become_cells_of_json(tmp_path: Path) -> None:
    source = source_of(write(tmp_path / "in", SHEET), *COLUMNS)
    found = load_benchmark(source)
    task = replace(found.tasks[0], raw={**found.tasks[0].raw, "tags": None, "Then": ["a", 1]})
    again = put(source, replace(found, tasks=(task,)), tmp_path / "out")
    assert (again.tasks[0].raw["tags"], again.tasks[0].raw["Then"]) == ("", '["a", 1]')


@pytest.mark.parametrize("indent", [None, 1])
def test_entries_of_an_array_stay_and_what_is_around_them(tmp_path: Path, indent: int | None) -> None:
    records = [{"id": n, "task": f"Go {n}.", "answer": "é 1.50"} for n in "abc"]
    text = json.dumps({"about": [1], "tasks": records, "more": {}}, indent=indent)
    source = source_of(write(tmp_path / "in", text, "x.json"))
    again = put(source, keep(load_benchmark(source), "a", "c"), tmp_path / "out")
    assert [task.id for task in again.tasks] == ["a", "c"]
    written = (tmp_path / "out" / "x.json").read_text()
    assert {name: json.loads(written)[name] for name in ("about", "more")} == {"about": [1], "more": {}}
    assert ("\\u00e9" in written) is (indent is not None)


def test_lines_of_json_stay(tmp_path: Path) -> None:
    text = '{"id":"a","task":"x","answer":"y"}\n\n{"task":"é","answer":"z"}'
    source = source_of(write(tmp_path / "in", text, "x.jsonl"))
    put(source, load_benchmark(source), tmp_path / "out")
    lines = (tmp_path / "out" / "x.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines[0] == '{"id":"a","task":"x","answer":"y"}'
    assert json.loads(lines[1]) == {"task": "é", "answer": "z", "id": "2"}


def test_everything_beside_the_table_goes_along(tmp_path: Path) -> None:
    domain = boats.write_domain(tmp_path / "boats")
    path = write_json(
        tmp_path / "in",
        {"id": "1", "task": "You are mem_1.", "answer": "Done.", "policy": "own.md", "actions": [{"name": "add_up"}]},
        {"id": "2", "task": "You are mem_2.", "answer": "Done.", "state": "Rain."},
    )
    (path.parent / "own.md").write_text("Be quick.")
    source = source_of(path, database=domain / "db.json", tools=domain / "tools.json")
    found = load_benchmark(source)
    again = put(source, found, tmp_path / "out")
    assert [(task.raw, again.policy_of(task).text) for task in again.tasks] == [
        (task.raw, found.policy_of(task).text) for task in found.tasks
    ]
    assert (again.database, again.tools) == (found.database, found.tools)
    assert [[row.value for row in task.rows] for task in again.tasks] == [
        [row.value for row in task.rows] for task in found.tasks
    ]
    columns = tomllib.loads((tmp_path / "out" / "benchmark.toml").read_text())["domains"]["table"]["columns"]
    assert columns == dict(found.columns)
    assert set(columns) == {"id", "description", "behavior", "actions", "state", "policy"}


def test_a_column_that_no_record_has_any_more_is_not_mapped(tmp_path: Path) -> None:
    path = write_json(tmp_path / "in", {"task": "Go.", "answer": "a", "tags": ["x"]}, {"task": "Sit.", "answer": "b"})
    source = source_of(path)
    again = put(source, keep(load_benchmark(source), "2"), tmp_path / "out")
    assert (again.tasks[0].id, dict(again.columns)) == ("2", {"id": "id", "description": "task", "behavior": "answer"})


def test_new_rows_and_a_policy_from_elsewhere_are_written(tmp_path: Path) -> None:
    domain = boats.write_domain(tmp_path / "boats")
    source = source_of(write(tmp_path / "in", rows(("1", "Go.", "Gone."))), database=domain / "db.json")
    changed = replace(load_benchmark(source), database={"boats": {"B": {"boat_id": "B"}}}, policy=builders.policy())
    again = put(source, changed, tmp_path / "out", has_new_rows=True)
    assert (again.database, again.policy.text) == (changed.database, changed.policy.text)


def test_a_table_of_any_name_has_a_set_s_name(tmp_path: Path) -> None:
    source = source_of(write(tmp_path / "in", rows(("1", "Go.", "Gone.")), "Ünser «Test» 3.csv"))
    assert put(source, load_benchmark(source), tmp_path / "out").name == "Ünser--Test--3-set/table"


def test_a_table_that_changed_in_the_meantime_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "in", rows(("1", "Go.", "Gone.")))
    source = source_of(path)
    found = load_benchmark(source)
    path.write_text("id\n")
    with pytest.raises(OutputError, match="has changed since it was read"):
        put(source, found, tmp_path / "out")

"""Which format a path has, and what is said where it has none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError
from audit.loaders.registry import load_benchmark
from audit.sources.resolve import resolve_source
from audit.sources.shapes import find_shape

TAU = {"id": "1", "user_scenario": {}}
TAU1 = {"user_id": "u", "instruction": "Go.", "actions": []}
ROW = {"description": "Go.", "behavior": "Gone."}


@pytest.mark.parametrize(
    ("name", "content", "loader"),
    [
        ("tasks.json", [TAU], "tau"),
        ("mine.json", [TAU], "tau"),
        ("mine.json", {"tasks": [TAU]}, "tau"),
        ("tasks.json", [TAU1], "tau1"),
        ("tasks_train.json", [TAU1], "tau1"),
        ("mine.json", [TAU1], "tau1"),
        ("mine.json", [ROW], "plain"),
        ("mine.json", {"tasks": [ROW]}, "plain"),
        ("tasks.json", [ROW], "tau"),
        ("mine.json", [], "tau"),
        ("mine.json", [3], "tau"),
        ("mine", [TAU], "tau"),
    ],
)
def test_a_json_file_is_known_by_its_first_task(tmp_path: Path, name: str, content: Any, loader: str) -> None:  # noqa: ANN401  # JSON
    path = tmp_path / name
    path.write_text(json.dumps(content), encoding="utf-8-sig")
    assert find_shape(path).loader == loader


@pytest.mark.parametrize(
    ("name", "loader"), [("t.py", "tau1"), ("a.csv", "plain"), ("a.TSV", "plain"), ("a.jsonl", "plain")]
)
def test_other_files_are_known_by_their_names(tmp_path: Path, name: str, loader: str) -> None:
    (tmp_path / name).write_text("x")
    assert find_shape(tmp_path / name).loader == loader


@pytest.mark.parametrize(
    ("names", "loader", "tasks"),
    [
        (["tasks.json", "tasks_test.py", "a.csv"], "tau", "tasks.json"),
        (["tasks_train.py", "tasks_test.json", "rules.py"], "tau1", "tasks_test.json"),
        (["tasks_dev.json", "a.csv"], "tau1", "tasks_dev.json"),
        (["tasks.py"], "tau1", "tasks.py"),
        (["a.csv", "documents.jsonl", "left_out.csv", "policy.md"], "plain", "a.csv"),
    ],
)
def test_a_folder_is_known_by_what_lies_in_it(tmp_path: Path, names: list[str], loader: str, tasks: str) -> None:
    for name in names:
        (tmp_path / name).write_text("[]")
    found = find_shape(tmp_path)
    assert (found.loader, found.tasks) == (loader, tmp_path / tasks)


def test_a_folder_with_several_tables_asks_for_one_of_them(tmp_path: Path) -> None:
    for name in ("a.csv", "b.jsonl"):
        (tmp_path / name).write_text("x")
    with pytest.raises(LoadError, match=r"there are 2 tables: a\.csv, b\.jsonl\. Name one of them by path"):
        find_shape(tmp_path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a.xlsx", r"a\.xlsx: a workbook of a spreadsheet program\. Save the sheet with the tasks as CSV UTF-8"),
        ("notes.md", r"no format has files of tasks that end in '\.md'\. Give \.json"),
        ("notes", "this file is not of a known format"),
    ],
)
def test_a_file_of_no_format_is_one_line(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / name).write_text("# Notes")
    with pytest.raises(LoadError, match=words):
        resolve_source(str(tmp_path / name))


def test_a_folder_without_a_benchmark_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(LoadError) as caught:
        resolve_source(str(tmp_path))
    for words in ("tasks.json", "tasks_test.py", "datasets/*.pickle", ".csv", "benchmark.toml"):
        assert words in str(caught.value)


def test_a_broken_first_line_is_told_as_what_the_file_looks_like(tmp_path: Path) -> None:
    (tmp_path / "policy.md").write_text("Be kind.")
    path = tmp_path / "plans.jsonl"
    path.write_text('{"id": 1, "query": \n{"id": 2}\n')
    with pytest.raises(LoadError, match=r"plans\.jsonl:1: not JSON: .*\.jsonl holds one JSON object a line"):
        load_benchmark(resolve_source(str(path)))
    path.write_text('{"id": 1, "query": "Go."}\n')
    with pytest.raises(LoadError, match=r"no column holds the expected behavior \(columns: 'id', 'query'\)"):
        load_benchmark(resolve_source(str(path)))


def test_json_that_is_broken_or_deep_is_left_to_its_loader(tmp_path: Path) -> None:
    (tmp_path / "policy.md").write_text("Be kind.")
    for text, words in (("[{", "not JSON"), ('[{"a":' + "[" * 100_000, "not JSON|levels deep"), ("{", "not JSON")):
        path = tmp_path / "x.json"
        path.write_text(text)
        with pytest.raises(LoadError, match=words):
            load_benchmark(resolve_source(str(path)))

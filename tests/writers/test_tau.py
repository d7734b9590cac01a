"""Benchmarks written back: what is kept is kept to the byte, and what was written loads as before."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import OutputError, UsageError
from audit.inspection import Places, load
from audit.loaders.registry import load_benchmark
from audit.records.source import Source
from audit.records.task import Benchmark, SourceFile
from audit.sources.resolve import resolve_source
from audit.writers.registry import find_writer
from audit.writers.tau import TauWriter, keep_entries, keep_splits
from tests import builders
from tests.loaders.boats import write_domain
from tests.loaders.clubs import needing, write_club


def write(source: Source, kept: set[str], folder: Path) -> Benchmark:
    benchmark = load_benchmark(source)
    chosen = tuple(task for task in benchmark.tasks if task.id in kept)
    TauWriter().write(source, replace(benchmark, tasks=chosen), folder=folder)
    return benchmark


def test_what_was_written_loads_with_the_same_records(tmp_path: Path) -> None:
    source = resolve_source("sample/library")
    kept = {"lib_01", "lib_02", "lib_42"}
    before = write(source, kept, tmp_path)
    after = load_benchmark(resolve_source(str(tmp_path)))
    assert after.tasks == tuple(task for task in before.tasks if task.id in kept)
    assert [task.raw for task in after.tasks] == [task.raw for task in before.tasks if task.id in kept]
    assert (after.policy.text, after.policy.items) == (before.policy.text, before.policy.items)
    assert (after.database, after.tools) == (before.database, before.tools)
    assert after.splits == {"train": ("lib_02",), "test": ("lib_01", "lib_42"), "base": ("lib_01", "lib_02", "lib_42")}


def test_keeping_everything_gives_the_same_task_file(tmp_path: Path) -> None:
    source = resolve_source("sample/library")
    write(source, {task.id for task in load_benchmark(source).tasks}, tmp_path)
    assert (tmp_path / "tasks.json").read_bytes() == source.tasks.read_bytes()
    assert (tmp_path / "db.json").read_bytes() == (source.root / "db.json").read_bytes()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('[\n {"id": "1", "x": 1.50},\n {"id": "2"},\n\n {"id": "3", "é": "\\u00e9"}\n]\n', "13"),
        ('[{"id":"1"},{"id":"2"}]', "2"),
        ('{"about": [1], "tasks": [ {"id": 1} , {"x": {"id": "2"}, "id": "3"} ], "more": {}}', "1"),
    ],
)
def test_entries_that_stay_are_not_touched(text: str, kept: str) -> None:
    before = json.loads(text)
    tasks = before["tasks"] if isinstance(before, dict) else before
    cut = keep_entries(text, {str(task["id"]): task for task in tasks if str(task["id"]) in kept})
    after = json.loads(cut)
    left = after["tasks"] if isinstance(after, dict) else after
    assert left == [task for task in tasks if str(task["id"]) in kept]
    for part in ('"x": 1.50', '"é": "\\u00e9"', '"about": [1]', '"more": {}'):
        assert (part in cut) is (part in text)


def test_a_split_without_tasks_is_dropped() -> None:
    assert json.loads(keep_splits('{"a": ["1"], "b": ["2", "3"], "c": null}', {"3"})) == {"b": ["3"]}


def test_the_default_split_is_dropped_when_it_would_hide_a_task() -> None:
    assert json.loads(keep_splits('{"base": ["1"], "full": ["1", "2"]}', {"1", "2"})) == {"full": ["1", "2"]}
    assert set(json.loads(keep_splits('{"base": ["1"], "full": ["1", "2"]}', {"1"}))) == {"base", "full"}


def test_tasks_in_files_of_their_own_and_other_files_keep_their_names(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    for name, text in (
        ("tasks/one.json", '{"id": "1"}'),
        ("tasks/two.json", '{"id": 2}'),
        ("documents/fees.md", "Fees."),
        ("policy.md", "# Rules"),
        ("db.toml", "[loans]"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    out.mkdir()
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.*")]
    files = tuple(SourceFile(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in names)
    source = Source("x", folder, "tau", folder / "tasks", folder / "policy.md", folder / "db.toml")
    policy = replace(builders.policy(), file="policy.md")
    TauWriter().write(source, builders.benchmark(builders.task("2"), files=files, policy=policy), folder=out)
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*"))
    assert written == ["db.toml", "documents/fees.md", "policy.md", "tasks/two.json"]


def test_a_benchmark_with_only_tasks_and_policy_is_written_with_only_these(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    tasks: list[Any] = [
        {"id": n, "user_scenario": {"instructions": "Renew it."}, "evaluation_criteria": {"actions": []}}
        for n in (1, 2)
    ]
    (folder / "tasks.json").write_text(json.dumps({"tasks": tasks}), encoding="utf-8-sig")
    (folder / "policy.md").write_text("# Rules\n")
    write(resolve_source(str(folder)), {"2"}, out)
    assert sorted(path.name for path in out.iterdir()) == ["policy.md", "tasks.json"]
    assert [task.id for task in load_benchmark(resolve_source(str(out))).tasks] == ["2"]


def test_a_file_that_changed_in_the_meantime_is_refused(tmp_path: Path) -> None:
    source = resolve_source("sample/library")
    stale = replace(load_benchmark(source), files=())
    with pytest.raises(OutputError, match="has changed since it was read"):
        TauWriter().write(source, stale, folder=tmp_path)


def test_a_format_without_a_writer_is_an_error_that_names_those_with_one() -> None:
    with pytest.raises(UsageError, match=r"'workflow' are read only.*tau"):
        find_writer("workflow")


def test_a_policy_of_several_files_is_written_as_one_with_a_place_for_its_documents(tmp_path: Path) -> None:
    club = write_club(tmp_path / "club", needing("fees"), needing("storms", id="2"), needing(id="3"))
    out = tmp_path / "out"
    out.mkdir()
    before = write(resolve_source(str(club)), {"1", "3"}, out)
    after = load_benchmark(resolve_source(str(out)))
    left = [task for task in before.tasks if task.id != "2"]
    assert [after.policy_of(task).text for task in after.tasks] == [before.policy_of(task).text for task in left]
    assert "{{required_documents}}" in (out / "policy.md").read_text()
    assert not (out / "prompts").exists()


def test_a_policy_from_a_manifest_s_template_is_written_as_one(tmp_path: Path) -> None:
    folder, out = write_domain(tmp_path / "in"), tmp_path / "out"
    out.mkdir()
    (folder / "extra.md").write_text("Bring a rope.")
    template = "<a>\n{{file:policy.md}}\n</a>\n{{file:extra.md}}"
    before = write(replace(resolve_source(str(folder)), policy_template=template), {"1"}, out)
    assert (out / "policy.md").read_text() == before.policy.text
    assert load_benchmark(resolve_source(str(out))).policy.text == before.policy.text
    assert sorted(path.name for path in out.iterdir()) == ["db.json", "policy.md", "tasks.json", "tools.json"]


@pytest.mark.parametrize("name", ["airline", "retail", "mock", "telecom", "banking"])
def test_real_benchmarks_come_back_with_the_same_records(real_data: Path, tmp_path: Path, name: str) -> None:
    source = resolve_source(f"tau3/{name}", data_dir=real_data)
    tasks = load_benchmark(source).tasks
    kept = {task.id for task in tasks[::3]}
    before = write(source, kept, tmp_path)
    after = load(str(tmp_path), Places())
    left = [task for task in before.tasks if task.id in kept]
    assert [replace(task, policy=None) for task in after.tasks] == [replace(task, policy=None) for task in left]
    assert [after.policy_of(task).text for task in after.tasks] == [before.policy_of(task).text for task in left]
    assert [task.raw for task in after.tasks] == [task.raw for task in before.tasks if task.id in kept]
    assert (after.database, after.tools, after.policy.items) == (before.database, before.tools, before.policy.items)

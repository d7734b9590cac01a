"""Sets that hold their tasks twice, and where findings about a set as a whole point."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.checks import duplicates, twins
from audit.checks.protocol import Subject
from audit.checks.raw import set_place
from audit.inspection import Places, check_benchmark, load
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding
from audit.records.task import Benchmark, Origin
from audit.sources.resolve import resolve_source
from tests.builders import benchmark as made_benchmark
from tests.builders import task as made_task
from tests.checks import inn

FIRST, SECOND, THIRD = (inn.task(f"t{n}", f"You are guest gu_10{n}. Cancel your stay.") for n in (1, 2, 3))


def write(folder: Path, *tasks: dict[str, Any], beside: Any = None) -> Path:  # noqa: ANN401  # any JSON
    """Write a set with one file a task, and what stands beside its folder as one file."""
    (folder / "tasks").mkdir()
    for task in tasks:
        (folder / "tasks" / f"{task['id']}.json").write_text(json.dumps(task))
    if beside is not None:
        (folder / "tasks.json").write_text(json.dumps(beside))
    (folder / "policy.md").write_text(inn.POLICY)
    (folder / "db.json").write_text(json.dumps(inn.database()))
    return folder


def read(path: Path) -> Benchmark:
    return load_benchmark(resolve_source(str(path)))


def found(path: Path) -> list[Finding]:
    return list(twins.inspect(Subject(read(path))))


def test_a_file_that_agrees_with_the_folder_beside_it_is_no_fault(tmp_path: Path) -> None:
    turned = dict(reversed(FIRST.items()))
    assert found(write(tmp_path, FIRST, SECOND, beside={"tasks": [SECOND, turned]})) == []


def test_a_file_that_differs_from_the_folder_beside_it_is_one_finding_about_the_set(tmp_path: Path) -> None:
    old = {**FIRST, "user_scenario": {"instructions": "Cancel."}, "ticket": "old"}
    (one,) = found(write(tmp_path, FIRST, SECOND, beside=[old, THIRD]))
    assert (one.task_id, one.origin.file, one.severity.value, one.certainty.value) == (
        None,
        "tasks.json",
        "warning",
        "proved",
    )
    assert one.what == (
        "tasks.json holds the tasks of tasks/ a second time: 1 differ (t1); 1 are only in tasks/ (t2); "
        "1 are only in tasks.json (t3)."
    )
    assert one.evidence[0] == ("checked", "tasks/")
    assert one.evidence[1] == (
        "t1 user_scenario.instructions",
        "'You are guest gu_101. Cancel your stay.' or 'Cancel.'",
    )


def test_a_field_that_only_one_of_the_two_has_is_named(tmp_path: Path) -> None:
    (one,) = found(write(tmp_path, FIRST, beside=[{**FIRST, "ticket": "old"}]))
    assert one.evidence[1] == ("t1 ticket", "nothing or 'old'")


def test_the_folder_beside_a_file_that_is_named_is_its_twin_too(tmp_path: Path) -> None:
    folder = write(tmp_path, FIRST, SECOND, beside=[FIRST])
    (one,) = found(folder / "tasks.json")
    assert one.what == "tasks holds the tasks of tasks.json a second time: 1 are only in tasks (t2)."


def test_many_tasks_that_differ_are_counted(tmp_path: Path) -> None:
    tasks = [inn.task(f"t{n:02d}", "You are guest gu_101.") for n in range(12)]
    (one,) = found(write(tmp_path, *tasks, beside=[{**task, "ticket": "x"} for task in tasks]))
    assert "12 differ (t00, t01, t02, t03, t04, t05, t06, t07 and 4 more)" in one.what


@pytest.mark.parametrize("beside", [[THIRD], {"about": "tasks"}, "text", []])
def test_what_holds_none_of_the_tasks_is_no_twin(tmp_path: Path, beside: object) -> None:
    assert read(write(tmp_path, FIRST, beside=beside)).twin is None


def test_a_file_alone_has_no_twin(tmp_path: Path) -> None:
    folder = write(tmp_path, FIRST, beside=[FIRST])
    (folder / "tasks" / "t1.json").unlink()
    assert read(folder / "tasks.json").twin is None
    assert found(folder) == []


def test_findings_about_a_set_with_a_file_a_task_point_to_its_folder(tmp_path: Path) -> None:
    twice = {**FIRST, "id": "t9", "ticket": "other"}
    folder = write(tmp_path, FIRST, twice)
    (one,) = duplicates.inspect(Subject(read(folder)))
    assert (one.rule, one.origin) == ("scripts-alike", Origin("tasks", ""))
    benchmark = load(str(folder), Places())
    result = check_benchmark(benchmark, root=folder)
    (located,) = (finding for finding in result.findings if finding.rule == "scripts-alike")
    assert located.line is None


@pytest.mark.parametrize(
    ("files", "place"),
    [
        (["tasks.json", "tasks.json"], "tasks.json"),
        (["set/a/1.json", "set/b/2.json"], "set"),
        (["set/1.json", "set/2.json"], "set"),
        (["1.json", "2.json"], "."),
    ],
)
def test_a_set_is_its_file_or_the_folder_of_its_files(files: list[str], place: str) -> None:
    tasks = [replace(made_task(id=str(n)), origin=Origin(file, "", str(n))) for n, file in enumerate(files)]
    assert set_place(made_benchmark(*tasks), "x") == Origin(place, "x")

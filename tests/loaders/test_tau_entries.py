from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.errors import LoadError
from tests.loaders.boats import load, task, write_domain, write_json


def write_folder(root: Path, **files: object) -> Path:
    """Write a domain whose tasks are files of a folder, beside a task file that is out of date."""
    write_domain(root, [task("old")])
    for stem, value in files.items():
        write_json(root / "tasks" / f"{stem}.json", value)
    return root


def test_tasks_in_files_of_their_own_are_taken_by_name_instead_of_the_task_file(tmp_path: Path) -> None:
    benchmark = load(write_folder(tmp_path, b=task("2"), a=task("10")))
    assert [(loaded.id, loaded.origin.file) for loaded in benchmark.tasks] == [
        ("10", "tasks/a.json"),
        ("2", "tasks/b.json"),
    ]
    assert [file.path for file in benchmark.files[:2]] == ["tasks/a.json", "tasks/b.json"]


def test_the_folder_of_tasks_may_be_named_itself(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, a=task("1"))
    assert [loaded.id for loaded in load(folder / "tasks").tasks] == ["1"]
    assert [loaded.id for loaded in load(folder / "tasks.json").tasks] == ["old"]


def test_an_empty_folder_of_tasks_counts_for_nothing(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    (folder / "tasks").mkdir()
    assert [loaded.id for loaded in load(folder).tasks] == ["old"]
    with pytest.raises(LoadError, match=r"no benchmark is in this folder; looked for tasks\.json or"):
        load(folder / "tasks")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"a": task("1"), "b": task("1")}, r"b\.json: the id '1' is that of tasks/a\.json too"),
        ({"a": [task("1")]}, r"a\.json: must be an object, not a list"),
        ({"a": {"id": ""}}, r"a\.json: the task has no 'id'"),
    ],
)
def test_a_faulty_file_of_a_task_is_one_line(tmp_path: Path, files: dict[str, object], complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint):
        load(write_folder(tmp_path, **files))


def test_a_folder_in_place_of_a_task_is_one_line(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, a=task("1"))
    (folder / "tasks" / "b.json").mkdir()
    with pytest.raises(LoadError, match=r"b\.json: the task file can't be read"):
        load(folder)
    shutil.rmtree(folder / "tasks" / "b.json")
    assert len(load(folder).tasks) == 1

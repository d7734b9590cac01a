from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.sources.runs import find_dataset, run_folder


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_a_dataset_belongs_to_the_folder_above_datasets_or_to_its_own(tmp_path: Path) -> None:
    assert run_folder(tmp_path / "run" / "datasets" / "d.pickle") == tmp_path / "run"
    assert run_folder(tmp_path / "d.pickle") == tmp_path


def test_the_pickle_wins_over_its_conversion(tmp_path: Path) -> None:
    converted = touch(tmp_path / "events.json")
    assert find_dataset(tmp_path) == converted
    assert find_dataset(converted) == converted
    dataset = touch(tmp_path / "datasets" / "d.pickle")
    assert find_dataset(tmp_path) == find_dataset(tmp_path / "datasets") == dataset


def test_other_files_and_folders_are_nobodys(tmp_path: Path) -> None:
    assert find_dataset(touch(tmp_path / "tasks.json")) is None
    assert find_dataset(tmp_path) is None


def test_the_newest_of_several_is_not_guessed(tmp_path: Path) -> None:
    for name in "ab":
        touch(tmp_path / "datasets" / f"{name}.pickle")
    with pytest.raises(LoadError, match=r"there are 2 datasets: a\.pickle, b\.pickle\. Name one of them by path\."):
        find_dataset(tmp_path)

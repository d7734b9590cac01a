from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import OutputError
from audit.writers.folder import check_target, new_folder

NAMES = ("tasks.json", "left_out.csv")


def fill(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("old")
    return folder


def test_a_new_or_empty_folder_may_be_written(tmp_path: Path) -> None:
    check_target(tmp_path / "new", may_replace=False, names=NAMES)
    check_target(fill(tmp_path / "empty"), may_replace=False, names=NAMES)


def test_an_earlier_export_is_replaced_only_when_asked_to(tmp_path: Path) -> None:
    target = fill(tmp_path / "out", "tasks.json")
    with pytest.raises(OutputError, match=r"not empty.*--force"):
        check_target(target, may_replace=False, names=NAMES)
    check_target(target, may_replace=True, names=NAMES)


def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    target = fill(tmp_path / "home", "tasks.json", "thesis.tex")
    with pytest.raises(OutputError, match=r"thesis\.tex"):
        check_target(target, may_replace=True, names=NAMES)


def test_a_file_or_a_link_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(fill(tmp_path / "real"))
    for name in ("file", "link"):
        with pytest.raises(OutputError, match="no folder"):
            check_target(tmp_path / name, may_replace=True, names=NAMES)


@pytest.mark.parametrize("is_there", [False, True])
def test_the_folder_is_there_whole_at_the_end(tmp_path: Path, is_there: bool) -> None:
    target = tmp_path / "deep" / "out"
    if is_there:
        fill(target, "left_out.csv")
    with new_folder(target) as folder:
        (folder / "tasks.json").write_text("new")
        assert not (target / "tasks.json").exists()
    assert [path.name for path in target.iterdir()] == ["tasks.json"]
    assert [path.name for path in target.parent.iterdir()] == ["out"]


def test_after_an_error_nothing_has_changed(tmp_path: Path) -> None:
    target = fill(tmp_path / "out", "left_out.csv")
    with pytest.raises(ZeroDivisionError), new_folder(target) as folder:
        (folder / "tasks.json").write_text(str(1 / 0))
    assert (target / "left_out.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_place_that_can_not_be_written_is_one_clear_error() -> None:
    with pytest.raises(OutputError, match="can't be written"), new_folder(Path("/proc/nothing/out")):
        raise AssertionError("there is no such folder")


def test_an_old_folder_comes_back_when_the_new_one_can_not_take_its_place(tmp_path: Path) -> None:
    target = fill(tmp_path / "out", "left_out.csv")
    with pytest.raises(OutputError, match="can't be written"), new_folder(target) as folder:
        folder.rmdir()
    assert (target / "left_out.csv").read_text() == "old"

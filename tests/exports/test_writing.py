"""The folder of an export: proved to load with the same records, or not there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import OutputError
from audit.exports.writing import check_folder, write_export
from audit.loaders.registry import load_benchmark
from audit.records.export import LeftOut, Selection
from audit.records.task import Benchmark
from audit.reports.left_out import render_csv, render_json
from audit.sources.resolve import resolve_source
from tests import builders
from tests.reports import hostile

SOURCE = resolve_source("sample/library")


def selection(benchmark: Benchmark | None = None) -> Selection:
    benchmark = benchmark or load_benchmark(SOURCE)
    kept = ("lib_01", "lib_42")
    left = tuple(LeftOut(task.id, ("why",)) for task in benchmark.tasks if task.id not in kept)
    return Selection(benchmark, "tag=x", kept, left)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"policy": replace(builders.policy("Another policy."), file="policy.md")}, "its policy would differ"),
        ({"database": {}}, "its database would differ"),
        ({"tools": ()}, "its tools would differ"),
    ],
)
def test_a_folder_that_would_load_otherwise_is_refused_and_not_there(
    tmp_path: Path, changed: dict[str, object], words: str
) -> None:
    benchmark = replace(load_benchmark(SOURCE), **changed)  # type: ignore[arg-type]  # fields of the record
    with pytest.raises(OutputError, match=words):
        write_export(selection(benchmark), SOURCE, target=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_would_not_load_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"there is no policy\.md beside the tasks"):
        write_export(selection(), replace(SOURCE, policy=None, root=tmp_path), target=tmp_path / "out")


def test_the_list_names_the_files_so_that_force_knows_its_own(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_export(selection(), SOURCE, target=target)
    check_folder(SOURCE, target, may_replace=True)
    (target / "notes").mkdir()
    check_folder(SOURCE, target, may_replace=True)
    (target / "notes" / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"notes/mine\.txt"):
        check_folder(SOURCE, target, may_replace=True)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": "other", "files": ["a"]}', '{"format": "bench-audit/left-out"}']
)
def test_a_list_of_another_kind_vouches_for_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "left_out.json").write_text(text)
    with pytest.raises(OutputError, match="which no export wrote"):
        check_folder(SOURCE, tmp_path, may_replace=True)


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_hostile_ids_and_reasons_stay_text_in_the_lists(name: str) -> None:
    text = hostile.STRINGS[name]
    listed = Selection(builders.benchmark(), text, (text,), (LeftOut(text, (text,), scores={"m": 1.0}),))
    assert json.loads(render_json(listed, [text]))["left_out"][0]["reasons"] == [text]
    assert not render_csv(listed).decode().splitlines()[-1].startswith(("=", "+", "-", "@"))

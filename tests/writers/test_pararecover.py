from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import OutputError
from audit.loaders.registry import load_benchmark
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from audit.writers.registry import find_writer
from tests.plans import kiosk


def keep(found: Benchmark, *ids: str) -> Benchmark:
    return replace(found, tasks=tuple(task for task in found.tasks if task.id in ids))


def write(source: Source, kept: Benchmark, folder: Path) -> Path:
    folder.mkdir()
    find_writer(source.loader).write(source, kept, folder=folder)
    return folder


def test_kept_instances_are_written_to_the_byte_and_load_as_they_were(tmp_path: Path) -> None:
    file = kiosk.write(tmp_path / "in" / kiosk.FILE, kiosk.record(), kiosk.record(id=8, tag="错误串行"))
    odd = json.dumps(kiosk.record(id=9), indent=None, separators=(" , ", " : "))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes() + b"\r\n" + odd.encode())
    source = resolve_source(str(file))
    found = load_benchmark(source)
    folder = write(source, keep(found, "8", "9"), tmp_path / "out")
    assert (folder / kiosk.FILE).read_bytes() == file.read_bytes().split(b"\n", 1)[1].replace(b"\r\n", b"")
    again = load_benchmark(resolve_source(str(folder)))
    assert again.tasks == found.tasks[1:]
    assert [task.raw for task in again.tasks] == [task.raw for task in found.tasks[1:]]
    assert not (folder / "policy.md").exists()


def test_files_keep_their_places_and_rules_of_ones_own_go_along(tmp_path: Path) -> None:
    for folder in "ab":
        kiosk.write(tmp_path / "in" / folder / f"{folder}.jsonl", kiosk.record(), kiosk.record(id=8))
    (tmp_path / "in" / "policy.md").write_text("Never retry.")
    source = resolve_source(str(tmp_path / "in"))
    found = load_benchmark(source)
    assert found.policy.text == "Never retry."
    again = load_benchmark(resolve_source(str(write(source, keep(found, "a:7", "b:8"), tmp_path / "out"))))
    assert [task.id for task in again.tasks] == ["a:7", "b:8"]
    assert again.policy.text == "Never retry."


def test_a_file_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    file = kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    source = resolve_source(str(file))
    found = load_benchmark(source)
    kiosk.write(file, kiosk.record(id=8))
    with pytest.raises(OutputError, match="has changed since it was read"):
        write(source, found, tmp_path / "out")


def test_the_shared_samples_are_written_back_as_they_are(real_data: Path, tmp_path: Path) -> None:
    source = resolve_source(str(real_data / "pararecover"))
    found = load_benchmark(source)
    folder = write(source, found, tmp_path / "out")
    assert load_benchmark(resolve_source(str(folder))).tasks == found.tasks
    for file in found.files[:3]:
        assert (folder / file.path).read_bytes() == (source.root / file.path).read_bytes()

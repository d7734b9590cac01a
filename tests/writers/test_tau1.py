"""τ1 written back: entries to the byte, ids where places no longer tell them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import OutputError
from audit.inspection import Places, find_source
from audit.loaders.registry import load_benchmark
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from audit.writers.tau1 import Tau1Writer
from tests import builders
from tests.loaders.trams import TABLES, call, task, write_domain


def write(source: Source, kept: Benchmark, folder: Path, **options: Any) -> Benchmark:  # noqa: ANN401  # flags
    folder.mkdir()
    Tau1Writer().write(source, kept, folder=folder, **options)
    return load_benchmark(find_source(str(folder), Places()))


def keep(found: Benchmark, *ids: str) -> Benchmark:
    return replace(found, tasks=tuple(each for each in found.corpus if each.id in ids))


def change(found: Benchmark, **raws: Mapping[str, Any]) -> Benchmark:
    return replace(
        found, tasks=tuple(replace(each, raw={**each.raw, **raws.get(f"t{each.id}", {})}) for each in found.tasks)
    )


@pytest.mark.parametrize("is_python", [True, False])
def test_keeping_everything_gives_the_same_files(tmp_path: Path, is_python: bool) -> None:  # noqa: FBT001  # a parameter
    folder = write_domain(tmp_path / "in", is_python=is_python, test=[task(), task(outputs=["é"])], train=[task()])
    (folder / f"rules.{'py' if is_python else 'json'}").write_text('RULES = ["Be kind."]' if is_python else '["x"]')
    found = load_benchmark(resolve_source(str(folder)))
    again = write(resolve_source(str(folder)), replace(found, tasks=found.corpus), tmp_path / "out")
    assert (again.corpus, again.other_policies) == (found.corpus, found.other_policies)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")} == names
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(("is_python", "member"), [(True, 'Task(\n        id="2",\n'), (False, '"id": "2",\n')])
def test_an_entry_that_moves_gets_its_id_and_no_other_change(tmp_path: Path, is_python: bool, member: str) -> None:  # noqa: FBT001
    folder = write_domain(tmp_path / "in", is_python=is_python, test=[task(), task(), task(outputs=["3"])])
    source = resolve_source(str(folder))
    found = load_benchmark(source)
    again = write(source, keep(found, "0", "2"), tmp_path / "out")
    assert [each.id for each in again.tasks] == ["0", "2"]
    text = (tmp_path / "out" / source.tasks.name).read_text()
    assert member in text
    assert text.count('id="' if is_python else '"id": ') == 1


def test_tasks_of_one_other_split_keep_their_ids(tmp_path: Path) -> None:
    source = resolve_source(str(write_domain(tmp_path / "in", test=[task()], train=[task(), task()], dev=[task()])))
    found = load_benchmark(source)
    again = write(source, keep(found, "train:1"), tmp_path / "out")
    assert [each.id for each in again.tasks] == ["train:1"]
    both = write(source, keep(found, "train:1", "dev:0"), tmp_path / "both")
    assert [each.id for each in both.corpus] == ["train:1", "dev:0"]


@pytest.mark.parametrize("is_python", [True, False])
def test_changed_entries_are_written_anew(tmp_path: Path, is_python: bool) -> None:  # noqa: FBT001  # a parameter
    entries = [task(), task(), task(id="old"), task()]
    source = resolve_source(str(write_domain(tmp_path / "in", is_python=is_python, test=entries)))
    found = change(
        load_benchmark(source),
        t0={"instruction": "You're \"Ola\"\nwith 'quotes' and é."},
        t1={"actions": [call(find_id="F2", n=None), {"name": "x", "kwargs": {}, "why": True}]},
        told={"actions": []},
        t3={"outputs": ["7"]},
    )
    again = write(source, found, tmp_path / "out")
    assert [each.raw for each in again.tasks] == [each.raw for each in found.tasks]


def test_an_entry_with_a_field_of_its_own_becomes_a_dictionary(tmp_path: Path) -> None:
    source = resolve_source(str(write_domain(tmp_path / "in", test=[task()])))
    again = write(source, change(load_benchmark(source), t0={"colour": [1.5]}), tmp_path / "out")
    assert again.tasks[0].raw["colour"] == [1.5]
    assert "Task(" not in (tmp_path / "out" / "tasks_test.py").read_text()


def test_entries_that_are_dictionaries_stay_such(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "in")
    entries = [json.dumps(task()), json.dumps(task(outputs=["-1.5"])), json.dumps(task(actions=[]))]
    (folder / "tasks_test.py").write_text(f"TASKS = ({', '.join(entries)})\n")
    source = resolve_source(str(folder))
    again = write(source, keep(load_benchmark(source), "1", "2"), tmp_path / "out")
    assert [each.id for each in again.tasks] == ["1", "2"]
    assert (tmp_path / "out" / "tasks_test.py").read_text().startswith('TASKS = ({"id": "1", "annotator": "0"')


def test_a_new_database_and_a_policy_from_elsewhere_are_written(tmp_path: Path) -> None:
    source = resolve_source(str(write_domain(tmp_path / "in")))
    found = load_benchmark(source)
    rows = {**TABLES, "finds": {"F901": {"find_id": "F901", "what": "hat"}}}
    changed = replace(found, database=rows, policy=builders.policy("Keep it."))
    again = write(source, changed, tmp_path / "out", has_new_rows=True)
    assert (again.database, again.policy.text) == (rows, "Keep it.")
    assert len(again.policy.items) == 1
    assert not (tmp_path / "out" / "wiki.md").exists()


def test_files_of_any_name_and_one_database_file(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "in")
    (folder / "tasks_test.py").rename(folder / "mine.py")
    (folder / "tools.json").unlink()
    database = tmp_path / "db.json"
    database.write_text(json.dumps(TABLES))
    source = resolve_source(str(folder / "mine.py"), database=database)
    found = load_benchmark(source)
    again = write(source, found, tmp_path / "out")
    assert ([each.raw for each in again.tasks], again.database) == ([each.raw for each in found.tasks], found.database)
    bare = replace(source, database=None)
    assert write(bare, load_benchmark(bare), tmp_path / "bare").database == {}


def test_items_beside_the_wiki_go_along(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "in")
    wiki = folder / "wiki.md"
    text = load_benchmark(resolve_source(str(folder))).policy
    item = {"id": "T1", "title": "Owner", "kind": "obligation", "start": 17, "end": 54}
    stated = {"policy": "trams", "document_sha256": text.sha256, "items": [item]}
    wiki.with_name("wiki.items.json").write_text(json.dumps(stated))
    source = find_source(str(folder), Places())
    again = write(source, load_benchmark(source), tmp_path / "out")
    assert [each.id for each in again.policy.items] == ["T1"]


def test_a_file_that_changed_in_the_meantime_is_refused(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "in")
    source = resolve_source(str(folder))
    found = load_benchmark(source)
    (folder / "tasks_test.py").write_text("TASKS = []")
    with pytest.raises(OutputError, match="has changed since it was read"):
        write(source, found, tmp_path / "out")


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_the_published_tasks_come_back_with_the_same_records(real_data: Path, tmp_path: Path, domain: str) -> None:
    source = resolve_source(f"tau1/{domain}", data_dir=real_data)
    found = load_benchmark(source)
    kept = replace(found, tasks=found.tasks[::3])
    again = write(source, kept, tmp_path / "out")
    assert again.tasks == kept.tasks
    assert [each.raw for each in again.tasks] == [each.raw for each in kept.tasks]
    assert (again.database, again.tools, again.policy.items) == (found.database, found.tools, found.policy.items)

"""τ1 as it was published; the counts were measured with other programs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from audit.inspection import CheckOptions, check_benchmark
from audit.loaders.registry import load_benchmark
from audit.loaders.splits import choose_tasks
from audit.records.task import Benchmark, PartKind
from audit.sources.resolve import resolve_source
from tests.loaders.trams import as_python


def load(real_data: Path, domain: str) -> Benchmark:
    return load_benchmark(resolve_source(f"tau1/{domain}", data_dir=real_data))


def rules(benchmark: Benchmark, root: Path) -> Counter[str]:
    return Counter(finding.rule for finding in check_benchmark(benchmark, root=root).findings)


@pytest.mark.parametrize(
    ("domain", "splits", "n_items", "n_told"),
    [
        ("airline", {"test": 50}, 50, (4, 8)),
        ("retail", {"test": 115, "train": 500, "dev": 20}, 39, (37, 62)),
    ],
)
def test_every_task_split_and_item_is_there(
    real_data: Path, domain: str, splits: dict[str, int], n_items: int, n_told: tuple[int, int]
) -> None:
    found = load(real_data, domain)
    assert {name: len(ids) for name, ids in found.splits.items()} == splits
    assert (len(found.tasks), len(found.corpus)) == (splits["test"], sum(splits.values()))
    assert len(found.policy.items) == n_items
    told = [[part for part in task.behavior if part.kind is PartKind.COMMUNICATE] for task in found.tasks]
    assert (sum(map(bool, told)), sum(map(len, told))) == n_told
    assert not [task.id for task in found.corpus if not task.rows]
    assert "not" not in found.version


def test_empty_actions_are_where_they_were_counted(real_data: Path) -> None:
    airline, retail = load(real_data, "airline"), load(real_data, "retail")
    assert [task.id for task in airline.tasks if not task.actions] == ["12", "15", "17", "18", "21", "24", "49"]
    assert [task.id for task in retail.corpus if not task.actions] == ["24", "57", "dev:17"]


def test_the_gold_actions_of_the_test_split_fail_where_they_were_found_to(real_data: Path) -> None:
    benchmark = load(real_data, "retail")
    result = check_benchmark(benchmark, root=real_data / "tau1" / "retail")
    assert result.environment == "tau1-retail"
    writes = [finding.task_id for finding in result.findings if finding.rule == "gold-write-fails"]
    reads = [finding.task_id for finding in result.findings if finding.rule == "gold-read-fails"]
    unchanged = [finding.task_id for finding in result.findings if finding.rule == "planned-writes-change-nothing"]
    repeated = [finding.task_id for finding in result.findings if finding.rule == "task-repeated"]
    swaps = [finding.task_id for finding in result.findings if finding.rule == "identical-item-exchange"]
    assert (writes, unchanged) == (["12", "13", "64", "106"], ["12", "106"])
    assert len({*writes, *reads}) == 19
    assert (repeated, swaps) == (["95"], ["18", "91", "108"])


def test_gold_of_airline_dev_and_train_does_what_tau1_s_own_tools_do(real_data: Path) -> None:
    airline = rules(load(real_data, "airline"), real_data / "tau1" / "airline")
    assert not airline["gold-write-fails"]
    assert not airline["gold-read-fails"]
    retail, root = load(real_data, "retail"), real_data / "tau1" / "retail"
    assert not rules(choose_tasks(retail, split="dev"), root)["gold-write-fails"]
    assert rules(choose_tasks(retail, split="train"), root)["gold-write-fails"] == 20
    strict = check_benchmark(choose_tasks(retail, split="train"), CheckOptions(environment="tau-retail"), root=root)
    assert sum(finding.rule == "gold-write-fails" for finding in strict.findings) == 44


def test_python_files_of_the_same_tasks_load_alike(real_data: Path, tmp_path: Path) -> None:
    found = load(real_data, "airline")
    tasks = json.loads((real_data / "tau1" / "airline" / "tasks_test.json").read_text())
    path = tmp_path / "tasks_test.py"
    path.write_text(as_python(tasks), encoding="utf-8")
    source = resolve_source("tau1/airline", data_dir=real_data)
    same = load_benchmark(resolve_source(str(path), policy=source.policy, tools=source.tools))
    assert [task.raw for task in same.tasks] == [task.raw for task in found.tasks]
    assert [task.actions and len(task.actions) for task in same.tasks] == [
        task.actions and len(task.actions) for task in found.tasks
    ]

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError, UsageError
from audit.loaders.splits import choose_tasks
from audit.records.task import Benchmark
from tests.loaders.boats import load, task, write_domain

SPLITS = {"base": ["1", "2", "10"], "train": ["10", "1"], "none": []}


@pytest.fixture
def boats(tmp_path: Path) -> Benchmark:
    return load(write_domain(tmp_path / "boats", [task(id) for id in ("1", "2", "10", "extra")], split_tasks=SPLITS))


def ids(benchmark: Benchmark) -> list[str]:
    return [loaded.id for loaded in benchmark.tasks]


def test_without_a_choice_the_default_split_stays(boats: Benchmark) -> None:
    assert ids(choose_tasks(boats)) == ["1", "2", "10"]


def test_tasks_come_in_the_order_in_which_they_were_named_and_once_each(boats: Benchmark) -> None:
    chosen = choose_tasks(boats, tasks=["10", "1", "10"])
    assert ids(chosen) == ["10", "1"]
    assert [loaded.id for loaded in chosen.corpus] == ["1", "2", "10", "extra"]


def test_a_task_outside_the_default_split_can_be_named(boats: Benchmark) -> None:
    assert ids(choose_tasks(boats, tasks=["extra"])) == ["extra"]


def test_a_split_comes_in_its_own_order_and_a_limit_takes_its_beginning(boats: Benchmark) -> None:
    assert ids(choose_tasks(boats, split="train")) == ["10", "1"]
    assert ids(choose_tasks(boats, split="train", limit=1)) == ["10"]
    assert ids(choose_tasks(boats, tasks=["2", "1"], limit=1)) == ["2"]
    assert ids(choose_tasks(boats, limit=99)) == ["1", "2", "10"]


def test_tasks_of_a_named_split_must_be_in_it(boats: Benchmark) -> None:
    assert ids(choose_tasks(boats, tasks=["1"], split="train")) == ["1"]
    with pytest.raises(UsageError, match=r"no task '2' in train\. There are: 10, 1\."):
        choose_tasks(boats, tasks=["2"], split="train")


def test_an_unknown_task_brings_close_ids(boats: Benchmark) -> None:
    with pytest.raises(UsageError, match=r"no task 'extr' in .*\. Perhaps you meant extra\."):
        choose_tasks(boats, tasks=["extr"])


def test_many_unlike_ids_are_not_all_listed(tmp_path: Path) -> None:
    many = load(write_domain(tmp_path, [task(str(n)) for n in range(20)]))
    with pytest.raises(UsageError, match=r"There are: 0, 1, 2, 3, 4, 5, 6, 7 and 12 more\."):
        choose_tasks(many, tasks=["zzz"])


def test_an_unknown_split_brings_those_that_exist(boats: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no split 'test'\. Its splits: base, none, train\."):
        choose_tasks(boats, split="test")
    with pytest.raises(UsageError, match=r"Its splits: none\."):
        choose_tasks(load(write_domain(tmp_path / "plain")), split="test")


def test_an_empty_split_is_refused(boats: Benchmark) -> None:
    with pytest.raises(UsageError, match=r"the split 'none' of .* holds no task"):
        choose_tasks(boats, split="none")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(boats: Benchmark, limit: int) -> None:
    with pytest.raises(UsageError, match=f"the limit is {limit}"):
        choose_tasks(boats, limit=limit)


@pytest.mark.parametrize(
    ("splits", "complaint"),
    [
        (["1"], "must be an object of lists of task ids"),
        ({"base": "1"}, "base: must be a list, not a text"),
        ({"base": [1]}, r"base\[0\]: must be a text, not a number"),
        ({"base": ["1", "9"]}, "base: task '9' is not among the tasks"),
    ],
)
def test_broken_splits_are_one_line(tmp_path: Path, splits: object, complaint: str) -> None:
    with pytest.raises(LoadError, match=rf"split_tasks\.json:? ?{complaint}"):
        load(write_domain(tmp_path, split_tasks=splits))


def test_an_empty_default_split_can_be_left_for_another(tmp_path: Path) -> None:
    benchmark = load(write_domain(tmp_path, split_tasks={"base": [], "all": ["1"]}))
    assert ids(choose_tasks(benchmark, split="all")) == ["1"]
    with pytest.raises(UsageError, match=r"the default split of .* holds no task"):
        choose_tasks(benchmark)

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.registry import load_benchmark
from audit.loaders.splits import choose_tasks
from audit.records.task import Benchmark, PartKind, Task, ToolKind
from audit.sources.resolve import resolve_source


@pytest.fixture(scope="session")
def airline(real_data: Path) -> Benchmark:
    return load_benchmark(resolve_source("tau3/airline", data_dir=real_data))


@pytest.fixture(scope="session")
def retail(real_data: Path) -> Benchmark:
    return load_benchmark(resolve_source("tau3/retail", data_dir=real_data / "tau3"))


@pytest.fixture(scope="session")
def mock_domain(real_data: Path) -> Benchmark:
    return load_benchmark(resolve_source("tau3/mock", data_dir=real_data))


def count(benchmark: Benchmark, kind: PartKind) -> int:
    return sum(part.kind is kind for task in benchmark.tasks for part in task.behavior)


def with_kind(benchmark: Benchmark, kind: PartKind) -> set[str]:
    return {task.id for task in benchmark.tasks if any(part.kind is kind for part in task.behavior)}


def size(task: Task) -> int:
    tables: dict[str, dict[str, object]] = {}
    for row in task.rows:
        tables.setdefault(row.table, {})[row.key] = row.value
    return len(json.dumps(tables, separators=(",", ":")))


def test_airline_has_the_counts_that_were_measured_on_it(airline: Benchmark) -> None:
    assert (len(airline.tasks), len(airline.tools)) == (50, 14)
    assert count(airline, PartKind.ASSERTION) == 123
    assert count(airline, PartKind.ACTION) == 142
    assert count(airline, PartKind.COMMUNICATE) == 10
    assert sum(len(task.actions or ()) for task in airline.tasks) == 142
    assert {name: len(ids) for name, ids in airline.splits.items()} == {"train": 30, "test": 20, "base": 50}
    assert len(with_kind(airline, PartKind.NO_WRITE)) == 24
    assert {action.kind for task in airline.tasks for action in task.actions or ()} == set(ToolKind) - {
        ToolKind.UNKNOWN
    }


def test_retail_has_the_counts_that_were_measured_on_it(retail: Benchmark) -> None:
    assert (len(retail.tasks), len(retail.tools)) == (114, 16)
    assert count(retail, PartKind.ASSERTION) == 61
    assert count(retail, PartKind.ACTION) == 550
    assert count(retail, PartKind.COMMUNICATE) == 61
    assert {name: len(ids) for name, ids in retail.splits.items()} == {"train": 74, "test": 40, "base": 114}
    assert len(with_kind(retail, PartKind.NO_WRITE)) == 10
    assert all(task.behavior for task in retail.tasks)


def test_rows_have_the_sizes_that_were_measured(airline: Benchmark, retail: Benchmark) -> None:
    flown, bought = ([size(task) for task in benchmark.tasks] for benchmark in (airline, retail))
    assert (round(statistics.median(flown)), round(statistics.mean(flown)), max(flown), min(flown)) == (
        7156,
        8038,
        15646,
        2106,
    )
    assert (round(statistics.median(bought)), max(bought), min(bought)) == (5668, 9695, 1168)


def test_every_task_has_exactly_one_user_and_all_that_belongs_to_it(airline: Benchmark, retail: Benchmark) -> None:
    for benchmark, owned in ((airline, "reservations"), (retail, "orders")):
        for task in benchmark.tasks:
            (user,) = [row.value for row in task.rows if row.table == "users"]
            assert isinstance(user, dict)
            listed = user[owned]
            assert isinstance(listed, list)
            assert {row.key for row in task.rows if row.table == owned} == set(listed)


def test_users_keep_every_way_to_pay(airline: Benchmark) -> None:
    for task in airline.tasks:
        for row in task.rows:
            if row.table == "users":
                assert row.value == airline.database["users"][row.key]


def test_flights_keep_only_booked_days_and_at_least_one_unless_only_the_text_names_them(airline: Benchmark) -> None:
    n_days = [
        len(row.value["dates"])
        for task in airline.tasks
        for row in task.rows
        if row.table == "flights" and isinstance(row.value, dict) and isinstance(row.value["dates"], dict)
        if row.key not in task.description_text
    ]
    assert (min(n_days), max(n_days)) == (1, 2)


def test_purposes_never_reach_a_description(airline: Benchmark) -> None:
    for task in airline.tasks:
        (purpose,) = [part.text for part in task.behavior if part.kind is PartKind.PURPOSE]
        assert purpose not in task.description_text


def test_the_known_policies_come_with_their_items(
    airline: Benchmark, retail: Benchmark, mock_domain: Benchmark
) -> None:
    assert airline.policy.name == "tau/airline"
    assert len(airline.policy.items) > 40
    assert len(retail.policy.items) > 20
    assert mock_domain.policy.no_items_reason


def test_the_pinned_revision_is_recognised(airline: Benchmark) -> None:
    assert len(airline.version) == 40
    assert airline.title == "τ³-bench: Airline customer service"


def test_hand_overs_at_the_end_are_required(retail: Benchmark) -> None:
    labels = [
        part.label
        for task in retail.tasks
        for part in task.behavior
        if part.kind is PartKind.ACTION and part.text.startswith("transfer_to")
    ]
    assert len(labels) == 4
    assert all("hand-over" in label and label.endswith("not meant literally: summary)") for label in labels)


def test_mock_keeps_tickets_earlier_messages_and_changed_records(mock_domain: Benchmark) -> None:
    assert len(mock_domain.tasks) == 10
    assert (count(mock_domain, PartKind.ACTION), count(mock_domain, PartKind.ASSERTION)) == (8, 12)
    contexts = [part for task in mock_domain.tasks for part in task.description if part.kind is PartKind.CONTEXT]
    assert len(contexts) == 8 + 2 + 1 + 2
    by_id = {task.id: task for task in mock_domain.tasks}
    changed = by_id["update_task_with_initialization_data"]
    assert {row.key for row in changed.rows} == {"task_1", "task_2", "user_1", "notifications"}
    assert "task_2" not in mock_domain.database["tasks"]
    assert [task.id for task in mock_domain.tasks if task.actions is None] != []
    assert with_kind(mock_domain, PartKind.NO_WRITE) == {"impossible_task_1"}


def test_splits_can_be_chosen_and_keep_the_corpus(airline: Benchmark) -> None:
    chosen = choose_tasks(airline, split="test", limit=5)
    assert (len(chosen.tasks), len(chosen.corpus)) == (5, 50)


@pytest.mark.parametrize(("domain", "n_tasks"), [("airline", 25), ("retail", 57)])
def test_a_task_file_published_alone_loads_with_a_database_from_elsewhere(
    real_data: Path, domain: str, n_tasks: int
) -> None:
    folder = real_data / "flaws-dev" / domain
    database = real_data / "tau3" / "domains" / domain / "db.json"
    benchmark = load_benchmark(resolve_source(str(folder), database=database))
    assert len(benchmark.tasks) == n_tasks
    assert benchmark.policy.items
    assert all(task.rows for task in benchmark.tasks)


def test_a_third_domain_loads_with_a_policy_of_another_name(real_data: Path) -> None:
    folder = real_data / "flaws-dev" / "banking_knowledge"
    benchmark = load_benchmark(resolve_source(str(folder), policy=folder / "policy_header.md"))
    assert len(benchmark.tasks) == 49
    assert benchmark.policy.name == "tau/banking-header"
    assert benchmark.policy.items


def test_the_first_set_s_tasks_under_the_second_s_name_are_refused(real_data: Path) -> None:
    with pytest.raises(LoadError, match=r"these are the tasks of tau3/airline, not of tau2/airline"):
        resolve_source("tau2/airline", data_dir=real_data / "tau3")

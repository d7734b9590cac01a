from __future__ import annotations

import json
import statistics
from collections import Counter
from pathlib import Path

import pytest

from audit.environments.registry import environment_for
from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark, PartKind, Task, ToolKind
from audit.sources.resolve import resolve_source


@pytest.fixture(scope="session")
def banking(real_data: Path) -> Benchmark:
    return load_benchmark(resolve_source("tau3/banking", data_dir=real_data))


@pytest.fixture(scope="session")
def earlier(real_data: Path) -> Benchmark:
    folder = real_data / "flaws-dev" / "banking_knowledge"
    return load_benchmark(resolve_source(str(folder), policy=folder / "policy_header.md"))


def parts(benchmark: Benchmark, kind: PartKind) -> list[str]:
    return [part.text for task in benchmark.tasks for part in (*task.description, *task.behavior) if part.kind is kind]


def size(task: Task) -> int:
    tables: dict[str, dict[str, object]] = {}
    for row in task.rows:
        tables.setdefault(row.table, {})[row.key] = row.value
    return len(json.dumps(tables, separators=(",", ":")))


def test_banking_has_the_counts_that_were_measured_on_it(banking: Benchmark) -> None:
    assert (len(banking.tasks), len(banking.tools), banking.splits) == (97, 68, {})
    assert len(parts(banking, PartKind.ACTION)) == 955
    assert len(parts(banking, PartKind.ASSERTION)) == 1
    assert len(parts(banking, PartKind.SCENARIO)) == 97
    assert max(len(task.actions or ()) for task in banking.tasks) == 37
    requestors = Counter(action.requestor for task in banking.tasks for action in task.actions or ())
    assert requestors == {"assistant": 853, "user": 102}


def test_the_folder_of_tasks_wins_over_the_file_that_is_out_of_date(banking: Benchmark, real_data: Path) -> None:
    assert len(banking.version) == 40
    stale = real_data / "tau3" / "domains" / "banking_knowledge" / "tasks.json"
    differing = {
        value["id"]
        for value in json.loads(stale.read_text(encoding="utf-8"))
        if {task.id: task.raw for task in banking.tasks}[value["id"]] != value
    }
    assert len(differing) == 13
    assert {task.origin.file for task in banking.tasks} == {f"tasks/{task.id}.json" for task in banking.tasks}


def test_calls_do_what_the_tools_do_that_they_carry(banking: Benchmark) -> None:
    calls = [action for task in banking.tasks for action in task.actions or ()]
    assert all(action.kind is not ToolKind.UNKNOWN for action in calls)
    carried = Counter(action.kind for action in calls if action.name == "call_discoverable_agent_tool")
    assert set(carried) == {ToolKind.READ, ToolKind.WRITE, ToolKind.GENERIC}
    assert all(isinstance(action.arguments["arguments"], str) for action in calls if "arguments" in action.arguments)


def test_every_task_has_a_policy_of_its_own_with_its_documents(banking: Benchmark) -> None:
    shared = banking.policy
    assert shared.text.startswith("# Rho-Bank Customer Service Policy")
    assert "<required_documents>" not in shared.text
    assert shared.files == (
        "prompts/components/policy_header.md",
        "prompts/required_docs.md",
        "prompts/components/additional_instructions.md",
    )
    for task in banking.tasks:
        wanted = task.raw["required_documents"]
        assert isinstance(wanted, list)
        assert task.policy is not None
        assert task.policy.text.startswith(shared.text)
        assert [line for line in task.policy.text.split("\n") if line.startswith("<document id=")] == [
            f'<document id="{name}">' for name in wanted
        ]
        assert task.policy.files[3:] == tuple(dict.fromkeys(f"documents/{name}.json" for name in wanted))
        assert task.policy.items == shared.items
    assert max(len(task.policy.text) for task in banking.tasks if task.policy) < 60_000


def test_only_the_documents_that_tasks_need_are_read(banking: Benchmark) -> None:
    assert sum(file.path.startswith("documents/") for file in banking.files) == 218
    assert sum(file.path.startswith("tasks/") for file in banking.files) == 97


def test_rows_are_those_of_the_user_named_and_of_what_points_to_him(banking: Benchmark) -> None:
    sizes = [size(task) for task in banking.tasks]
    assert (round(statistics.median(sizes)), max(sizes)) == (3615, 26446)
    users = Counter(sum(row.table == "users" for row in task.rows) for task in banking.tasks)
    assert users == {1: 86, 0: 8, 2: 3}
    assert not any("rows cut" in task.tags for task in banking.tasks)


def test_what_tasks_add_to_the_database_is_told_and_merged(banking: Benchmark) -> None:
    told = [
        part
        for task in banking.tasks
        for part in task.description
        if part.kind is PartKind.CONTEXT and part.origin.field == "initial_state.initialization_data.agent_data"
    ]
    assert len(told) == 35
    own = [row for task in banking.tasks for row in task.rows if row.origin.task_id == task.id]
    assert {row.origin.field.split(".")[4] for row in own} == {"data"}
    assert any(row.table == "users" for row in own)


def test_fields_that_readers_drop_change_nothing_and_stay_in_the_raw_task(banking: Benchmark) -> None:
    misplaced = [
        task
        for task in banking.tasks
        for initial in [task.raw["initial_state"]]
        if isinstance(initial, dict)
        for data in [initial["initialization_data"]]
        if isinstance(data, dict) and "users" in data
    ]
    assert len(misplaced) == 2
    for task in misplaced:
        assert all(row.origin.task_id is None for row in task.rows)
        assert any(row.table == "users" for row in task.rows)
    assert sum("persoca" in str(task.raw["user_scenario"]) for task in banking.tasks) == 1


def test_values_stay_texts(banking: Benchmark) -> None:
    amounts = [row["transaction_amount"] for row in map(dict, _rows(banking, "credit_card_transaction_history"))]
    assert all(isinstance(amount, str) and amount.lstrip("-").startswith("$") for amount in amounts)


def _rows(benchmark: Benchmark, table: str) -> list[dict[str, object]]:
    return [dict(row) for row in benchmark.database[table].values() if isinstance(row, dict)]


def test_no_environment_of_ours_replays_it(banking: Benchmark) -> None:
    assert environment_for(banking) is None


def test_the_set_as_it_was_loads_with_its_documents_in_one_file(earlier: Benchmark) -> None:
    assert len(earlier.tasks) == 49
    assert earlier.policy.files == ("policy_header.md",)
    for task in earlier.tasks:
        wanted = task.raw["required_documents"]
        assert isinstance(wanted, list)
        assert task.policy is not None
        assert task.policy.text.startswith(f"{earlier.policy.text}\n")
        assert task.policy.text.count("<document id=") == len(wanted)
        assert "documents.jsonl" in task.policy.files
    assert all(task.rows for task in earlier.tasks if "users" in {row.table for row in task.rows})

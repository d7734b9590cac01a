"""The two runs that IntellAgent published, and the counts that were measured on them by other means."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit.loaders.intellagent_pickle import read_dataset, read_graph
from audit.loaders.json_file import read_input
from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark
from audit.sources.listing import list_known
from audit.sources.resolve import resolve_source
from tests.checks.test_intellagent import RUNS


@pytest.fixture(scope="session")
def runs(real_data: Path) -> tuple[Benchmark, Benchmark]:
    first, second = (load_benchmark(resolve_source(name, data_dir=real_data)) for name in RUNS)
    return first, second


def folder(real_data: Path, number: int) -> Path:
    return real_data / "intellagent" / "airline" / f"run_{number}"


def converted(real_data: Path, number: int, name: str) -> Any:  # noqa: ANN401  # any JSON
    return json.loads((folder(real_data, number) / name).read_text(encoding="utf-8"))


def graph(real_data: Path, number: int) -> Mapping[str, Any]:
    path = folder(real_data, number) / "policies_graph" / "descriptions_generator.pickle"
    return read_graph(read_input(path, root=path.parent, role="graph"))


def test_both_runs_are_found_by_name_and_by_the_folder_of_the_run(real_data: Path) -> None:
    known = {each.name: each for each in list_known(real_data)}
    assert [known[name].n_tasks for name in RUNS] == [30, 8]
    assert all(known[name].folder for name in RUNS)
    by_folder = resolve_source("intellagent/airline/run_1", data_dir=real_data)
    assert by_folder == resolve_source(RUNS[1], data_dir=real_data / "intellagent")
    assert by_folder.version == "2680da4545b87717a8dbc869738238022ca84ee4"


@pytest.mark.parametrize("number", [0, 1])
def test_every_table_is_read_as_pandas_read_it(real_data: Path, number: int) -> None:
    (path,) = (folder(real_data, number) / "datasets").glob("*.pickle")
    events = read_dataset(read_input(path, root=path.parent, role="dataset"))
    expected = converted(real_data, number, "events.json")["events"]
    for event in expected:
        for table in event["database"].values():
            del table["dtypes"], table["index"]
    assert events == expected
    assert sum(len(event["database"]) for event in expected) == (87, 20)[number]


@pytest.mark.parametrize("number", [0, 1])
def test_the_policy_graph_is_read_as_it_was_converted(real_data: Path, number: int) -> None:
    found, expected = graph(real_data, number), converted(real_data, number, "policy_graph.json")
    assert {name: found[name] for name in ("config", "prompt", "task_description", "flows", "policies")} == {
        name: expected[name] for name in ("config", "prompt", "task_description", "flows", "policies")
    }
    assert found["graph_info"]["nodes"] == expected["graph_info"]["nodes"]
    assert sorted(found["graph_info"]["edges"]) == sorted(expected["graph_info"]["edges"])


@pytest.mark.parametrize(
    ("number", "nodes", "edges", "texts", "mean", "zeros", "scores"),
    [
        (0, 35, 595, 23, 3.75, 18, {1: 2, 2: 19, 3: 12, 4: 2}),
        (1, 31, 465, 23, 4.18, 5, {1: 3, 2: 15, 3: 10, 4: 3}),
    ],
)
def test_the_graphs_have_the_sizes_that_were_measured(  # noqa: PLR0913, PLR0917  # the measures
    real_data: Path,
    number: int,
    nodes: int,
    edges: int,
    texts: int,
    mean: float,
    zeros: int,
    scores: Mapping[int, int],
) -> None:
    found = graph(real_data, number)
    info = found["graph_info"]
    weights = [edge[2] for edge in info["edges"]]
    assert (len(found["flows"]), len(info["nodes"]), len(info["edges"])) == (4, nodes, edges)
    assert len({node["policy"] for node in info["nodes"]}) == texts
    assert (round(statistics.mean(weights), 2), weights.count(0)) == (mean, zeros)
    assert Counter(node["score"] for node in info["nodes"]) == scores


def test_descriptions_behaviors_and_scenarios_have_the_lengths_that_were_measured(
    runs: tuple[Benchmark, Benchmark],
) -> None:
    def lengths(benchmark: Benchmark, *names: str) -> tuple[float, ...]:
        found = []
        for task in benchmark.tasks:
            value: Any = task.raw
            for name in names:
                value = value[name]
            found.append(len(value.split()))
        return (min(found), statistics.median(found), max(found))

    assert [lengths(run, "description", "event_description") for run in runs] == [(48, 81, 160), (57, 73.5, 113)]
    assert [lengths(run, "description", "expected_behaviour") for run in runs] == [(69, 120, 205), (84, 109.5, 143)]
    assert [lengths(run, "scenario") for run in runs] == [(22, 69, 120), (57, 72, 119)]


def test_events_have_the_policies_tables_and_shown_rows_that_were_counted(runs: tuple[Benchmark, Benchmark]) -> None:
    policies = [[len(task.raw["description"]["policies"]) for task in run.tasks] for run in runs]  # type: ignore[index, call-overload, arg-type]  # JSON of a known shape
    assert [(min(found), statistics.median(found), max(found)) for found in policies] == [(2, 4, 5), (2, 3.5, 5)]
    assert [sum(any(row.table == "reservations" for row in task.rows) for task in run.tasks) for run in runs] == [27, 4]
    assert [sum("relevant_rows" in task.raw for task in run.tasks) for run in runs] == [0, 8]
    assert all(isinstance(task.raw["relevant_rows"], list) for task in runs[1].tasks)


def test_the_policy_is_the_one_generated_with_and_has_the_items_of_its_text(runs: tuple[Benchmark, Benchmark]) -> None:
    for run in runs:
        assert run.policy.name == "tau1/airline"
        assert len(run.policy.items) == 50
        assert [other.name for other in run.other_policies] == ["the environment's policy as it is today"]
        assert run.title.endswith("generated with gpt-4o")
        assert (run.style, run.author_family) == ("workflow", "openai")


def test_times_are_shown_as_dates(runs: tuple[Benchmark, Benchmark]) -> None:
    created = [
        row.value["created_at"]
        for task in runs[0].tasks
        for row in task.rows
        if row.table == "reservations" and isinstance(row.value, dict)
    ]
    assert len(created) == 48
    assert Counter(created).most_common(1) == [("2024-05-02T03:10:19", 47)]


def test_the_dialogs_of_the_experiment_are_counted(runs: tuple[Benchmark, Benchmark]) -> None:
    (found,) = runs[0].experiments
    assert (found.n_dialogs, found.n_success, found.n_failure, found.n_open) == (30, 5, 20, 5)
    assert runs[1].experiments == ()


@pytest.mark.parametrize("domain", ["airline", "retail", "education"])
def test_todays_documents_have_items_of_their_own(real_data: Path, domain: str) -> None:
    document = real_data / "intellagent" / domain / "input" / "wiki.md"
    source = resolve_source(RUNS[1], data_dir=real_data, policy=document)
    policy = load_benchmark(source).policy
    assert policy.name == f"intellagent/{domain}"
    assert len(policy.items) == {"airline": 50, "retail": 39, "education": 6}[domain]

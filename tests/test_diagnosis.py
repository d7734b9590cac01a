from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from audit import diagnosis, inspection
from audit.records.check import CheckResult
from audit.records.task import Benchmark, Twin
from audit.records.verdict import VerdictState
from tests.reports import runs


def sample() -> tuple[Benchmark, Path]:
    places = inspection.Places()
    return inspection.load("sample/library", places), inspection.find_source("sample/library", places).root


def test_gold_replays_have_an_entry_for_each_action_and_say_what_fails() -> None:
    benchmark, _ = sample()
    replays = diagnosis.replay_gold(benchmark)
    assert {id_: len(calls) for id_, calls in replays.items()} == {
        task.id: len(task.actions or ()) for task in benchmark.tasks
    }
    assert [call.error for call in replays["lib_03"]].count("unavailable") == 1
    assert any(call.changed for calls in replays.values() for call in calls)


def test_nothing_is_replayed_without_an_environment() -> None:
    benchmark, _ = sample()
    assert diagnosis.replay_gold(benchmark, inspection.CheckOptions(environment="none")) == {}
    assert diagnosis.replay_gold(runs.benchmark(runs.task(0))) == {}


def test_a_judges_low_scores_are_among_the_findings_of_a_judged_run() -> None:
    benchmark, root = sample()
    low = runs.verdict(benchmark.tasks[0].id, score=2.0)
    lost = runs.verdict(benchmark.tasks[1].id, state=VerdictState.TIMEOUT)
    made = diagnosis.diagnose(runs.result(benchmark, verdicts=(low, lost)), root=root)
    assert made.checked is not None
    judged = [found for found in made.checked.findings if found.rule == "judged-desc-alignment"]
    assert [found.task_id for found in judged] == [benchmark.tasks[0].id]
    assert {"judged-desc-alignment", "gold-write-fails"} <= made.checked.rule_by_id.keys()


def test_findings_alone_make_a_run_that_measured_nothing() -> None:
    benchmark, root = sample()
    checked = inspection.check_benchmark(benchmark, root=root)
    alone = diagnosis.without_scores(checked, "sample/library")
    assert (alone.scores, alone.verdicts, alone.settings.metrics) == ((), (), ())
    assert alone.checked is checked
    assert alone.replays
    assert alone.is_complete


def look(benchmark: Benchmark, root: Path) -> CheckResult:
    checked = diagnosis.diagnose(runs.result(benchmark, verdicts=()), root=root).checked
    assert checked is not None
    return checked


def test_what_is_kept_says_the_same_as_what_was_found() -> None:
    benchmark, root = sample()
    found, kept = look(benchmark, root), look(benchmark, root)
    fresh = inspection.check_benchmark(benchmark, root=root)
    assert kept.findings == found.findings
    assert set(fresh.findings) <= set(kept.findings)
    assert (kept.paths, kept.environment, kept.unchecked) == (fresh.paths, fresh.environment, fresh.unchecked)


def test_a_twin_that_changed_is_looked_at_again() -> None:
    benchmark, root = sample()
    first = benchmark.tasks[0].id
    twin = Twin("tasks.json", {first: {"id": first, "user_scenario": "x"}})
    look(replace(benchmark, twin=twin), root)
    changed = replace(twin, entries={first: {"id": first, "user_scenario": "y"}})
    look(replace(benchmark, twin=changed), root)
    assert len(list((Path(os.environ["BENCH_AUDIT_CACHE"]) / "kept").iterdir())) == 2


def test_nothing_is_kept_of_a_format_whose_reader_is_not_ours() -> None:
    benchmark, root = sample()
    look(replace(benchmark, format="a-plugin"), root)
    assert not (Path(os.environ["BENCH_AUDIT_CACHE"]) / "kept").exists()

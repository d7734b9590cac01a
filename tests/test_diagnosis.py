from __future__ import annotations

from pathlib import Path

from audit import diagnosis, inspection
from audit.records.task import Benchmark
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

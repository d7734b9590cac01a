"""Several benchmarks in one run: what is the same question is asked once."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import pipeline
from audit.judges.panel import Panel, PanelOptions, make_panel
from audit.judges.progress import recount
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.records.run import Settings
from audit.records.task import Benchmark
from audit.records.verdict import VerdictState
from audit.store import Store
from tests.builders import benchmark, task
from tests.servers.outcomes import refuse
from tests.servers.vendors import VendorServer

METRICS = ("desc_alignment", "violation_count")


def sets() -> list[Benchmark]:
    first = [task(id=f"t{n}", description=f"You want thing {n}.") for n in range(4)]
    second = [*first[:3], task(id="t3", description="You want something else.")]
    return [benchmark(*first, name="one"), benchmark(*second, name="two")]


def settings(**fields: object) -> Settings:
    return Settings("x", ("j",), METRICS, pipeline.choose_behavior(()), **fields)  # type: ignore[arg-type]  # any field


@pytest.fixture
def panel(server: VendorServer) -> Panel:
    return make_panel([server.judge()], PanelOptions(n_retries=0))


def test_equal_questions_of_two_benchmarks_are_asked_once(panel: Panel, server: VendorServer, tmp_path: Path) -> None:
    with Store(tmp_path / "v.sqlite3") as store:
        planned = pipeline.plan_runs(sets(), settings(), panel=panel, store=store)
        first, second = pipeline.score_benchmarks(sets(), settings(), panel=panel, store=store)

    assert (planned[0].planned, planned[0].to_ask) == (16, 10)
    assert len(server.requests) == 10
    assert [each.settings.benchmark for each in (first, second)] == ["one", "two"]
    assert [verdict.task_id for verdict in second.verdicts] == ["t0", "t1", "t2", "t3"] * 2
    assert all(verdict.is_ok for verdict in (*first.verdicts, *second.verdicts))
    assert (first.tally.asked, first.tally.stored) == (8, 0)
    assert (second.tally.asked, second.tally.stored) == (2, 6)
    assert second.scores[0].value == 7


def test_a_refusal_stands_for_every_equal_question(panel: Panel, server: VendorServer, tmp_path: Path) -> None:
    server.always(refuse())
    with Store(tmp_path / "v.sqlite3") as store:
        first, second = pipeline.score_benchmarks(sets(), settings(), panel=panel, store=store)

    assert len(server.requests) == 10
    assert {verdict.state for verdict in second.verdicts} == {VerdictState.REFUSED}
    assert (first.is_complete, second.is_complete) == (False, False)


def test_fresh_verdicts_are_asked_once_too(panel: Panel, server: VendorServer, tmp_path: Path) -> None:
    with Store(tmp_path / "v.sqlite3") as store:
        pipeline.score_benchmarks(sets(), settings(), panel=panel, store=store)
    server.requests.clear()
    again = make_panel([server.judge()], PanelOptions(n_retries=0))
    with Store(tmp_path / "v.sqlite3") as store:
        pipeline.score_benchmarks(sets(), settings(is_fresh=True), panel=again, store=store)

    assert len(server.requests) == 10


def test_answers_are_taken_apart_model_by_model() -> None:
    one, two = sets()
    questions = Questions(one, (JUDGES["desc_alignment"],), more=(Questions(two, (JUDGES["desc_alignment"],)),))

    parts = questions.split([f"{model}{number}" for model in "ab" for number in range(8)])
    assert parts == (("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"), ("a4", "a5", "a6", "a7", "b4", "b5", "b6", "b7"))


def test_without_judges_every_benchmark_is_scored_offline(tmp_path: Path) -> None:
    alone = Settings("x", (), (pipeline.OFFLINE,), pipeline.choose_behavior(()))
    with Store(tmp_path / "v.sqlite3") as store:
        results = pipeline.score_benchmarks(sets(), alone, panel=Panel(), store=store)

    assert [result.settings.benchmark for result in results] == ["one", "two"]
    assert all(verdict.state is VerdictState.UNDEFINED for result in results for verdict in result.verdicts)


def test_the_account_of_no_verdicts_is_empty() -> None:
    assert recount(()).planned == 0

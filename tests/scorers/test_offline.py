from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, Json, Origin, PartKind, Row
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.scorers.offline import LEAST_DESCRIPTIONS, SCORER_VERSION, OfflineScorer
from audit.scorers.registry import SCORERS
from scripts.measure_offline import auroc, derangements, load, swap, swappable, whole_swap
from tests.builders import part
from tests.scorers.studio import N_TASKS, call, studio

SCORER = OfflineScorer()


def _scores(benchmark: Benchmark) -> list[float]:
    return [verdict.score for verdict in SCORER.score(benchmark) if verdict.score is not None]


def _verdict(benchmark: Benchmark, task_id: str) -> Verdict:
    return next(verdict for verdict in SCORER.score(benchmark) if verdict.task_id == task_id)


def _with_task(benchmark: Benchmark, **fields: Any) -> Benchmark:  # noqa: ANN401  # any field of the first task
    tasks = (replace(benchmark.tasks[0], **fields), *benchmark.tasks[1:])
    return replace(benchmark, tasks=tasks, corpus=tasks)


def test_every_verdict_is_an_offline_score_in_range_with_reasons() -> None:
    verdicts = SCORER.score(studio())
    assert [verdict.task_id for verdict in verdicts] == [f"t{number}" for number in range(N_TASKS)]
    for verdict in verdicts:
        assert (verdict.criterion, verdict.judge, verdict.trust) == ("offline_match", "offline", Trust.OFFLINE)
        assert verdict.is_ok
        assert verdict.model == SCORER_VERSION
        assert verdict.score is not None
        assert 0 <= verdict.score <= 1
        assert 2 <= len(verdict.reasons) <= 4


def test_swapped_behaviors_score_lower_than_true_ones() -> None:
    true = _scores(studio())
    for order in derangements(N_TASKS, n_draws=5, seed=1):
        swapped = _scores(swap(studio(), order))
        assert auroc(true, swapped) > 0.99
        assert np.mean(swapped) < np.mean(true) - 0.5


def test_one_swapped_pair_scores_lowest_of_its_benchmark() -> None:
    benchmark = swap(studio(), np.array([1, 0, *range(2, N_TASKS)]))
    ranked = sorted(SCORER.score(benchmark), key=lambda verdict: verdict.score or 0.0)
    assert {verdict.task_id for verdict in ranked[:2]} == {"t0", "t1"}


def test_the_same_benchmark_gives_the_same_verdicts() -> None:
    assert SCORER.score(studio()) == OfflineScorer().score(studio())


def test_the_order_of_tasks_changes_no_score() -> None:
    benchmark = studio()
    tasks = tuple(benchmark.tasks[number] for number in np.random.default_rng(3).permutation(N_TASKS))
    shuffled = {verdict.task_id: verdict for verdict in SCORER.score(replace(benchmark, tasks=tasks, corpus=tasks))}
    for verdict in SCORER.score(benchmark):
        assert shuffled[verdict.task_id].score == pytest.approx(verdict.score, abs=2e-6)
        assert shuffled[verdict.task_id].reasons == verdict.reasons


def test_chosen_tasks_are_contrasted_with_the_whole_benchmark() -> None:
    benchmark = studio()
    few = SCORER.score(replace(benchmark, tasks=benchmark.tasks[3:5]))
    assert [verdict.task_id for verdict in few] == ["t3", "t4"]
    all_of_them = {verdict.task_id: verdict.score for verdict in SCORER.score(benchmark)}
    assert [verdict.score for verdict in few] == pytest.approx([all_of_them["t3"], all_of_them["t4"]], abs=2e-6)


def test_a_task_that_was_changed_after_loading_is_scored_as_it_is_now() -> None:
    benchmark = studio()
    stale = replace(swap(benchmark, derangements(N_TASKS, n_draws=1, seed=2)[0]), corpus=benchmark.corpus)
    assert max(_scores(stale)) < min(_scores(benchmark))


def test_without_a_database_words_are_compared_alone_and_the_reasons_say_so() -> None:
    true = studio(with_database=False)
    order = derangements(N_TASKS, n_draws=1, seed=4)[0]
    assert auroc(_scores(true), _scores(swap(true, order))) > 0.9
    assert SCORER.score(true)[0].reasons[0] == "There is no database: only words were compared."


def test_a_tasks_own_rows_are_its_database_where_there_is_no_other() -> None:
    own = Row("bookings", "#B5000", {"booking_id": "#B5000", "email": "ann@mail.test"}, Origin("events", "rows"))
    texts = {
        "description": (part("Your e-mail address is ann@mail.test and you call about a booking."),),
        "behavior": (part("Cancel #B5000", PartKind.PROSE),),
    }
    benchmark = _with_task(studio(with_database=False), rows=(own,), actions=None, **texts)
    assert _verdict(benchmark, "t0").reasons[0].startswith("1 of 1 id in the expected behavior can be reached")
    assert _verdict(benchmark, "t1").reasons[0] == "There is no database: only words were compared."


def test_a_behavior_without_ids_is_scored_by_its_words_and_the_reasons_say_so() -> None:
    benchmark = _with_task(studio(), actions=())
    assert _verdict(benchmark, "t0").reasons[0].startswith("The expected behavior names no id of the database")
    assert _verdict(benchmark, "t0").is_ok


def test_a_behavior_whose_words_no_description_holds_is_scored_by_its_ids() -> None:
    odd = part("#B5000", PartKind.ASSERTION)
    tables: dict[str, dict[str, Json]] = {"bookings": {"#B5000": {}}}
    benchmark = replace(_with_task(studio(), behavior=(odd,), actions=()), database=tables)
    verdict = _verdict(benchmark, "t0")
    assert verdict.score == 0.0
    assert verdict.reasons[-1] == "No word of the expected behavior has weight here: only ids were compared."


def test_ids_that_the_description_does_not_lead_to_are_named() -> None:
    wrong = tuple(call("get_booking", booking_id=f"#B{number}") for number in range(5030, 5037))
    verdict = _verdict(_with_task(studio(), actions=wrong), "t0")
    assert verdict.reasons[0].startswith("0 of 7 ids in the expected behavior")
    assert verdict.reasons[1] == "Not reached: #B5030, #B5031, #B5032, #B5033, #B5034 and 2 more."


def test_ids_that_no_table_has_are_named() -> None:
    actions = (call("get_booking", booking_id="#B9999"), *studio().tasks[0].actions)  # type: ignore[misc]
    verdict = _verdict(_with_task(studio(), actions=actions), "t0")
    assert verdict.reasons[0].startswith("3 of 4 ids")
    assert verdict.reasons[1] == "In no table of the database: #B9999."
    assert verdict.score is not None
    assert verdict.score < (_verdict(studio(), "t0").score or 0.0)


def test_an_id_that_no_table_has_but_the_description_names_counts_as_reached() -> None:
    actions = (call("get_booking", booking_id="#B9999"), *studio().tasks[0].actions)  # type: ignore[misc]
    described = (*studio().tasks[0].description, part("It is booking B9999."))
    verdict = _verdict(_with_task(studio(), actions=actions, description=described), "t0")
    assert verdict.reasons[0].startswith("4 of 4 ids")


def test_the_purpose_moves_no_score_unless_it_is_chosen() -> None:
    benchmark = studio()
    told = replace(
        benchmark,
        tasks=tuple(
            replace(task, behavior=(*task.behavior, part(f"purpose {n} {task.description_text}", PartKind.PURPOSE)))
            for n, task in enumerate(benchmark.tasks)
        ),
        corpus=(),
    )
    assert SCORER.score(told) == SCORER.score(benchmark)
    chosen = OfflineScorer(SCORER.behavior | {PartKind.PURPOSE})
    assert chosen.score(told) != SCORER.score(told)


def test_a_task_without_expected_behavior_is_undefined() -> None:
    verdict = _verdict(_with_task(studio(), behavior=(), actions=None), "t0")
    assert (verdict.state, verdict.score) == (VerdictState.UNDEFINED, None)
    assert verdict.problem == "the task has no expected behavior to compare"


def test_a_task_without_description_is_undefined() -> None:
    verdict = _verdict(_with_task(studio(), description=(part(" "),)), "t0")
    assert (verdict.state, verdict.problem) == (VerdictState.UNDEFINED, "the task has no description to compare")


def test_a_task_whose_behavior_shares_nothing_comparable_is_undefined() -> None:
    verdict = _verdict(_with_task(studio(), behavior=(part("4", PartKind.COMMUNICATE),), actions=()), "t0")
    assert verdict.state is VerdictState.UNDEFINED
    assert "no id" in verdict.problem


@pytest.mark.parametrize(("n_tasks", "is_defined"), [(LEAST_DESCRIPTIONS - 1, False), (LEAST_DESCRIPTIONS, True)])
def test_every_task_is_undefined_below_the_least_number_of_descriptions(n_tasks: int, *, is_defined: bool) -> None:
    verdicts = SCORER.score(studio(n_tasks))
    assert {verdict.is_ok for verdict in verdicts} == {is_defined}
    assert all(("19 distinct descriptions" in verdict.problem) is not is_defined for verdict in verdicts)


def test_descriptions_that_say_the_same_count_once() -> None:
    benchmark = studio()
    same = tuple(replace(task, description=benchmark.tasks[0].description) for task in benchmark.tasks[:15])
    tasks = (*same, *benchmark.tasks[15:])
    problems = {verdict.problem for verdict in SCORER.score(replace(benchmark, tasks=tasks, corpus=tasks))}
    assert problems == {"the benchmark has 16 distinct descriptions, and a contrast needs 20"}


def test_a_benchmark_without_tasks_has_no_verdicts() -> None:
    assert SCORER.score(replace(studio(), tasks=(), corpus=())) == ()


def test_the_scorer_says_in_one_sentence_what_it_cannot_see() -> None:
    scorer = SCORERS["offline"](DEFAULT_BEHAVIOR)
    assert scorer.limits.count(".") == 1
    assert "policy" in scorer.limits
    assert scorer.criterion == "offline_match"


def test_the_version_names_the_rule_and_the_parts_that_are_read() -> None:
    rule, code, *parts = OfflineScorer(frozenset({PartKind.ASSERTION, PartKind.ACTION})).version.split(":")
    assert (rule, parts) == (SCORER_VERSION, ["actions", "nl"])
    assert len(code) == 16


def test_importing_the_scorer_loads_no_numerics_beyond_numpy() -> None:
    program = "import sys, audit.scorers.registry; print({'scipy', 'sklearn', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_real_swaps_are_told_from_true_pairs(domain: str, real_data: Path) -> None:
    benchmark = swappable(load(real_data / "tau3", domain), SCORER)
    orders = derangements(len(benchmark.tasks), n_draws=20, seed=0)
    assert np.mean(whole_swap(SCORER, benchmark, orders)) >= 0.97

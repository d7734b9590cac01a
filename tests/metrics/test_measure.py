"""Every metric of every judge."""

from __future__ import annotations

import random

import pytest

from audit.errors import UsageError
from audit.metrics.measure import measure_all, spawn_rng
from audit.metrics.registry import JUDGED_METRICS, METRICS
from audit.records.score import Score
from audit.records.verdict import Trust, Verdict, VerdictState
from tests.builders import verdict
from tests.metrics.verdicts import lost, scored, tasks_of, violating

JUDGES = ("openai:gpt-5", "google:gemini-2.0-flash")
WHOLE = tasks_of(6)


def run_of(*judges: str) -> list[Verdict]:
    rng = random.Random(3)
    verdicts: list[Verdict] = []
    for judge in judges:
        for criterion in ("desc_alignment", "policy_alignment"):
            scores = {task.id: float(rng.randint(1, 10)) for task in WHOLE.tasks}
            verdicts += scored(scores, judge=judge, criterion=criterion)
        sets = {task.id: rng.sample(["P01", "P02", "P03"], k=rng.randint(0, 3)) for task in WHOLE.tasks}
        verdicts += violating(sets, judge=judge)
    return verdicts


def offline(*scores: float) -> list[Verdict]:
    return [
        verdict(f"t{number}", score=score, criterion="offline_match", judge="offline", trust=Trust.OFFLINE)
        for number, score in enumerate(scores, 1)
    ]


def measured(verdicts: list[Verdict], *judges: str, seed: int = 0) -> tuple[Score, ...]:
    return measure_all(WHOLE, verdicts, metrics=tuple(METRICS), judges=judges, seed=seed)


def test_scores_come_metric_by_metric_and_judge_by_judge() -> None:
    found = [(score.metric, score.judge) for score in measured(run_of(*JUDGES), *JUDGES)]

    assert found[:6] == [
        (metric, judge) for metric in ("desc_alignment", "policy_alignment", "violation_count") for judge in JUDGES
    ]
    assert found[6:] == [(f"violation_coverage@{k}", judge) for judge in JUDGES for k in (1, 2, 3, 4, 5)]


def test_the_order_of_verdicts_and_the_repetition_of_names_change_nothing() -> None:
    verdicts = run_of(*JUDGES)
    shuffled = random.Random(1).sample(verdicts, k=len(verdicts))
    twice = measure_all(WHOLE, shuffled, metrics=(*METRICS, *METRICS), judges=(*JUDGES, *JUDGES), seed=0)

    assert twice == measured(verdicts, *JUDGES)


def test_one_more_judge_moves_no_other_judges_interval() -> None:
    verdicts = run_of(*JUDGES)
    alone = measured(verdicts, JUDGES[0])
    both = measured(verdicts, *JUDGES)

    assert alone == tuple(score for score in both if score.judge == JUDGES[0])


def test_the_seed_moves_intervals_and_no_value() -> None:
    first, second = (measured(run_of(JUDGES[0]), JUDGES[0], seed=seed) for seed in (0, 1))

    assert [score.value for score in first] == [score.value for score in second]
    assert [score.interval for score in first] != [score.interval for score in second]


def test_each_metric_and_judge_draws_from_its_own_stream() -> None:
    draws = {
        spawn_rng(seed, metric=metric, judge=judge).integers(2**32)
        for seed in (0, 1)
        for metric in ("violation_count", "desc_alignment")
        for judge in JUDGES
    }

    assert len(draws) == 8


def test_without_a_judge_the_judged_metrics_are_not_applicable_and_not_missing() -> None:
    *judged, match = measured(offline(0.5, 0.75, 1, 1, 1, 1))

    assert [score.metric for score in judged] == [
        "desc_alignment",
        "policy_alignment",
        "violation_count",
        "violation_coverage@1",
    ]
    for score in judged:
        assert (score.value, score.is_applicable, score.reason) == (None, False, "needs a judge")
        assert (score.judge, score.n_used, score.n_missing, score.n_verdicts_missing) == ("", 0, 0, 0)
    assert (match.metric, match.judge, match.trust, match.value) == ("offline_match", "offline", Trust.OFFLINE, 0.875)


def test_the_offline_match_is_measured_even_if_the_chosen_metrics_leave_it_out() -> None:
    scores = measure_all(WHOLE, offline(*[0.5] * 6), metrics=JUDGED_METRICS, judges=(), seed=0)

    assert [score.metric for score in scores][-1] == "offline_match"


def test_with_judges_the_offline_match_appears_only_if_it_was_made() -> None:
    assert not [score for score in measured(run_of(*JUDGES), *JUDGES) if score.metric == "offline_match"]


def test_without_judge_and_without_offline_verdicts_the_match_is_missing() -> None:
    match = measured([])[-1]

    assert (match.metric, match.value, match.n_missing, match.is_applicable) == ("offline_match", None, 6, True)


def test_an_undefined_offline_match_says_why() -> None:
    ids = [task.id for task in WHOLE.tasks]
    verdicts = lost(
        *ids,
        state=VerdictState.UNDEFINED,
        judge="offline",
        criterion="offline_match",
        problem="6 distinct descriptions; 20 are needed",
    )
    match = measured(verdicts)[-1]

    assert (match.value, match.n_missing, match.reason) == (None, 0, "6 distinct descriptions; 20 are needed")


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="no metric 'fairness'"):
        measure_all(WHOLE, [], metrics=("fairness",), judges=JUDGES, seed=0)

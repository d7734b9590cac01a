"""Several judges as one panel."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from audit.families import model_family
from audit.metrics.panel import measure_panel
from audit.metrics.registry import METRICS
from audit.records.panel import Agreement, AgreementStatistic, PanelResult
from audit.records.task import Benchmark
from audit.records.verdict import Trust, Verdict, VerdictState
from tests.metrics.verdicts import lost, scored, tasks_of, violating

OPENAI, ANTHROPIC, GOOGLE = JUDGES = ("openai:gpt-5.4", "anthropic:claude-sonnet-4-5", "google:gemini-2.0-flash")
IDS = ("t1", "t2", "t3", "t4")


def points(judge: str, *scores: float) -> list[Verdict]:
    return scored(dict(zip(IDS, scores, strict=False)), judge=judge)


def items(judge: str, *sets: str) -> list[Verdict]:
    return violating({id_: found.split() for id_, found in zip(IDS, sets, strict=False)}, judge=judge)


POINTS = [*points(OPENAI, 10, 8, 6, 9), *points(ANTHROPIC, 9, 8, 3, 9), *points(GOOGLE, 4, 7, 5, 9)]
SETS = [
    *items(OPENAI, "P01 P02", "P03", "", ""),
    *items(ANTHROPIC, "P01", "P03", "", ""),
    *items(GOOGLE, "P02", "P03", "P09", ""),
]


def panel(
    verdicts: list[Verdict],
    *,
    judges: tuple[str, ...] = JUDGES,
    metrics: tuple[str, ...] = ("desc_alignment",),
    whole: Benchmark | None = None,
    seed: int = 0,
) -> PanelResult:
    return measure_panel(whole or tasks_of(4), verdicts, metrics=metrics, judges=judges, seed=seed)


def statistic(result: PanelResult, first: str, second: str, name: AgreementStatistic) -> Agreement:
    (found,) = (each for each in result.agreements if each.judges == (first, second) and each.statistic is name)
    return found


def test_a_panel_score_is_the_mean_of_the_judges_medians() -> None:
    (score,) = panel(POINTS).scores

    assert (score.judge, score.metric) == ("panel (median of 3)", "desc_alignment")
    assert score.by_task == {"t1": 9.0, "t2": 8.0, "t3": 5.0, "t4": 9.0}
    assert score.value == 31 / 4
    assert (score.n_used, score.n_missing, score.reason) == (4, 0, "")
    assert score.interval is not None


def test_a_panel_counts_medians_and_covers_what_most_judges_name() -> None:
    result = panel(SETS, metrics=("violation_count", "violation_coverage"))
    count, at_one, at_two, *_ = result.scores

    assert (count.metric, count.by_task) == ("violation_count", {"t1": 1.0, "t2": 1.0, "t3": 0.0, "t4": 0.0})
    assert (at_one.metric, at_one.value, at_two.value) == ("violation_coverage@1", 0.3, 0.0)
    assert [task.violated for task in result.tasks] == [("P01", "P02"), ("P03",), (), ()]


def test_every_metric_but_the_offline_match_has_a_panel_score() -> None:
    result = panel([*POINTS, *SETS], metrics=tuple(METRICS))

    assert [score.metric for score in result.scores] == [
        "desc_alignment",
        "policy_alignment",
        "violation_count",
        *(f"violation_coverage@{k}" for k in (1, 2, 3, 4, 5)),
    ]


def test_a_judge_that_fails_on_half_the_tasks_leaves_the_panel_standing_and_is_told() -> None:
    verdicts = [*POINTS[:8], *points(GOOGLE, 4, 7), *lost("t3", "t4", judge=GOOGLE, state=VerdictState.OVERLOADED)]
    (score,) = panel(verdicts).scores

    assert score.by_task == {"t1": 9.0, "t2": 8.0, "t3": 4.5, "t4": 9.0}
    assert (score.n_missing, score.n_verdicts_missing, score.missing) == (0, 2, {"overloaded": 2})
    assert score.reason == "some verdicts missing on 2 of the 4 tasks used; missing verdicts: 2 turned away (overload)"


def test_one_judge_alone_never_speaks_for_the_panel() -> None:
    verdicts = [*points(OPENAI, 10, 8, 6, 9), *points(ANTHROPIC, 9), *lost("t2", "t3", "t4", judge=ANTHROPIC)]
    result = panel(verdicts, judges=(OPENAI, ANTHROPIC))
    (score,) = result.scores

    assert (result.quorum, result.name) == (2, "panel (median of 2)")
    assert (score.by_task, score.n_missing) == ({"t1": 9.5}, 3)
    assert score.reason.startswith("verdicts of fewer than 2 judges on 3 of 4 tasks, left out of the value")
    assert score.bounds is not None
    assert [task.median for task in result.tasks] == [9.5, None, None, None]


@pytest.mark.parametrize(("n_judges", "quorum"), [(2, 2), (3, 2), (4, 3), (5, 3)])
def test_the_quorum_is_more_than_half_of_the_judges(n_judges: int, quorum: int) -> None:
    assert panel(POINTS, judges=tuple(f"openai:m{number}" for number in range(n_judges))).quorum == quorum


def test_tasks_where_judges_part_come_widest_first() -> None:
    parted = panel(POINTS).parted

    assert [(task.task_id, task.spread) for task in parted] == [("t1", 6.0), ("t3", 3.0)]
    assert parted[0].value_by_judge == {OPENAI: 10.0, ANTHROPIC: 9.0, GOOGLE: 4.0}


def test_a_spread_of_three_points_between_means_of_trials_is_three_points() -> None:
    verdicts = [
        *(each for trial, score in enumerate((8, 7, 7)) for each in scored({"t1": score}, judge=OPENAI, trial=trial)),
        *(each for trial, score in enumerate((4, 4, 5)) for each in scored({"t1": score}, judge=GOOGLE, trial=trial)),
    ]

    assert [task.spread for task in panel(verdicts, judges=(OPENAI, GOOGLE)).parted] == [3.0]


def test_judges_part_where_their_violated_items_differ() -> None:
    parted = panel(SETS, metrics=("violation_count",)).parted

    assert [(task.task_id, task.spread) for task in parted] == [("t1", 2.0), ("t3", 1.0)]
    assert parted[0].violated_by_judge == {OPENAI: ("P01", "P02"), ANTHROPIC: ("P01",), GOOGLE: ("P02",)}


def test_a_single_judge_can_not_part_from_itself() -> None:
    assert panel(points(OPENAI, 10, 1)).parted == ()
    assert panel(items(OPENAI, "P01"), metrics=("violation_count",)).parted == ()


def test_pairs_of_judges_agree_as_worked_out_by_hand() -> None:
    result = panel(POINTS)
    tau = statistic(result, OPENAI, ANTHROPIC, AgreementStatistic.KENDALL_TAU_B)

    # Of six pairs of tasks five are in the same order, and the second judge ties t1 with t4.
    assert tau.value == pytest.approx(5 / sqrt(6 * 5))
    assert tau.n == 4
    assert statistic(result, OPENAI, ANTHROPIC, AgreementStatistic.EXACT_MATCH).value == 0.5
    assert statistic(result, OPENAI, ANTHROPIC, AgreementStatistic.MEAN_ABSOLUTE_DIFFERENCE).value == 1.0
    assert {each.judges for each in result.agreements} == {(OPENAI, ANTHROPIC), (OPENAI, GOOGLE), (ANTHROPIC, GOOGLE)}


def test_violations_are_compared_as_sets_and_as_counts() -> None:
    result = panel(SETS, metrics=("violation_coverage",))
    jaccard = statistic(result, OPENAI, GOOGLE, AgreementStatistic.JACCARD)

    assert jaccard.value == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert jaccard.n == 3
    # On t1 both name one item, yet not the same.
    assert statistic(result, ANTHROPIC, GOOGLE, AgreementStatistic.EXACT_MATCH).value == 0.5
    assert statistic(result, OPENAI, GOOGLE, AgreementStatistic.MEAN_ABSOLUTE_DIFFERENCE).value == 0.5


def test_agreement_that_does_not_exist_says_why() -> None:
    constant = panel([*points(OPENAI, 10, 10, 10), *points(GOOGLE, 1, 2, 3)], judges=(OPENAI, GOOGLE))
    few = panel([*points(OPENAI, 10, 9), *points(GOOGLE, 1, 2)], judges=(OPENAI, GOOGLE))

    tau = statistic(constant, OPENAI, GOOGLE, AgreementStatistic.KENDALL_TAU_B)
    assert (tau.value, tau.reason) == (None, "constant ratings: one judge rates every task 10")
    assert {each.value for each in few.agreements} == {None}
    assert {each.reason for each in few.agreements} == {"2 tasks rated by both; agreement needs 3"}


def test_judges_of_the_authors_family_are_flagged() -> None:
    written = replace(tasks_of(4), author_family="Anthropic")

    assert panel(POINTS, whole=written).same_family == (ANTHROPIC,)
    assert panel(POINTS).same_family == ()
    assert panel(POINTS).family_by_judge == {OPENAI: "openai", ANTHROPIC: "anthropic", GOOGLE: "google"}


@pytest.mark.parametrize(
    ("judge", "family"),
    [
        ("openai:gpt-5.4", "openai"),
        ("openai:o3-mini", "openai"),
        ("openai:ft-of-ours", "openai"),
        ("openai:ft-of-ours@http://127.0.0.1:8080/v1", None),
        ("openai:Qwen/Qwen3-8B@http://127.0.0.1:8080/v1", "alibaba"),
        ("openai:anthropic/claude-sonnet-4-5@https://proxy.test/v1", "anthropic"),
        ("google:gemini-2.0-flash", "google"),
        ("scripted:strict", None),
    ],
)
def test_a_judges_family_is_told_by_its_model_and_only_then_by_its_vendor(judge: str, family: str | None) -> None:
    assert model_family(judge) == family


def test_a_scripted_judge_labels_the_panel() -> None:
    scripted = [replace(each, trust=Trust.SCRIPTED) for each in points("scripted:kind", 9, 9, 9, 9)]

    assert panel([*POINTS, *scripted], judges=(*JUDGES, "scripted:kind")).scores[0].trust is Trust.SCRIPTED


def test_a_panel_is_the_same_for_the_same_seed_whatever_the_order_of_verdicts() -> None:
    assert panel(POINTS[::-1]) == panel(POINTS)


def test_one_judge_is_no_panel() -> None:
    with pytest.raises(ValueError, match="two judges at least, not 1"):
        panel(POINTS, judges=(OPENAI, OPENAI))

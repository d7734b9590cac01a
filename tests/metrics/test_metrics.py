"""Each metric against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.errors import UsageError
from audit.metrics.measure import measure_judge
from audit.metrics.registry import JUDGED_METRICS, METRICS, needed_criterion
from audit.records.score import Interval, Score
from audit.records.task import Benchmark
from audit.records.verdict import Trust, Verdict, VerdictState
from tests.builders import benchmark, policy, task, verdict
from tests.metrics.verdicts import ITEMS, RULES, lost, scored, tasks_of, violating


def measured(name: str, whole: Benchmark, verdicts: list[Verdict]) -> tuple[Score, ...]:
    return measure_judge(whole, verdicts, metric=METRICS[name], judge="openai:gpt-5", seed=0)


def test_alignment_reports_mean_median_deviation_and_range() -> None:
    (score,) = measured("desc_alignment", tasks_of(4), scored({"t1": 10, "t2": 9, "t3": 9, "t4": 4}))

    assert (score.value, score.median, score.minimum, score.maximum) == (8.0, 9.0, 4.0, 10.0)
    assert score.sd == pytest.approx((22 / 3) ** 0.5)
    assert (score.scale, score.unit, score.n_used, score.n_missing) == ((1.0, 10.0), "points", 4, 0)
    assert (score.bounds, score.reason) == (None, "")
    assert score.by_task == {"t1": 10.0, "t2": 9.0, "t3": 9.0, "t4": 4.0}


def test_one_task_has_a_mean_and_neither_deviation_nor_interval() -> None:
    (score,) = measured("policy_alignment", tasks_of(1), scored({"t1": 7}, criterion="policy_alignment"))

    assert (score.value, score.sd, score.interval) == (7.0, None, None)


def test_the_bounds_of_alignment_put_missing_tasks_at_both_ends_of_the_scale() -> None:
    (score,) = measured("desc_alignment", tasks_of(4), [*scored({"t1": 8, "t2": 6}), *lost("t3", "t4")])

    assert score.value == 7.0
    assert score.bounds == Interval((8 + 6 + 1 + 1) / 4, (8 + 6 + 10 + 10) / 4)


def test_bounds_leave_a_task_with_some_trials_as_it_is() -> None:
    verdicts = [*scored({"t1": 8, "t2": 6}), *scored({"t1": 8}, trial=1), *lost("t2", trial=1)]
    (score,) = measured("desc_alignment", tasks_of(2), verdicts)

    assert (score.value, score.bounds, score.n_missing, score.n_verdicts_missing) == (7.0, None, 0, 1)
    assert score.reason == "some verdicts missing on 1 of the 2 tasks used; missing verdicts: 1 timed out"


def test_the_violation_count_is_the_mean_number_of_items() -> None:
    (score,) = measured(
        "violation_count", tasks_of(4), violating({"t1": ["P01", "P02", "P03"], "t2": ["P01"], "t3": [], "t4": []})
    )

    assert (score.value, score.median, score.maximum, score.scale) == (1.0, 0.5, 3.0, (0.0, None))


def test_the_bounds_of_the_count_reach_from_no_item_to_all_of_the_tasks_own_policy() -> None:
    own = policy("One.\nTwo.", n_items=2)
    whole = benchmark(task("t1"), task("t2"), replace(task("t3"), policy=own), policy=RULES)
    verdicts = [*violating({"t1": ["P01"]}), *lost("t2", "t3", criterion="policy_violations")]
    (score,) = measured("violation_count", whole, verdicts)

    assert score.bounds == Interval(1 / 3, (1 + 10 + 2) / 3)


def test_the_coverage_curve_names_the_items_that_stay_untested() -> None:
    verdicts = violating({"t1": ["P01", "P02"], "t2": ["P01"], "t3": []})
    scores = measured("violation_coverage", tasks_of(3), verdicts)

    assert [score.metric for score in scores] == [f"violation_coverage@{k}" for k in (1, 2, 3, 4, 5)]
    assert [score.value for score in scores] == [0.2, 0.1, 0.0, 0.0, 0.0]
    assert [score.untested_items for score in scores[:3]] == [ITEMS[2:], ITEMS[1:], ITEMS]
    assert scores[0].interval is not None
    assert scores[0].by_task == {}


def test_coverage_takes_majorities_over_trials() -> None:
    verdicts = [*violating({"t1": ["P01"]}), *violating({"t1": ["P01", "P02"]}, trial=1)]

    assert measured("violation_coverage", tasks_of(1), verdicts)[0].value == 0.1


def test_the_bounds_of_coverage_let_missing_tasks_violate_nothing_or_everything() -> None:
    verdicts = [*violating({"t1": ["P01"], "t2": ["P01"]}), *lost("t3", criterion="policy_violations")]
    scores = measured("violation_coverage", tasks_of(3), verdicts)

    assert [score.bounds for score in scores[:4]] == [
        Interval(0.1, 1.0),
        Interval(0.1, 0.1),
        Interval(0.0, 0.1),
        Interval(0.0, 0.0),
    ]
    assert all(score.reason.endswith("; the missing tasks can only raise this") for score in scores)


def test_coverage_counts_the_items_of_every_tasks_policy() -> None:
    other = replace(policy("One.\nTwo.", n_items=2), name="other")
    renamed = replace(other, items=tuple(replace(item, id=f"X{item.id}") for item in other.items))
    whole = benchmark(task("t1"), replace(task("t2"), policy=renamed), policy=RULES)
    scores = measured("violation_coverage", whole, violating({"t1": ["P01"], "t2": ["XP01"]}))

    assert scores[0].value == pytest.approx(2 / 12)
    assert scores[0].untested_items == ("XP02", *ITEMS[1:])


@pytest.mark.parametrize("name", ["violation_count", "violation_coverage"])
@pytest.mark.parametrize("is_asked", [True, False])
def test_violations_are_undefined_for_a_policy_without_items(name: str, is_asked: bool) -> None:
    bare = replace(policy(n_items=0), no_items_reason="no items are known for this document")
    verdicts = lost("t1", state=VerdictState.UNDEFINED, criterion="policy_violations", problem=bare.no_items_reason)

    for score in measured(name, benchmark(task("t1"), policy=bare), verdicts if is_asked else []):
        assert (score.value, score.n_missing, score.is_applicable) == (None, 0, True)
        assert score.reason == "no items are known for this document"


def test_coverage_of_no_tasks_is_undefined() -> None:
    empty = replace(tasks_of(1), tasks=())

    assert measured("violation_coverage", empty, [])[0].reason == "the policy has no items"


def test_the_offline_match_keeps_its_label() -> None:
    match = verdict("t1", score=0.25, criterion="offline_match", judge="openai:gpt-5", trust=Trust.OFFLINE)
    (score,) = measured("offline_match", tasks_of(1), [match])

    assert (score.value, score.scale, score.trust) == (0.25, (0.0, 1.0), Trust.OFFLINE)


def test_every_metric_names_its_criterion_and_says_what_it_measures() -> None:
    assert {name: needed_criterion(name) for name in METRICS} == {
        "desc_alignment": "desc_alignment",
        "policy_alignment": "policy_alignment",
        "violation_count": "policy_violations",
        "violation_coverage": "policy_violations",
        "offline_match": "offline_match",
    }
    assert all("mean over tasks" in metric.summary or "Share of" in metric.summary for metric in METRICS.values())
    assert tuple(METRICS)[:4] == JUDGED_METRICS


def test_an_unknown_metric_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no metric 'bleu'\. Choose from desc_alignment, policy_alignment, "):
        needed_criterion("bleu")

"""Thresholds: what lies on which side, and what can't be told."""

from __future__ import annotations

import pytest

from audit.gate.hold import Counted, hold_count, hold_metric
from audit.records.comparison import ScoreChange
from audit.records.gate import Kind, Level, Side, Threshold
from audit.records.score import Interval
from tests.gate.made import JUDGE, demand, finding, score


@pytest.mark.parametrize(
    ("number", "level"),
    [(0, Level.PASS), (1, Level.PASS), (2, Level.WARN), (3, Level.WARN), (4, Level.FAIL)],
)
def test_a_number_above_a_threshold_warns_or_fails_and_the_threshold_itself_passes(number: int, level: Level) -> None:
    assert Threshold(Side.ABOVE, warn=1, fail=3).level(number) is level


@pytest.mark.parametrize(
    ("number", "level"),
    [(7.5, Level.PASS), (7.499, Level.WARN), (7.0, Level.WARN), (6.999, Level.FAIL)],
)
def test_a_number_below_a_threshold_warns_or_fails_and_the_threshold_itself_passes(number: float, level: Level) -> None:
    assert Threshold(Side.BELOW, warn=7.5, fail=7.0).level(number) is level


@pytest.mark.parametrize(("n", "level"), [(2, Level.PASS), (3, Level.FAIL)])
def test_findings_of_a_severity_are_counted_against_what_is_allowed(n: int, level: Level) -> None:
    found = [finding(subject=f"B{number}") for number in range(n)]
    held = hold_count(demand(Kind.SEVERITY, "error", fail=2), Counted([*found, finding("text-doubtful")]))
    assert (held.level, held.number, len(held.findings)) == (level, n, n)


def test_findings_of_a_rule_are_counted_apart_from_others_of_its_severity() -> None:
    counted = Counted([finding("text-doubtful"), finding("judged-desc-alignment")])
    held = hold_count(demand(Kind.RULE, "text-doubtful", warn=0), counted)
    assert (held.level, held.number) == (Level.WARN, 1)


def test_what_is_waived_or_known_is_told_and_does_not_count() -> None:
    counted = Counted([], waived=[finding()], known=[finding(subject="B8"), finding(subject="B7")])
    held = hold_count(demand(Kind.SEVERITY, "error", fail=0), counted)
    assert held.level is Level.PASS
    assert "1 waived and 2 known" in held.why


def test_a_rule_that_nobody_looked_for_has_not_passed() -> None:
    held = hold_count(demand(Kind.RULE, "gold-unknown-id", fail=0), Counted([], undecided={"gold-unknown-id"}))
    assert held.level is Level.INCOMPLETE
    assert "not looked for" in held.why


@pytest.mark.parametrize(("low", "level"), [(7.0, Level.PASS), (6.99, Level.FAIL)])
def test_a_metric_is_held_by_the_lower_end_of_its_interval_and_not_by_its_value(low: float, level: Level) -> None:
    held = hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), score(value=8.5, low=low, high=9.0))
    assert (held.level, held.number, held.bound) == (level, 8.5, low)


@pytest.mark.parametrize(("high", "level"), [(2.0, Level.PASS), (2.01, Level.FAIL)])
def test_a_metric_with_an_upper_limit_is_held_by_the_upper_end(high: float, level: Level) -> None:
    wanted = demand(Kind.METRIC, "violation_count", side=Side.ABOVE, fail=2.0)
    held = hold_metric(wanted, score("violation_count", 1.0, low=0.5, high=high))
    assert (held.level, held.bound) == (level, high)


def test_an_undefined_metric_fails_with_its_reason() -> None:
    wanted = demand(Kind.METRIC, "violation_count", fail=1.0)
    held = hold_metric(wanted, score("violation_count", None, reason="the policy has no items"))
    assert held.level is Level.FAIL
    assert "the policy has no items" in held.why


def test_a_metric_of_one_task_has_no_interval_and_fails() -> None:
    held = hold_metric(demand(Kind.METRIC, "desc_alignment", fail=2.0), score(value=9.0, n_used=1))
    assert held.level is Level.FAIL
    assert "rests on 1 task" in held.why


def test_missing_verdicts_leave_a_metric_undecided_however_good_the_others_are() -> None:
    good = score(value=9.5, low=9.2, high=9.9, n_missing=1, n_verdicts_missing=1, bounds=Interval(8.0, 9.6))
    held = hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), good)
    assert held.level is Level.INCOMPLETE
    assert "1 verdicts are missing" in held.why


def test_trials_that_are_missing_leave_a_metric_undecided_too() -> None:
    partly = score(value=9.5, low=9.2, high=9.9, n_missing=0, n_verdicts_missing=2)
    assert hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), partly).level is Level.INCOMPLETE


def test_a_metric_without_any_verdict_is_undecided_and_not_undefined() -> None:
    nothing = score(value=None, n_missing=3, n_verdicts_missing=3, reason="no verdict on any task")
    assert hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), nothing).level is Level.INCOMPLETE


@pytest.mark.parametrize(("best", "level"), [(6.9, Level.FAIL), (7.0, Level.INCOMPLETE)])
def test_what_would_fail_whatever_the_missing_verdicts_say_fails(best: float, level: Level) -> None:
    bad = score(value=5.0, low=4.0, high=6.0, n_missing=1, n_verdicts_missing=1, bounds=Interval(4.0, best))
    assert hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), bad).level is level


def change(low: float, high: float) -> ScoreChange:
    return ScoreChange(
        "desc_alignment", JUDGE, 8.0, 7.0, n_paired=20, difference=(low + high) / 2, interval=Interval(low, high, 0.95)
    )


@pytest.mark.parametrize(
    ("low", "ends", "level"),
    [
        (7.5, (-1.0, -0.1), Level.FAIL),  # a real drop fails even above the threshold
        (7.5, (-1.0, 0.0), Level.PASS),
        (6.5, (-1.0, 0.0), Level.WARN),  # below the threshold, yet no real drop
        (6.5, (-1.0, -0.1), Level.FAIL),
        (6.5, (0.1, 1.0), Level.WARN),
    ],
)
def test_with_a_baseline_only_a_drop_whose_whole_interval_is_below_zero_fails(
    low: float, ends: tuple[float, float], level: Level
) -> None:
    wanted = demand(Kind.METRIC, "desc_alignment", fail=7.0)
    assert hold_metric(wanted, score(value=8.0, low=low, high=9.0), change=change(*ends)).level is level


def test_a_rise_is_a_drop_for_what_may_not_be_too_high() -> None:
    wanted = demand(Kind.METRIC, "violation_count", side=Side.ABOVE, fail=9.0)
    held = hold_metric(wanted, score("violation_count", 2.0, low=1.0, high=3.0), change=change(0.2, 0.4))
    assert held.level is Level.FAIL
    assert "got worse" in held.why


def test_a_drop_of_what_only_warns_only_warns() -> None:
    wanted = demand(Kind.METRIC, "desc_alignment", warn=7.0)
    assert hold_metric(wanted, score(value=8.0, low=7.5, high=9.0), change=change(-1.0, -0.5)).level is Level.WARN


def test_missing_verdicts_are_undecided_with_a_baseline_too() -> None:
    partly = score(value=9.5, low=9.2, high=9.9, n_verdicts_missing=2)
    held = hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), partly, change=change(-1.0, -0.5))
    assert held.level is Level.INCOMPLETE


@pytest.mark.parametrize(("low", "level"), [(7.5, Level.PASS), (6.5, Level.FAIL)])
def test_a_baseline_that_can_not_be_compared_leaves_the_threshold_and_says_why(low: float, level: Level) -> None:
    gap = ScoreChange("desc_alignment", JUDGE, 8.0, 8.0, reasons=("the prompt changed",))
    held = hold_metric(demand(Kind.METRIC, "desc_alignment", fail=7.0), score(value=8.0, low=low, high=9.0), change=gap)
    assert held.level is level
    assert "the baseline can't be used (the prompt changed)" in held.why

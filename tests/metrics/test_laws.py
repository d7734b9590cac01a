"""Laws that every registered metric obeys. A metric that is absent from ``LAWS`` fails the suite."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.metrics.measure import measure_judge
from audit.metrics.registry import METRICS
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.records.verdict import Verdict, VerdictState
from tests.builders import verdict
from tests.metrics.verdicts import ITEMS, tasks_of

JUDGE = "openai:gpt-5"
Levels = list[int]
"""One level a task, 0 to 9: the higher, the more of what the metric counts."""


@dataclass(frozen=True)
class Law:
    """How to make a verdict of a level, what the greatest value is, and which perturbation must push the metric down.

    ``pushed_down_by`` maps levels to those of a benchmark with planted defects.
    """

    fields: Callable[[int], dict[str, object]]
    greatest: float
    pushed_down_by: Callable[[Levels], Levels]


def behavior_swap(levels: Levels) -> Levels:
    """Every second task gets a foreign behavior, which a judge puts at the bottom of the scale."""
    return [0 if number % 2 else level for number, level in enumerate(levels)]


def policy_swap(levels: Levels) -> Levels:
    """Under another domain's policy no request violates an item, and behaviors follow no rule of it."""
    return [0 for _ in levels]


LAWS = {
    "desc_alignment": Law(lambda level: {"score": float(1 + level)}, 10, behavior_swap),
    "policy_alignment": Law(lambda level: {"score": float(1 + level)}, 10, policy_swap),
    "violation_count": Law(lambda level: {"violated": ITEMS[:level]}, len(ITEMS), policy_swap),
    "violation_coverage": Law(lambda level: {"violated": ITEMS[:level]}, 1, policy_swap),
    "offline_match": Law(lambda level: {"score": level / 9}, 1, behavior_swap),
}
EVERY_METRIC = pytest.mark.parametrize("name", LAWS)
SOME_LEVELS = st.lists(st.integers(0, 9), min_size=1, max_size=9)


def verdicts_of(name: str, levels: Levels, *, trial: int = 0) -> list[Verdict]:
    criterion = METRICS[name].criterion
    return [
        verdict(f"t{number}", criterion=criterion, judge=JUDGE, trial=trial, **LAWS[name].fields(level))  # type: ignore[arg-type]  # a table's row
        for number, level in enumerate(levels, 1)
    ]


def measured(name: str, benchmark: Benchmark, verdicts: Sequence[Verdict]) -> tuple[Score, ...]:
    return measure_judge(benchmark, verdicts, metric=METRICS[name], judge=JUDGE, seed=7)


def without_verdict(verdict: Verdict) -> Verdict:
    return replace(verdict, state=VerdictState.REFUSED, score=None, violated=None)


def value(score: Score) -> float:
    assert score.value is not None
    return score.value


def test_every_registered_metric_is_under_the_laws() -> None:
    assert LAWS.keys() == METRICS.keys()


@EVERY_METRIC
@given(levels=SOME_LEVELS)
def test_values_spread_and_interval_stay_in_range(name: str, levels: Levels) -> None:
    for score in measured(name, tasks_of(len(levels)), verdicts_of(name, levels)):
        low, high = score.scale[0], LAWS[name].greatest
        spread = [score.median, score.minimum, score.maximum, *score.by_task.values()]
        assert low <= value(score) <= high
        assert all(low <= number <= high for number in spread if number is not None)
        assert (score.interval is None) == (len(levels) == 1)
        if score.interval is not None:
            assert low <= score.interval.low <= score.interval.high <= high


@EVERY_METRIC
@given(levels=SOME_LEVELS, seed=st.integers(0, 99))
def test_the_order_of_tasks_and_verdicts_changes_nothing(name: str, levels: Levels, seed: int) -> None:
    whole = tasks_of(len(levels))
    verdicts = verdicts_of(name, levels) + verdicts_of(name, levels[::-1], trial=1)
    shuffled, tasks = list(verdicts), list(whole.tasks)
    random.Random(seed).shuffle(shuffled)
    random.Random(seed).shuffle(tasks)

    assert measured(name, replace(whole, tasks=tuple(tasks)), shuffled) == measured(name, whole, verdicts)


@EVERY_METRIC
@given(levels=SOME_LEVELS, data=st.data())
def test_a_missing_verdict_is_told_and_counts_neither_as_good_nor_as_bad(
    name: str, levels: Levels, data: st.DataObject
) -> None:
    whole, verdicts = tasks_of(len(levels)), verdicts_of(name, levels)
    gone = data.draw(st.sets(st.sampled_from([each.task_id for each in verdicts]), min_size=1))
    holed = [without_verdict(each) if each.task_id in gone else each for each in verdicts]
    rest = replace(whole, tasks=tuple(each for each in whole.tasks if each.id not in gone))
    expected = measured(name, rest, [each for each in verdicts if each.task_id not in gone])

    for found, known, full in zip(measured(name, whole, holed), expected, measured(name, whole, verdicts), strict=True):
        assert (found.value, found.interval) == (known.value, known.interval)
        assert (found.n_used, found.n_missing) == (len(levels) - len(gone), len(gone))
        assert (found.n_verdicts_missing, found.missing) == (len(gone), {"refused": len(gone)})
        assert f"missing verdicts: {len(gone)} refused" in found.reason
        assert full.reason == ""
        if found.value is not None:
            assert found.bounds is not None
            assert found.bounds.low <= value(full) <= found.bounds.high
            assert found.bounds.level is None


@EVERY_METRIC
@given(levels=SOME_LEVELS)
def test_without_any_verdict_there_is_no_value(name: str, levels: Levels) -> None:
    holed = [without_verdict(each) for each in verdicts_of(name, levels)]

    for score in (*measured(name, tasks_of(len(levels)), holed), *measured(name, tasks_of(len(levels)), [])):
        assert (score.value, score.interval, score.bounds, score.median) == (None, None, None, None)
        assert (score.n_used, score.n_missing) == (0, len(levels))
        assert score.reason.startswith("no verdict on any task")


@EVERY_METRIC
@given(levels=SOME_LEVELS)
def test_what_can_not_be_asked_is_undefined_and_not_missing(name: str, levels: Levels) -> None:
    undefined = [
        replace(without_verdict(each), state=VerdictState.UNDEFINED, problem="too few tasks")
        for each in verdicts_of(name, levels)
    ]

    for score in measured(name, tasks_of(len(levels)), undefined):
        assert (score.value, score.n_used, score.n_missing, score.n_verdicts_missing) == (None, 0, 0, 0)
        assert score.reason == "too few tasks"


@EVERY_METRIC
@given(levels=SOME_LEVELS)
def test_its_perturbation_never_raises_it(name: str, levels: Levels) -> None:
    whole, perturbed = tasks_of(len(levels)), LAWS[name].pushed_down_by(levels)
    before = measured(name, whole, verdicts_of(name, levels))
    after = measured(name, whole, verdicts_of(name, perturbed))

    assert all(value(low) <= value(high) for low, high in zip(after, before, strict=True))


@EVERY_METRIC
def test_its_perturbation_pushes_it_down(name: str) -> None:
    levels = [3, 9, 6, 8, 2, 7, 4, 5]
    whole, perturbed = tasks_of(len(levels)), LAWS[name].pushed_down_by(levels)
    before = measured(name, whole, verdicts_of(name, levels))
    after = measured(name, whole, verdicts_of(name, perturbed))

    assert all(value(low) < value(high) for low, high in zip(after, before, strict=True))

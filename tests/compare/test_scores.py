"""Paired differences of scores, and what stands in their way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.compare.scores import compare_scores, narrow
from audit.records.comparison import ScoreChange, Snapshot
from audit.records.verdict import Trust
from tests.compare.made import JUDGE, score, snapshot


def one(old: Snapshot, new: Snapshot) -> ScoreChange:
    (change,) = compare_scores(old, new)
    return change


def test_a_difference_is_that_of_the_tasks_that_both_have() -> None:
    before = score("desc_alignment", 8.0, 7.0, 9.0, 6.0)
    after = score(by_task={"t2": 6.0, "t3": 8.5, "t4": 5.0, "t9": 1.0}, value=5.125)
    change = one(snapshot(scores=(before,)), snapshot(scores=(after,)))
    assert (change.old, change.new, change.n_paired) == (7.5, 5.125, 3)
    assert change.difference == pytest.approx((-1 - 0.5 - 1) / 3)
    assert change.interval is not None
    assert -1.0 <= change.interval.low <= change.interval.high <= -0.5
    assert change.has_fallen
    assert not change.has_risen


def test_what_did_not_change_neither_fell_nor_rose() -> None:
    change = one(snapshot(), snapshot())
    assert (change.difference, change.has_fallen, change.has_risen) == (0.0, False, False)


def test_the_same_seed_gives_the_same_interval() -> None:
    after = snapshot(scores=(score("desc_alignment", 1.0, 9.0, 8.0, 3.0),))
    assert compare_scores(snapshot(), after, seed=4) == compare_scores(snapshot(), after, seed=4)


@pytest.mark.parametrize(
    ("metric", "changed", "words"),
    [
        ("desc_alignment", {"prompts": {"desc_alignment": "p9"}}, "the prompt changed"),
        ("desc_alignment", {"models": {JUDGE: ("gpt-5.4-2026-05-01",)}}, "gpt-5.4-2026-01-01 and is now by"),
        ("desc_alignment", {"models": {}}, "is now by none"),
        ("desc_alignment", {"behavior": frozenset({"nl"})}, "(actions)"),
        ("desc_alignment", {"trials": 3}, "trials changed from 1 to 3"),
        ("policy_alignment", {"policy_sha256": "cd"}, "the policy changed"),
        ("violation_count", {"policy_sha256": "cd"}, "the policy changed"),
        ("violation_count", {"items": {"P1": "0-5"}}, "the policy's items changed"),
        ("violation_count", {"prompts": {"policy_violations": "p9"}}, "the prompt changed"),
    ],
)
def test_what_changed_the_question_leaves_no_difference_and_says_why(
    metric: str, changed: dict[str, Any], words: str
) -> None:
    own = score(metric)
    change = one(snapshot(scores=(own,)), snapshot(scores=(own,), **changed))
    assert (change.difference, change.interval) == (None, None)
    assert words in "; ".join(change.reasons)


@pytest.mark.parametrize("changed", [{"policy_sha256": "cd"}, {"items": None}])
def test_a_judge_that_sees_no_policy_can_be_compared_over_another_one(changed: dict[str, Any]) -> None:
    assert one(snapshot(), snapshot(**changed)).difference == 0.0


def test_trials_do_not_matter_to_the_offline_scorer() -> None:
    own = score("offline_match", judge="offline", trust=Trust.OFFLINE)
    assert one(snapshot(scores=(own,)), snapshot(scores=(own,), trials=3)).difference == 0.0


def test_every_obstacle_is_told() -> None:
    change = one(snapshot(), snapshot(trials=2, prompts={}, models={}))
    assert len(change.reasons) == 3


def test_a_side_without_a_value_is_told_with_its_reason() -> None:
    undefined = score(value=None, by_task={}, reason="no items")
    change = one(snapshot(scores=(undefined,)), snapshot())
    assert "OLD has no value (no items)" in change.reasons
    assert change.old is None


def test_a_real_judge_and_a_scripted_one_are_not_compared() -> None:
    scripted = replace(score(), trust=Trust.SCRIPTED)
    assert "scripted" in one(snapshot(), snapshot(scores=(scripted,))).reasons[0]


def test_a_judge_that_only_one_side_has_is_not_compared() -> None:
    changes = compare_scores(snapshot(), snapshot(scores=(score(judge="b:c"),)))
    assert [(change.judge, change.reasons) for change in changes] == [
        ("b:c", ("only NEW has this metric of this judge",)),
        (JUDGE, ("only OLD has this metric of this judge",)),
    ]


@pytest.mark.parametrize("shared", [{}, {"t1": 3.0}])
def test_fewer_than_two_shared_tasks_have_no_difference(shared: dict[str, float]) -> None:
    change = one(snapshot(), snapshot(scores=(score(by_task={**shared, "t9": 4.0, "t8": 5.0}),)))
    assert (change.n_paired, change.difference) == (len(shared), None)
    assert "two tasks" in change.reasons[0]


def covered(*violated: str, judge: str = JUDGE) -> Snapshot:
    sets = {f"t{n}": frozenset(items.split()) for n, items in enumerate(violated, 1)}
    return snapshot(scores=(score("violation_coverage@1", judge=judge, by_task={}, value=0.5),), violated={JUDGE: sets})


def test_coverage_is_paired_by_the_items_that_shared_tasks_violate() -> None:
    change = one(covered("P1", "P2", "", ""), covered("P1", "", "", ""))
    assert (change.difference, change.n_paired) == (-0.5, 4)
    assert change.interval is not None
    assert change.interval.low <= -0.5 <= change.interval.high


def test_coverage_of_one_shared_task_has_no_difference() -> None:
    assert one(covered("P1"), covered("P1")).difference is None


def test_coverage_of_a_panel_is_not_paired() -> None:
    panel = "panel (median of 2)"
    change = one(covered("P1", "P2", judge=panel), covered("P1", "P2", judge=panel))
    assert "not for a panel" in change.reasons[0]


def test_a_panel_is_comparable_only_if_each_of_its_judges_is() -> None:
    panel = (score(judge="panel (median of 2)"),)
    models = {"a:x": ("x1",), "b:y": ("y1",)}
    assert one(snapshot(scores=panel, models=models), snapshot(scores=panel, models=models)).difference == 0.0
    change = one(snapshot(scores=panel, models=models), snapshot(scores=panel, models={**models, "b:y": ("y2",)}))
    assert change.reasons == ("judge b:y was answered by the model y1 and is now by y2",)


def test_a_narrowed_side_pairs_only_the_tasks_it_is_narrowed_to() -> None:
    before = snapshot(scores=(score("desc_alignment", 8.0, 7.0, 9.0, 6.0),))
    after = snapshot(scores=(score("desc_alignment", 8.0, 7.0, 1.0, 1.0),))
    assert one(narrow(before, {"t1", "t2"}), narrow(after, {"t1", "t2"})).difference == 0.0
    assert narrow(covered("P1", "P2"), {"t1"}).violated == {JUDGE: {"t1": frozenset({"P1"})}}

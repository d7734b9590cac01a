"""Verdicts brought together task by task."""

from __future__ import annotations

import pytest

from audit.metrics.blank import explain
from audit.metrics.outcomes import POLICY_VIOLATIONS, Outcomes, combine, gather
from audit.records.verdict import Trust, VerdictState
from tests.builders import benchmark, policy, task, verdict
from tests.metrics.verdicts import lost, scored, tasks_of, violating


def test_a_tasks_value_is_the_mean_over_its_trials() -> None:
    verdicts = [
        *scored({"t1": 10, "t2": 4}),
        *scored({"t1": 7, "t2": 4}, trial=1),
        *scored({"t1": 7, "t2": 5}, trial=2),
    ]
    found = gather(tasks_of(2), verdicts, criterion="desc_alignment")

    assert found == Outcomes({"t1": 8.0, "t2": 13 / 3})


def test_a_violated_item_needs_more_than_half_of_the_trials_while_the_count_is_their_mean() -> None:
    verdicts = [*violating({"t1": ["P01", "P02"]}), *violating({"t1": ["P01"]}, trial=1)]
    found = gather(tasks_of(1), verdicts, criterion=POLICY_VIOLATIONS)

    assert found.violated_by_task == {"t1": {"P01"}}
    assert found.value_by_task == {"t1": 1.5}


def test_an_item_named_twice_in_a_reply_counts_once() -> None:
    found = gather(tasks_of(1), violating({"t1": ["P01", "P01"]}), criterion=POLICY_VIOLATIONS)

    assert found.value_by_task == {"t1": 1.0}


def test_a_task_with_one_trial_lost_is_used_and_the_lost_verdict_is_counted() -> None:
    verdicts = [*scored({"t1": 8, "t2": 6}), *scored({"t1": 6}, trial=1), *lost("t2", trial=1)]
    found = gather(tasks_of(2), verdicts, criterion="desc_alignment")

    assert found == Outcomes({"t1": 7.0, "t2": 6.0}, partial_tasks=("t2",), missing={"timeout": 1})
    assert explain(found) == "some verdicts missing on 1 of the 2 tasks used; missing verdicts: 1 timed out"


def test_a_task_or_trial_without_any_record_is_missing_as_not_asked() -> None:
    verdicts = [*scored({"t1": 8, "t2": 6}), *scored({"t1": 6}, trial=1)]
    found = gather(tasks_of(3), verdicts, criterion="desc_alignment")

    assert (found.missing_tasks, found.partial_tasks) == (("t3",), ("t2",))
    assert found.missing == {"not_asked": 3}


def test_missing_verdicts_are_told_by_state() -> None:
    verdicts = [*scored({"t1": 8}), *lost("t2", "t3"), *lost("t4", state=VerdictState.CONTEXT_TOO_LONG)]
    found = gather(tasks_of(4), verdicts, criterion="desc_alignment")

    assert explain(found) == (
        "no verdict on 3 of 4 tasks, left out of the value; missing verdicts: 1 too long for the model, 2 timed out"
    )


def test_undefined_tasks_beside_judged_ones_are_left_out_and_told() -> None:
    verdicts = [
        *scored({"t1": 0.5}, criterion="offline_match"),
        *lost("t2", state=VerdictState.UNDEFINED, criterion="offline_match", problem="no ids in the behavior"),
        *lost("t3", state=VerdictState.UNDEFINED, criterion="offline_match"),
    ]
    found = gather(tasks_of(3), verdicts, criterion="offline_match")

    assert (found.missing_tasks, found.missing) == ((), {})
    assert explain(found) == ("left out as undefined: 2 more (no ids in the behavior / the question can't be put)")


def test_many_reasons_for_undefined_tasks_are_cut_short_the_commonest_first() -> None:
    undefined = {"t1": "d", "t2": "c", "t3": "b", "t4": "a", "t5": "d"}

    assert explain(Outcomes({}, undefined=undefined)) == "d / a / b / …"


def test_a_verdict_of_another_trial_outweighs_an_undefined_one() -> None:
    verdicts = [*scored({"t1": 8}), *lost("t1", state=VerdictState.UNDEFINED, trial=1)]

    assert gather(tasks_of(1), verdicts, criterion="desc_alignment") == Outcomes({"t1": 8.0})


def test_violations_of_a_policy_without_items_are_undefined_even_if_nobody_asked() -> None:
    bare = benchmark(task("t1"), policy=policy(n_items=0))

    assert gather(bare, [], criterion=POLICY_VIOLATIONS).undefined == {"t1": "the policy has no items"}
    assert gather(bare, [], criterion="desc_alignment").missing == {"not_asked": 1}


def test_a_benchmark_without_tasks_says_so() -> None:
    assert explain(Outcomes({})) == "no tasks"


def test_a_verdict_on_an_unknown_task_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="task 't9', which test/domain doesn't have"):
        gather(tasks_of(1), scored({"t9": 3}), criterion="desc_alignment")


def test_two_verdicts_of_the_same_trial_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two verdicts of openai:gpt-5 on task 't1', trial 0"):
        gather(tasks_of(1), scored({"t1": 3}) * 2, criterion="desc_alignment")


def test_an_ok_verdict_without_content_is_a_mistake_and_no_zero() -> None:
    with pytest.raises(ValueError, match="neither a score nor items"):
        gather(tasks_of(1), [verdict("t1", score=None)], criterion="desc_alignment")


def test_the_least_trusted_verdict_labels_the_whole() -> None:
    mixed = [verdict("t1", score=3, trust=Trust.MODEL), verdict("t2", score=3, trust=Trust.SCRIPTED)]

    assert gather(tasks_of(2), mixed, criterion="desc_alignment").trust is Trust.SCRIPTED


def test_a_panel_takes_medians_and_majorities_of_the_judges_that_have_a_verdict() -> None:
    each = [
        Outcomes({"t1": 2.0, "t2": 1.0}, {"t1": frozenset({"P01", "P02"}), "t2": frozenset({"P03"})}),
        Outcomes({"t1": 1.0, "t2": 1.0}, {"t1": frozenset({"P01"}), "t2": frozenset({"P04"})}),
        Outcomes({"t1": 1.0}, {"t1": frozenset({"P02"})}, missing_tasks=("t2",), missing={"timeout": 1}),
    ]
    found = combine(tasks_of(2), each, quorum=2)

    assert found.value_by_task == {"t1": 1.0, "t2": 1.0}
    assert found.violated_by_task == {"t1": {"P01", "P02"}, "t2": set()}
    assert (found.missing_tasks, found.partial_tasks, found.missing) == ((), ("t2",), {"timeout": 1})


def test_a_panel_has_no_verdict_below_its_quorum() -> None:
    silent = Outcomes({}, missing_tasks=("t1", "t2"), missing={"quota": 2})
    half = Outcomes({"t1": 5.0}, missing_tasks=("t2",), missing={"timeout": 1})
    found = combine(tasks_of(2), [Outcomes({"t1": 7.0, "t2": 9.0}), half, silent], quorum=2)

    assert (found.value_by_task, found.missing_tasks) == ({"t1": 6.0}, ("t2",))
    assert explain(found) == (
        "verdicts of fewer than 2 judges on 1 of 2 tasks, left out of the value; "
        "some verdicts missing on 1 of the 1 tasks used; missing verdicts: 2 out of quota, 1 timed out"
    )
    none = combine(tasks_of(2), [half, silent, silent], quorum=2)
    assert (
        explain(none) == "verdicts of fewer than 2 judges on every task; missing verdicts: 4 out of quota, 1 timed out"
    )


def test_what_a_judge_can_not_be_asked_is_undefined_for_the_panel() -> None:
    undefined = Outcomes({}, undefined={"t1": "no items"})
    found = combine(tasks_of(1), [undefined, undefined], quorum=2)

    assert (found.undefined, found.missing_tasks) == ({"t1": "no items"}, ())
    assert explain(found) == "no items"


def test_one_judge_that_can_not_be_asked_does_not_undo_the_others() -> None:
    each = [Outcomes({"t1": 4.0}), Outcomes({"t1": 6.0}), Outcomes({}, undefined={"t1": "no items"})]

    assert combine(tasks_of(1), each, quorum=2) == Outcomes({"t1": 5.0}, quorum=2)


def test_a_trial_that_one_judge_lost_makes_the_panels_task_partial() -> None:
    each = [Outcomes({"t1": 4.0}), Outcomes({"t1": 6.0}, partial_tasks=("t1",), missing={"timeout": 1})]

    assert combine(tasks_of(1), each, quorum=2).partial_tasks == ("t1",)


def test_without_verdicts_there_is_no_trust_to_lose() -> None:
    assert gather(tasks_of(1), [], criterion="desc_alignment").trust is Trust.MODEL

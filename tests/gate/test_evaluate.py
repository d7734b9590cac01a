"""The whole gate: what counts, which level wins, subsets, judges, completeness, the baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.compare.sides import compare
from audit.compare.snapshot import take_snapshot
from audit.errors import UsageError
from audit.gate.evaluate import choose_subset, evaluate
from audit.gate.waivers import content_of
from audit.records.check import Unchecked
from audit.records.gate import EACH, WHOLE, Criterion, GateResult, Kind, Level, Subset
from audit.records.run import JudgeStop
from audit.records.task import Benchmark
from tests.gate.made import (
    JUDGE,
    benchmark,
    checked,
    demand,
    evidence,
    finding,
    run,
    score,
    settings,
    waiver,
)

ERRORS = demand(Kind.SEVERITY, "error", fail=0)
ALIGNED = demand(Kind.METRIC, "desc_alignment", fail=7.0)
TEST = Subset("split", "test")


def of_kind(result: GateResult, kind: Kind) -> list[Criterion]:
    return [criterion for criterion in result.criteria if criterion.kind is kind]


def test_nothing_found_passes() -> None:
    result = evaluate(settings(), evidence(checked()))
    assert (result.level, len(result.criteria)) == (Level.PASS, 1)


def test_a_finding_above_the_threshold_fails() -> None:
    result = evaluate(settings(), evidence(checked(finding())))
    assert result.level is Level.FAIL
    assert result.counted == (finding(),)


def test_a_waived_finding_does_not_count() -> None:
    content = content_of(benchmark(), "gold-unknown-id", task_id="t1", findings=())
    result = evaluate(settings(waivers=[waiver(content=content)]), evidence(checked(finding())))
    assert result.level is Level.PASS
    assert (result.counted, result.waived) == ((), (finding(),))


def test_a_re_opened_waiver_lets_nothing_through_and_warns() -> None:
    result = evaluate(settings(waivers=[waiver()]), evidence(checked(finding())))
    assert result.level is Level.FAIL
    (held,) = of_kind(result, Kind.WAIVER)
    assert held.level is Level.WARN
    assert "changed since" in held.why


def test_an_expired_waiver_fails_even_when_its_findings_would_be_allowed() -> None:
    old = waiver(expires=waiver().expires.replace(year=2026))
    result = evaluate(settings(demand(Kind.SEVERITY, "error", fail=5), waivers=[old]), evidence(checked(finding())))
    assert result.level is Level.FAIL
    assert [criterion.level for criterion in result.criteria] == [Level.PASS, Level.FAIL]


def test_an_unused_waiver_warns() -> None:
    result = evaluate(settings(waivers=[waiver()]), evidence(checked()))
    assert result.level is Level.WARN


def test_a_waiver_shows_who_answers_for_it_and_why() -> None:
    (held,) = of_kind(evaluate(settings(waivers=[waiver()]), evidence(checked())), Kind.WAIVER)
    assert "(ada: Known upstream.)" in held.why


def test_missing_verdicts_are_no_pass() -> None:
    result = evaluate(settings(ERRORS), evidence(checked(), run(n_missing=2)))
    assert result.level is Level.INCOMPLETE
    (held,) = of_kind(result, Kind.VERDICTS)
    assert "2 of 9 verdicts are missing" in held.why


def test_a_judge_that_was_stopped_is_no_pass() -> None:
    stopped = run(stops=(JudgeStop(JUDGE, "quota", "the limit is reached"),))
    result = evaluate(settings(ERRORS), evidence(checked(), stopped))
    assert result.level is Level.INCOMPLETE
    assert "was stopped (quota)" in of_kind(result, Kind.VERDICTS)[0].why


def test_a_gate_that_fails_anyway_fails_though_verdicts_are_missing() -> None:
    assert evaluate(settings(ERRORS), evidence(checked(finding()), run(n_missing=2))).level is Level.FAIL


def test_the_offline_scorer_owes_no_verdicts() -> None:
    offline = run(judges=())
    assert of_kind(evaluate(settings(ERRORS), evidence(checked(), offline)), Kind.VERDICTS) == []


def test_a_rule_that_was_left_out_is_undecided() -> None:
    wanted = demand(Kind.RULE, "gold-unknown-id", fail=0)
    gap = Unchecked("the rules gold-unknown-id", "they were left out (--skip)", ("gold-unknown-id",))
    seen = evidence(checked(unchecked=[gap]), undecided=frozenset({"gold-unknown-id"}))
    result = evaluate(settings(wanted), seen)
    assert result.level is Level.INCOMPLETE
    assert any("left out (--skip)" in note for note in result.notes)


def split() -> Benchmark:
    whole = benchmark("t1", "t2", "t3", splits={"test": ("t1", "t2"), "train": ("t3",), "empty": ()})
    return replace(whole, tasks=tuple(replace(task, tags=(f"tag-{task.id}",)) for task in whole.tasks))


@pytest.mark.parametrize(("subset", "level"), [(TEST, Level.PASS), (Subset("tag", "tag-t3"), Level.FAIL)])
def test_a_subset_counts_only_the_findings_of_its_tasks(subset: Subset, level: Level) -> None:
    seen = evidence(checked(finding(task_id="t3"), finding(task_id=None), of=split()))
    result = evaluate(settings(demand(Kind.SEVERITY, "error", fail=0, subset=subset)), seen)
    assert result.level is level
    assert all(found.task_id == "t3" for criterion in result.criteria for found in criterion.findings)


def test_waived_and_known_findings_of_other_tasks_are_not_told_in_a_subset() -> None:
    content = content_of(split(), "gold-unknown-id", task_id="t3", findings=())
    lines = settings(
        demand(Kind.SEVERITY, "error", fail=0, subset=TEST), waivers=[waiver(task_id="t3", content=content)]
    )
    result = evaluate(lines, evidence(checked(finding(task_id="t3"), of=split())))
    assert "waived" not in result.criteria[0].why


def test_a_metric_of_a_subset_is_held_by_the_scores_of_its_tasks() -> None:
    wanted = demand(Kind.METRIC, "desc_alignment", fail=7.0, subset=TEST)
    scores = {WHOLE: (score(low=9.0, high=9.5),), TEST: (score(low=5.0, high=6.0),)}
    result = evaluate(settings(wanted), evidence(checked(of=split()), run(), scores=scores))
    assert result.criteria[0].bound == 5.0
    assert result.level is Level.FAIL


@pytest.mark.parametrize(
    ("subset", "words"),
    [
        (Subset("split", "tset"), "no split tset. Perhaps you meant test"),
        (Subset("tag", "tag-t9"), "Perhaps you meant tag-t"),
        (Subset("split", "empty"), "none of its tasks is in this run"),
    ],
)
def test_a_subset_that_is_not_there_is_one_clear_error(subset: Subset, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        choose_subset(split(), subset)


def test_a_benchmark_without_tags_says_so() -> None:
    with pytest.raises(UsageError, match="no tags at all"):
        choose_subset(benchmark(), Subset("tag", "x"))


PANEL = (score(low=5.0, high=6.0), score(judge="b:c", low=9.0, high=9.5), score(judge="panel (median of 2)", low=8.0))


@pytest.mark.parametrize(
    ("judge", "bounds"),
    [("", [8.0]), (EACH, [5.0, 9.0]), (JUDGE, [5.0]), ("b:c", [9.0]), ("panel (median of 2)", [8.0])],
)
def test_a_panel_is_held_as_one_unless_a_judge_is_named(judge: str, bounds: list[float]) -> None:
    wanted = demand(Kind.METRIC, "desc_alignment", fail=7.0, judge=judge)
    result = evaluate(settings(wanted), evidence(checked(), run(*PANEL)))
    assert [criterion.bound for criterion in of_kind(result, Kind.METRIC)] == bounds


def test_a_judge_that_did_not_judge_is_one_clear_error() -> None:
    wanted = demand(Kind.METRIC, "desc_alignment", fail=7.0, judge="openai:gpt-5.5", where="gate.toml: here")
    with pytest.raises(UsageError, match=r"gate.toml: here: no judge 'openai:gpt-5.5'.*gpt-5.4"):
        evaluate(settings(wanted), evidence(checked(), run(*PANEL)))


def test_a_metric_that_was_not_measured_is_one_clear_error() -> None:
    with pytest.raises(UsageError, match="was not measured"):
        evaluate(settings(ALIGNED), evidence(checked(), run()))


def test_with_a_baseline_only_new_findings_count() -> None:
    old = take_snapshot("old.json", benchmark(), checked=checked(finding()))
    result_now = checked(finding(), finding(task_id="t2"))
    both = compare(old, take_snapshot("now", benchmark(), checked=result_now))
    result = evaluate(settings(demand(Kind.SEVERITY, "error", fail=0)), evidence(result_now, comparison=both))
    assert result.known == (finding(),)
    assert result.counted == (finding(task_id="t2"),)
    assert result.level is Level.FAIL
    assert any("old.json" in note for note in result.notes)


def test_a_baseline_that_was_not_checked_knows_no_finding_and_says_so() -> None:
    both = compare(
        take_snapshot("old.json", benchmark()), take_snapshot("now", benchmark(), checked=checked(finding()))
    )
    result = evaluate(settings(), evidence(checked(finding()), comparison=both))
    assert result.level is Level.FAIL
    assert any("OLD was not checked" in note for note in result.notes)

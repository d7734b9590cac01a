from __future__ import annotations

from typing import Any

from audit.checks.judged import judged_findings
from audit.metrics.panel import measure_panel
from audit.records.finding import Certainty, Finding, Severity
from audit.records.run import RunResult
from audit.records.verdict import Trust, Verdict, VerdictState
from tests import builders
from tests.reports import runs

ONE, TWO, THREE = "openai:one", "openai:two", "openai:three"


def run(*verdicts: Verdict) -> RunResult:
    benchmark = builders.benchmark(builders.task("a"), builders.task("b"))
    judges = tuple(dict.fromkeys(verdict.judge for verdict in verdicts))
    panel = None
    if len(judges) > 1:
        panel = measure_panel(benchmark, verdicts, metrics=("desc_alignment",), judges=judges, seed=0)
    return runs.result(benchmark, verdicts=verdicts, panel=panel)


def says(score: float | None, *, task: str = "a", judge: str = ONE, trial: int = 0, **fields: Any) -> Verdict:  # noqa: ANN401
    state = VerdictState.OK if score is not None else VerdictState.TIMEOUT
    return builders.verdict(task, score=score, state=state, judge=judge, trial=trial, **fields)


def only(*verdicts: Verdict) -> Finding:
    (found,) = judged_findings(run(*verdicts))
    return found


def test_a_low_score_is_a_finding_and_a_higher_one_is_none() -> None:
    assert [finding.task_id for finding in judged_findings(run(says(3), says(4, task="b")))] == ["a"]


def test_the_threshold_can_be_raised() -> None:
    assert len(judged_findings(run(says(3), says(4, task="b")), threshold=4)) == 2


def test_a_judged_finding_is_a_warning_of_certainty_judged() -> None:
    found = only(says(2, reasons=("The goal is left out.",)))
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.JUDGED)
    assert found.rule == "judged-desc-alignment"
    assert dict(found.evidence) == {"judge": f"{ONE}: 2", "reason": "The goal is left out."}


def test_the_mean_over_trials_counts() -> None:
    assert judged_findings(run(says(1), says(9, trial=1))) == ()
    assert "1 of 2 verdicts" in only(says(1), says(5, trial=1)).what


def test_one_verdict_is_never_stable_and_several_low_ones_are() -> None:
    assert not only(says(1)).is_stable
    assert only(says(1), says(2, trial=1)).is_stable
    assert not only(says(1), says(5, trial=1)).is_stable


def test_a_missing_verdict_is_no_low_one() -> None:
    assert judged_findings(run(says(None))) == ()
    assert not only(says(1), says(2, trial=1), says(None, trial=2)).is_stable


def test_of_a_panel_the_median_counts() -> None:
    assert judged_findings(run(says(1), says(8, judge=TWO), says(9, judge=THREE))) == ()
    found = only(says(1), says(2, judge=TWO), says(9, judge=THREE))
    assert "The 3 judges give, as a median, 2 of 10" in found.what
    assert [value for label, value in found.evidence if label == "judge"] == [f"{ONE}: 1", f"{TWO}: 2", f"{THREE}: 9"]


def test_a_panel_below_its_quorum_says_nothing() -> None:
    assert judged_findings(run(says(1), says(None, judge=TWO), says(None, judge=THREE))) == ()


def test_the_fingerprint_is_the_same_whoever_judges_and_whatever_the_score() -> None:
    prints = {only(says(1)).fingerprint, only(says(3, judge=TWO)).fingerprint}
    assert len(prints) == 1


def test_what_is_no_real_judge_is_labelled_and_the_offline_score_is_no_judge_at_all() -> None:
    assert "[scripted (not a real judge)]" in dict(only(says(1, trust=Trust.SCRIPTED)).evidence)["judge"]
    offline = says(0.1, criterion="offline_match", trust=Trust.OFFLINE)
    assert judged_findings(run(offline)) == ()


def test_policy_alignment_has_its_own_rule() -> None:
    found = only(says(2, criterion="policy_alignment"))
    assert found.rule == "judged-policy-alignment"


def test_a_long_reason_is_cut() -> None:
    assert len(dict(only(says(1, reasons=("x" * 5000,))).evidence)["reason"]) == 200

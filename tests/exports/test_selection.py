from __future__ import annotations

import pytest

from audit.errors import UsageError
from audit.exports.expression import parse
from audit.exports.selection import NOT_CHOSEN, TASK_METRICS, TaskScores, metrics_of, read_scores, select
from audit.metrics.measure import measure_all
from audit.metrics.panel import measure_panel
from audit.records.check import CheckResult
from audit.records.export import Selection
from audit.records.run import RunResult
from audit.records.verdict import Verdict, VerdictState
from tests import builders
from tests.reports import checked, runs

ONE, TWO = "openai:one", "openai:two"


def found(**fields: object) -> CheckResult:
    tasks = tuple(builders.task(name) for name in ("a", "b", "c"))
    benchmark = builders.benchmark(*tasks[:2], corpus=tasks if fields.get("is_part") else ())
    findings = (checked.finding(checked.FAILS, "a"), checked.finding(checked.ALIKE, None))
    return checked.result(*findings, benchmark=benchmark)


def choose(text: str, scores: dict[str, TaskScores] | None = None, **fields: object) -> Selection:
    return select(parse(text, metrics=TASK_METRICS), found(**fields), scores=scores or {})


def scored(*verdicts: Verdict) -> RunResult:
    benchmark = builders.benchmark(builders.task("a"), builders.task("b"))
    judges, names = tuple(dict.fromkeys(verdict.judge for verdict in verdicts)), ("desc_alignment",)
    scores = measure_all(benchmark, verdicts, metrics=names, judges=judges, seed=0)
    panel = measure_panel(benchmark, verdicts, metrics=names, judges=judges, seed=0) if len(judges) > 1 else None
    settings = runs.settings(judges)
    return runs.result(benchmark, verdicts=verdicts, scores=scores, panel=panel, settings=settings)


def says(score: float | None, task: str, *, judge: str = ONE, trial: int = 0) -> Verdict:
    state = VerdictState.OK if score is not None else VerdictState.TIMEOUT
    return builders.verdict(task, score=score, state=state, judge=judge, trial=trial)


def test_a_task_is_kept_or_left_out_with_its_reasons_and_findings() -> None:
    selection = choose("severity<error")
    assert selection.kept == ("b",)
    (left,) = selection.left_out
    assert (left.task_id, left.reasons) == ("a", ("severity<error: it is error",))
    assert [finding.rule for finding in left.findings] == ["loan-write-fails"]


def test_findings_of_the_whole_set_leave_no_task_out() -> None:
    selection = choose("severity=none or severity=error")
    assert selection.kept == ("a", "b")
    assert [finding.rule for finding in selection.whole_set] == ["texts-alike"]


def test_tasks_that_nobody_looked_at_are_left_out_and_say_so() -> None:
    left = choose("severity<error", is_part=True).left_out
    assert [(each.task_id, each.reasons) for each in left[1:]] == [("c", (NOT_CHOSEN,))]


def test_keeping_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="no task is left"):
        choose("tag=nowhere")


@pytest.mark.parametrize(
    "text", ["desc_alignment>=1", "not desc_alignment<1", "severity<error or desc_alignment>1", "desc_alignment!=3"]
)
def test_a_task_with_a_missing_score_is_left_out_whatever_else_holds(text: str) -> None:
    scores = {"desc_alignment": TaskScores({"a": 9.0}, {"b": "desc_alignment is missing"})}
    selection = choose(text, scores)
    assert selection.kept == ("a",)
    assert selection.left_out[0].reasons == ("desc_alignment is missing",)


def test_known_scores_go_into_the_list() -> None:
    scores = {"desc_alignment": TaskScores({"a": 9.0, "b": 2.0}, {})}
    (left,) = choose("desc_alignment>5", scores).left_out
    assert (left.task_id, left.scores, left.reasons) == ("b", {"desc_alignment": 2.0}, ("desc_alignment>5: it is 2",))


def test_the_only_judges_mean_is_the_score() -> None:
    scores = read_scores(
        scored(says(4, "a"), says(8, "a", trial=1), says(7, "b"), says(7, "b", trial=1)), "desc_alignment"
    )
    assert scores.by_task == {"a": 6.0, "b": 7.0}
    assert scores.why_missing == {}


def test_of_a_panel_the_median_is_the_score() -> None:
    verdicts = [says(n, task, judge=judge) for judge, n in ((ONE, 4), (TWO, 9)) for task in ("a", "b")]
    assert read_scores(scored(*verdicts), "desc_alignment").by_task == {"a": 6.5, "b": 6.5}


def test_one_missing_trial_is_a_missing_score() -> None:
    scores = read_scores(
        scored(says(9, "a"), says(None, "a", trial=1), says(9, "b"), says(9, "b", trial=1)), "desc_alignment"
    )
    assert scores.by_task == {"b": 9.0}
    assert scores.why_missing == {"a": "desc_alignment is missing: 1 of 2 verdicts are not there (1 timeout)"}


def test_a_question_that_can_not_be_put_is_a_missing_score_too() -> None:
    undefined = builders.verdict("a", state=VerdictState.UNDEFINED, judge=ONE, problem="the policy has no items")
    scores = read_scores(scored(undefined, says(8, "b")), "desc_alignment")
    assert scores.why_missing == {"a": "desc_alignment is undefined: the policy has no items"}


def test_a_task_without_any_record_has_no_score() -> None:
    scores = read_scores(scored(says(8, "b")), "desc_alignment")
    assert scores.why_missing == {"a": "desc_alignment has no value"}


def test_an_incomplete_run_makes_the_selection_incomplete_and_names_its_judges() -> None:
    run = scored(says(9, "a"), says(None, "b"))
    read = {"desc_alignment": read_scores(run, "desc_alignment")}
    selection = select(parse("desc_alignment>1", metrics=TASK_METRICS), found(), scores=read, runs=(run,))
    assert (selection.is_complete, selection.judges, selection.kept) == (False, (ONE,), ("a",))


def test_the_metrics_that_an_expression_names_are_found_once() -> None:
    read = parse("desc_alignment>1 and severity<error and not desc_alignment>9", metrics=TASK_METRICS)
    assert metrics_of(read) == ("desc_alignment",)
    assert "violation_coverage" not in TASK_METRICS

"""One pass of checks, with small checks of our own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.checks.protocol import Check, Subject
from audit.checks.running import NEEDS_A_JUDGE, Choice, find_rule, run_checks
from audit.environments.registry import environment_for
from audit.errors import UsageError
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding, Severity
from audit.records.task import Tool, ToolKind
from audit.sources.resolve import resolve_source
from tests import builders
from tests.reports import checked


def _alike(subject: Subject) -> Iterator[Finding]:
    yield checked.finding(checked.ALIKE, None)
    for task in subject.benchmark.tasks:
        yield checked.finding(checked.VAGUE, task.id)


def _fails(subject: Subject) -> Iterator[Finding]:
    yield checked.finding(checked.FAILS, subject.benchmark.tasks[-1].id)


def _never(subject: Subject) -> Iterator[Finding]:
    raise AssertionError("nobody asked for this check")
    yield


CHECKS = (
    Check("alike", (checked.ALIKE, checked.VAGUE), _alike),
    Check("fails", (checked.FAILS,), _fails),
)


def subject() -> Subject:
    return Subject(builders.benchmark(builders.task("a"), builders.task("b")))


def test_findings_of_all_checks_come_in_one_order() -> None:
    result = run_checks(subject(), Choice(checks=CHECKS))
    assert [(finding.rule, finding.task_id) for finding in result.findings] == [
        ("loan-write-fails", "b"), ("text-is-vague", "a"), ("text-is-vague", "b"), ("texts-alike", None),
    ]  # fmt: skip
    assert result.n_by_severity == {Severity.ERROR: 1, Severity.WARNING: 2, Severity.NOTE: 1}
    assert result.n_by_rule == {"texts-alike": 1, "text-is-vague": 2, "loan-write-fails": 1}


def test_only_the_chosen_rules_are_looked_for_and_other_checks_do_not_run() -> None:
    checks = (*CHECKS, Check("never", (checked.JUDGED,), _never))
    result = run_checks(subject(), Choice(only=("text-is-vague",), checks=checks))
    assert {finding.rule for finding in result.findings} == {"text-is-vague"}
    assert [rule.id for rule in result.rules] == ["text-is-vague"]
    (gap,) = [gap for gap in result.unchecked if "--rule" in gap.reason]
    assert gap.rules == ("texts-alike", "loan-write-fails", "judged-desc-alignment")


def test_skipped_rules_are_reported_as_left_out() -> None:
    result = run_checks(subject(), Choice(skip=("text-is-vague",), checks=CHECKS))
    assert "text-is-vague" not in {finding.rule for finding in result.findings}
    assert ("text-is-vague",) in [gap.rules for gap in result.unchecked]


def test_all_rules_by_name_leave_none_out() -> None:
    names = tuple(rule.id for check in CHECKS for rule in check.rules)
    assert not [gap for gap in run_checks(subject(), Choice(only=names, checks=CHECKS)).unchecked if gap.rules]


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(only=("text-is-vage",), checks=CHECKS), "text-is-vague"),
        (Choice(skip=("zzz",), checks=CHECKS), "--rules"),
        (Choice(only=("text-is-vague",), skip=("text-is-vague",), checks=CHECKS), "no rule is left"),
    ],
)
def test_a_choice_that_makes_no_sense_is_an_error_with_advice(choice: Choice, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run_checks(subject(), choice)


def test_what_the_files_lack_is_said() -> None:
    reasons = " ".join(gap.reason for gap in run_checks(subject(), Choice(checks=CHECKS)).unchecked)
    assert all(word in reasons for word in ("no environment", "no tool table", "no database", "--policy-rules"))


def test_tasks_that_were_not_looked_at_are_counted() -> None:
    one, two = builders.task("a", actions=None), builders.task("b")
    benchmark = builders.benchmark(one, corpus=(one, two))
    whats = [gap.what for gap in run_checks(Subject(benchmark), Choice(checks=CHECKS)).unchecked]
    assert "1 of the 2 tasks in the files" in whats
    assert "the gold actions of 1 of 1 tasks" in whats


def test_where_everything_is_there_only_the_judge_is_missing() -> None:
    benchmark = load_benchmark(resolve_source("sample/library"))
    environment = environment_for(benchmark)
    result = run_checks(Subject(benchmark, environment), Choice(checks=CHECKS))
    assert result.environment == "sample-library"
    assert [gap.what for gap in result.unchecked] == ["gold actions against the policy", NEEDS_A_JUDGE.what]


def test_a_tool_table_and_a_database_are_enough_to_say_nothing_of_them() -> None:
    tools = (Tool("renew", ToolKind.WRITE),)
    given = builders.benchmark(tools=tools, database={"loans": {"L1": {}}})
    whats = " ".join(gap.what for gap in run_checks(Subject(given), Choice(checks=CHECKS)).unchecked)
    assert "signatures" not in whats
    assert "owners" not in whats


def test_every_rule_is_taken_without_a_choice() -> None:
    from audit.checks.registry import RULES  # noqa: PLC0415  # beside its only use

    assert {rule.id for rule in run_checks(subject()).rules} == set(RULES)


def test_a_rule_is_found_by_its_id() -> None:
    assert find_rule("texts-alike", checked.RULES, where="--explain") is checked.ALIKE


def test_what_fails_depends_on_the_severity_asked_for() -> None:
    result = run_checks(subject(), Choice(checks=CHECKS))
    assert result.failing == ()
    assert len(result.at_least(Severity.WARNING)) == 3
    assert len(result.of_task("b")) == 2

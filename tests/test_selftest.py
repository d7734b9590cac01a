"""The self-test's arithmetic, on small results of our own."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from audit.records.check import CheckResult
from audit.records.run import RunResult
from audit.records.selftest import Flaw, SelfTestResult
from audit.records.verdict import Trust, VerdictState
from audit.reports.selftest import render_text
from audit.selftest import AnswerKey, compare, read_answer_key
from tests import builders
from tests.conftest import REPO
from tests.reports import checked, runs

FLAWS = (
    Flaw("a", "wrong_gold", "behavior", "The gold is wrong."),
    Flaw("b", "duplicate", "description", "A copy of c.", partner="c"),
    Flaw("e", "missed_goal", "behavior", "A goal is left out."),
)
KEY = AnswerKey(FLAWS, ("c", "d"))
BENCHMARK = builders.benchmark(*(builders.task(name) for name in "abcde"))


def found(*pairs: tuple[str, str | None]) -> CheckResult:
    rules = {rule.id: rule for rule in checked.RULES}
    return checked.result(*(checked.finding(rules[rule], task) for rule, task in pairs), benchmark=BENCHMARK)


def offline(**values: float) -> RunResult:
    scores = (
        runs.score("offline_match", values, "offline", trust=Trust.OFFLINE),
        runs.score("violation_count", {"d": 0.0}),
    )
    verdicts = [
        builders.verdict(task, score=value, criterion="offline_match", trust=Trust.OFFLINE)
        for task, value in values.items()
    ]
    return runs.result(BENCHMARK, scores=scores, verdicts=verdicts, settings=runs.settings(()), notes=("A heuristic.",))


def judged(**scores: float | None) -> RunResult:
    verdicts = [
        builders.verdict(
            task, score=score, state=VerdictState.OK if score else VerdictState.TIMEOUT, judge="openai:one"
        )
        for task, score in scores.items()
    ]
    return runs.result(BENCHMARK, verdicts=verdicts, settings=runs.settings(("openai:one",)))


def layers(result: SelfTestResult) -> dict[str, tuple[int, int, int]]:
    return {layer.name: (layer.n_found, layer.n_false, layer.n_missing) for layer in result.layers}


def test_findings_mark_their_tasks() -> None:
    result = compare(KEY, found(("loan-write-fails", "a"), ("text-is-vague", "d")))
    assert layers(result) == {"checks": (1, 1, 0), "together": (1, 1, 0)}
    assert result.layers[0].recall == pytest.approx(1 / 3)
    assert result.layers[0].precision == 0.5
    assert [alarm.task_id for alarm in result.false_alarms] == ["d"]


def test_notes_and_findings_of_the_set_mark_nothing() -> None:
    result = compare(KEY, found(("texts-alike", "d"), ("loan-write-fails", None)))
    assert layers(result)["checks"] == (0, 0, 0)
    assert result.layers[0].precision is None


def test_a_finding_on_the_partner_is_no_false_alarm_if_it_is_the_pairs() -> None:
    result = compare(KEY, found(("text-is-vague", "b"), ("text-is-vague", "c"), ("loan-write-fails", "c")))
    assert [(alarm.task_id, alarm.by) for alarm in result.partner_alarms] == [("c", "text-is-vague")]
    assert [(alarm.task_id, alarm.by) for alarm in result.false_alarms] == [("c", "loan-write-fails")]


def test_low_offline_matches_mark_and_are_a_layer_of_their_own() -> None:
    result = compare(KEY, found(("loan-write-fails", "a")), runs=(offline(a=0.4, b=0.5, d=0.1),))
    assert layers(result) == {"checks": (1, 0, 0), "offline score": (1, 1, 0), "together": (1, 1, 0)}
    assert result.notes == ("A heuristic.",)


def test_judges_low_scores_mark_and_their_missing_verdicts_are_counted() -> None:
    run = judged(a=1, b=9, d=2, e=None)
    result = compare(KEY, found(), runs=(run,))
    assert layers(result)["judges"] == (1, 1, 1)
    assert not result.is_complete


def test_the_kinds_that_only_a_judge_sees_are_named() -> None:
    result = compare(
        KEY,
        found(("text-is-vague", "b")),
        runs=(
            judged(a=1),
            offline(a=0.9),
        ),
    )
    assert result.unseen_by_checks == ("wrong_gold", "missed_goal")


def test_text_lists_false_alarms_and_pairs() -> None:
    result = compare(KEY, found(("text-is-vague", "b"), ("text-is-vague", "c"), ("loan-write-fails", "d")))
    text = render_text(result).decode()
    assert "False alarms: sound tasks that were marked\n  d  loan-write-fails" in text
    assert "sound tasks that a flaw copies\n  c  text-is-vague" in text
    assert "wrong_gold   a  not found" in text


def test_the_answer_key_parts_the_sample() -> None:
    key = read_answer_key()
    assert (len(key.flaws), len(key.sound)) == (14, 28)


def test_no_other_module_reads_the_answer_key() -> None:
    readers = [
        path for path in sorted((REPO / "audit").rglob("*.py")) if "answer_key.json" in strings(path.read_text())
    ]
    assert [path.name for path in readers] == ["selftest.py"]


def strings(source: str) -> Sequence[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]

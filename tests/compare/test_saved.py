"""Saved runs read back: the same comparison as the runs themselves, and clear errors for anything else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from audit.compare.saved import is_saved_run, read_snapshot
from audit.compare.snapshot import take_snapshot
from audit.errors import LoadError
from audit.gate.evaluate import evaluate
from audit.reports import findings_json, gate_json, to_json
from tests.gate import made
from tests.reports import checked, runs


def test_a_saved_score_reads_back_as_the_run_itself() -> None:
    run = runs.small()
    taken = take_snapshot("run.json", run.benchmark, runs=[run])
    read = read_snapshot(to_json.render(run), where="run.json")
    assert {**read.tasks} == {**taken.tasks}
    for name in ("label", "benchmark", "policy_sha256", "items", "violated", "behavior", "trials", "prompts", "models"):
        assert getattr(read, name) == getattr(taken, name), name
    assert [(one.metric, one.value, one.by_task, one.interval, one.trust) for one in read.scores] == [
        (one.metric, one.value, one.by_task, one.interval, one.trust) for one in taken.scores
    ]
    assert read.findings is None


def test_a_panel_and_the_judges_that_were_not_asked_read_back() -> None:
    panel = read_snapshot(to_json.render(runs.panel()), where="x")
    assert "panel (median of 2)" in {score.judge for score in panel.scores}
    offline = read_snapshot(to_json.render(runs.offline()), where="x")
    assert {score.metric for score in offline.scores} == {"offline_match"}


def test_a_saved_check_reads_back_as_the_check_itself() -> None:
    result = made.checked(made.finding(), made.finding("set-unbalanced", None))
    taken = take_snapshot("check.json", result.benchmark, checked=result)
    read = read_snapshot(findings_json.render(result), where="check.json")
    assert (read.findings, read.rules, read.tasks) == (taken.findings, taken.rules, taken.tasks)
    assert read.items is None
    assert read.scores == ()


def test_a_saved_score_that_was_checked_brings_its_findings_and_every_rule_that_was_looked_for() -> None:
    run = checked.audited()
    assert run.checked is not None
    silent = replace(run.checked.rules[0], id="found-nothing")
    run = replace(run, checked=replace(run.checked, rules=(*run.checked.rules, silent)))
    taken = take_snapshot("run.json", run.benchmark, checked=run.checked, runs=[run])
    read = read_snapshot(to_json.render(run), where="run.json")
    assert (read.findings, read.rules) == (taken.findings, taken.rules)
    assert "found-nothing" in read.rules


def test_a_saved_gate_reads_back_with_its_findings_and_its_runs() -> None:
    result = evaluate(made.settings(), made.evidence(made.checked(made.finding()), runs.small(), runs.offline()))
    read = read_snapshot(gate_json.render(result), where="gate.json")
    assert read.findings is not None
    assert len(read.findings) == 1
    assert {"desc_alignment", "offline_match"} <= {score.metric for score in read.scores}


def test_what_an_older_version_wrote_reads_back_without_contents_of_tasks() -> None:
    document = json.loads(to_json.render(runs.small()))
    for task in document["tasks"]:
        del task["content"]
    assert set(map(len, read_snapshot(json.dumps(document).encode(), where="x").tasks.values())) == {0}


def broken(change: Any) -> bytes:  # noqa: ANN401  # any JSON
    return json.dumps({**json.loads(to_json.render(runs.small())), **change}).encode()


def first_score(change: Any) -> bytes:  # noqa: ANN401  # any JSON
    scores = json.loads(to_json.render(runs.small()))["scores"]
    return broken({"scores": [scores[0] | change, *scores[1:]]})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no saved run"),
        (b"\xff\xfe", "is no saved run"),
        (b"[1]", "is no saved run"),
        (b'{"format": "other/run"}', "is no saved run"),
        (b"[" * 100_000, "is no saved run"),
        (b'{"format": "bench-audit/comparison"}', "bench-audit/run"),
        (broken({"format_version": 2}), "format_version"),
        (broken({"scores": [{}]}), "scores.0.metric"),
        (broken({"verdicts": 3}), "verdicts"),
        (broken({"scores": "NaN"}), "scores"),
        (first_score({"by_task": {"t1": 1e308}}), "scores.0.by_task.t1"),
        (first_score({"value": -1e300}), "scores.0.value"),
    ],
)
def test_anything_else_is_one_clear_error(content: bytes, words: str) -> None:
    with pytest.raises(LoadError, match=r"^odd\.json: ") as caught:
        read_snapshot(content, where="odd.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "--format json" in str(caught.value)


def test_a_list_of_tasks_is_a_benchmark_and_no_saved_run() -> None:
    assert not is_saved_run(b'[{"id": "1"}]')
    assert is_saved_run(to_json.render(runs.small()))

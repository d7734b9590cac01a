"""A gate's result in every format: verdict first, numbers and reasons, hostile text harmless."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.compare.sides import compare
from audit.compare.snapshot import take_snapshot
from audit.gate.evaluate import evaluate
from audit.gate.waivers import content_of
from audit.records.gate import GateResult, Kind, Level
from audit.records.verdict import Trust
from audit.reports.gate_formats import GATE_FORMATS
from audit.reports.gate_words import N_LISTED
from tests.conftest import REPO
from tests.gate.made import benchmark, checked, demand, evidence, finding, run, score, settings, waiver

HOSTILE = "\x1b[31m</failure>]]>`|<script>\u202e\x00\n## PASS\n| x |"
SCHEMA = json.loads((REPO / "docs" / "schema" / "gate-1.json").read_text(encoding="utf-8"))
SARIF = next((Path(__file__).parent.parent / "reports" / "schemas").glob("sarif*.json"), None)


def result(**fields: Any) -> GateResult:  # noqa: ANN401  # any field of a finding
    content = content_of(benchmark(), "text-doubtful", task_id="t2", findings=())
    lines = settings(
        demand(Kind.SEVERITY, "error", fail=0),
        demand(Kind.SEVERITY, "warning", warn=0),
        demand(Kind.METRIC, "desc_alignment", fail=7.0),
        waivers=[waiver("text-doubtful", "t2", content=content, reason=fields.pop("reason", "Fine."))],
    )
    found = checked(finding(**fields), finding("text-doubtful", "t2"), finding("text-doubtful", "t3"))
    now = take_snapshot("now", benchmark(), checked=found)
    old = take_snapshot("old.json", benchmark(), checked=checked(finding("text-doubtful", "t3")))
    bad = score(low=5.0, high=9.0, n_verdicts_missing=1, trust=Trust.SCRIPTED)
    return evaluate(lines, evidence(found, run(bad, n_missing=1), comparison=compare(old, now)))


def text(format_name: str, given: GateResult) -> str:
    return GATE_FORMATS[format_name](given).decode()


def test_the_verdict_is_the_first_word() -> None:
    assert text("text", result()).startswith("FAIL: test/domain, of 5 criteria, 1 failed, 2 could not be decided")
    assert text("markdown", result()).splitlines()[0] == "## ❌ FAIL: bench-audit gate on `test/domain`"


def test_every_criterion_is_told_with_its_number_its_threshold_and_whose_it_is() -> None:
    shown = text("text", result())
    assert "severity error: 1 found; fails above 0" in shown
    assert "severity warning: 0 found, 1 waived and 1 known; warns above 0" in shown
    assert "desc_alignment: 8.000 by openai:gpt-5.4 [scripted (not a real judge)]" in shown
    assert "waiver text-doubtful:t2: used: until 2027-03-31 (ada: Fine.)" in shown
    assert "gold-unknown-id at tasks.json task t1" in shown


def test_the_gravest_criteria_come_first() -> None:
    levels = [line.split()[0] for line in text("text", result()).splitlines() if line[:4] in ("FAIL", "INCO", "PASS")]
    assert levels == ["FAIL:", "FAIL", "INCOMPLETE", "INCOMPLETE", "PASS", "PASS"]


def test_only_the_first_findings_are_listed_and_the_others_counted() -> None:
    many = checked(*(finding(subject=f"B{n}") for n in range(N_LISTED + 3)))
    given = evaluate(settings(demand(Kind.SEVERITY, "error", fail=0)), evidence(many))
    assert "… and 3 more" in text("text", given)
    assert "… and 3 more" in text("junit", given)


def test_json_follows_its_schema_and_holds_what_a_baseline_needs() -> None:
    document = json.loads(text("json", result()))
    jsonschema.validate(document, SCHEMA)
    assert (document["level"], document["baseline"]) == ("fail", "old.json")
    assert document["check"]["format"] == "bench-audit/findings"
    assert document["runs"][0]["format"] == "bench-audit/run"
    assert len(document["counted"]) + len(document["waived"]) + len(document["known"]) == 3


def test_json_of_a_gate_without_a_baseline_follows_its_schema_too() -> None:
    given = evaluate(settings(), evidence(checked()))
    document = json.loads(text("json", given))
    jsonschema.validate(document, SCHEMA)
    assert (document["level"], document["comparison"]) == ("pass", None)


def test_junit_has_a_case_a_criterion_with_failures_and_errors() -> None:
    (suite,) = ET.fromstring(text("junit", result()))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "1", "2")
    cases = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert cases["severity error"] == ["failure"]
    assert cases["metric desc_alignment"] == ["error"]
    assert cases["severity warning"] == []


def test_a_warning_is_no_failure_in_junit() -> None:
    given = evaluate(settings(demand(Kind.SEVERITY, "error", warn=0)), evidence(checked(finding())))
    (suite,) = ET.fromstring(text("junit", given))
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")
    assert suite.find("testcase/system-out") is not None


def test_sarif_marks_what_is_waived_as_suppressed_and_what_is_known_as_unchanged() -> None:
    (log,) = json.loads(text("sarif", result()))["runs"]
    marks = [(each["properties"]["taskId"], "suppressions" in each, each["baselineState"]) for each in log["results"]]
    assert marks == [("t1", False, "new"), ("t2", True, "new"), ("t3", False, "unchanged")]
    assert log["results"][1]["suppressions"][0]["justification"] == "Fine. (ada, until 2027-03-31)"
    notes = [note["level"] for note in log["invocations"][0]["toolExecutionNotifications"]]
    assert notes[:3] == ["error", "error", "error"]
    assert log["properties"]["gate"] == "fail"


def test_sarif_without_a_baseline_says_nothing_of_one() -> None:
    given = evaluate(settings(), evidence(checked(finding())))
    (log,) = json.loads(text("sarif", given))["runs"]
    assert "baselineState" not in log["results"][0]


@pytest.mark.skipif(SARIF is None, reason="the schema of SARIF is not here")
def test_sarif_follows_the_official_schema() -> None:
    assert SARIF is not None
    schema = json.loads(SARIF.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    for given in (result(), result(what=HOSTILE, reason=HOSTILE), evaluate(settings(), evidence(checked()))):
        errors = [error.message for error in validator.iter_errors(json.loads(text("sarif", given)))]
        assert not errors


@pytest.mark.parametrize("format_name", list(GATE_FORMATS))
def test_hostile_text_changes_no_verdict_and_steers_no_terminal(format_name: str) -> None:
    given = result(what=HOSTILE, subject=HOSTILE, task_id="t1", reason=HOSTILE)
    given = replace(given, notes=(*given.notes, HOSTILE))
    shown = text(format_name, given)
    assert not set(shown) & {"\x1b", "\x00", "\u202e"}
    assert "\n## PASS" not in shown
    assert not shown.startswith("PASS")
    if format_name == "junit":
        assert ET.fromstring(shown).get("failures") == "1"
    if format_name == "markdown":
        assert "\n| x |" not in shown


def test_a_long_list_is_cut_for_a_pull_request() -> None:
    many = checked(*(finding(subject=f"B{n}", what="x" * 390) for n in range(400)))
    shown = text("markdown", evaluate(settings(), evidence(many)))
    assert len(shown) < 65_000
    assert "more\n" in shown


@pytest.mark.parametrize("level", list(Level))
def test_every_level_has_its_word_everywhere(level: Level) -> None:
    given = result()
    (first, *rest) = given.criteria
    given = replace(given, criteria=(replace(first, level=level), *rest))
    for format_name in GATE_FORMATS:
        assert GATE_FORMATS[format_name](given) == GATE_FORMATS[format_name](given)

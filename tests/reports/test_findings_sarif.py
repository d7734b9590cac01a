from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.records.check import CheckResult
from audit.records.task import Origin
from audit.reports.findings_sarif import FINGERPRINT, render
from tests.reports import checked, hostile

SCHEMA = Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json"


def run_of(result: CheckResult) -> Any:  # noqa: ANN401  # any JSON
    (run,) = json.loads(render(result))["runs"]
    return run


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_bytes()), format_checker=jsonschema.FormatChecker())


@pytest.mark.parametrize("result", [checked.small(), checked.clean(), checked.result(tool_version="")])
def test_output_keeps_the_official_schema(validator: jsonschema.Draft4Validator, result: CheckResult) -> None:
    validator.validate(json.loads(render(result)))


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_hostile_output_keeps_the_official_schema(validator: jsonschema.Draft4Validator, name: str) -> None:
    validator.validate(json.loads(render(checked.everywhere(hostile.STRINGS[name]))))


def test_the_schema_would_refuse_a_broken_file(validator: jsonschema.Draft4Validator) -> None:
    document = json.loads(render(checked.small()))
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(document)


def test_a_result_points_to_its_rule_its_file_and_its_line() -> None:
    run = run_of(checked.small())
    first = run["results"][0]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "loan-write-fails"
    (location,) = first["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "library/tasks.json"},
        "region": {"startLine": 12},
    }
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "task 0 actions[0]"
    assert first["level"] == "error"


def test_a_result_is_known_by_our_fingerprint() -> None:
    result = checked.small()
    prints = [each["partialFingerprints"][FINGERPRINT] for each in run_of(result)["results"]]
    assert prints == [finding.fingerprint for finding in result.findings if finding.is_stable]


def test_judged_findings_stand_in_it_only_when_stable_and_the_others_are_counted() -> None:
    run = run_of(checked.small())
    judged = [each for each in run["results"] if each["properties"]["certainty"] == "judged"]
    assert len(judged) == 1
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert any(note.startswith("1 judged findings are left out") for note in notes)
    assert any("there is no database" in note for note in notes)


def test_rules_bring_their_help() -> None:
    (first, *_) = run_of(checked.small())["tool"]["driver"]["rules"]
    assert checked.FAILS.explanation in first["help"]["text"]
    assert checked.FAILS.mend in first["help"]["markdown"]
    assert first["defaultConfiguration"]["level"] == "error"


def test_a_text_makes_neither_links_nor_placeholders() -> None:
    (result, *_) = run_of(checked.everywhere("[click](http://evil.test) {0}"))["results"]
    assert "\\[click\\](http://evil.test) {{0}}" in result["message"]["text"]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/tasks.json", "a%20b/tasks.json"),
        ("javascript:alert(1)", "javascript%3Aalert(1)"),
        ("/data/tasks.json", "file:///data/tasks.json"),
        ("ü#?.json", "%C3%BC%23%3F.json"),
    ],
)
def test_a_file_becomes_a_uri_that_is_no_other_scheme(path: str, uri: str) -> None:
    found = checked.finding(checked.FAILS, origin=Origin(path, "", "0"))
    (result,) = run_of(checked.result(found))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_rule_that_the_result_does_not_list_has_no_index() -> None:
    (result,) = run_of(checked.result(checked.finding(checked.FAILS), rules=()))["results"]
    assert "ruleIndex" not in result


def test_files_carry_their_hashes() -> None:
    artifacts = run_of(checked.small())["artifacts"]
    assert artifacts[0] == {"location": {"uri": "library/tasks.json"}, "hashes": {"sha-256": "ab" * 32}}

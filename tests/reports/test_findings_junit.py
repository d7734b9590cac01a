from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from audit.records.check import CheckResult
from audit.records.finding import Severity
from audit.reports.findings_junit import render
from tests.reports import checked, hostile


def suites(result: CheckResult) -> dict[str, ET.Element]:
    root = ET.fromstring(render(result))
    return {suite.attrib["name"].split(":")[0]: suite for suite in root}


def cases(suite: ET.Element) -> dict[str, ET.Element]:
    return {case.attrib["name"]: case for case in suite}


def test_there_is_a_suite_a_rule_and_a_case_a_task_that_breaks_it() -> None:
    found = suites(checked.small())
    assert list(found) == [*(rule.id for rule in checked.RULES), "dead-criterion"]
    assert list(cases(found["loan-write-fails"])) == ["task 0", "task 2", "the other 1 task"]
    assert list(cases(found["texts-alike"])) == ["the set as a whole", "the other 3 tasks"]


def test_an_error_fails_its_case_and_says_where() -> None:
    failure = cases(suites(checked.small())["loan-write-fails"])["task 0"].find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "renew_loan refuses 'L000'."
    assert "library/tasks.json:12 task 0 actions[0]" in (failure.text or "")


def test_a_milder_finding_passes_with_its_text() -> None:
    case = cases(suites(checked.small())["text-is-vague"])["task 0"]
    assert case.find("failure") is None
    assert "warning (likely)" in (case.findtext("system-out") or "")


def test_what_fails_is_what_the_user_said() -> None:
    strict = suites(replace(checked.small(), fail_on=Severity.WARNING))
    assert cases(strict["text-is-vague"])["task 0"].find("failure") is not None
    assert cases(strict["texts-alike"])["the set as a whole"].find("failure") is None
    silent = suites(checked.result(checked.finding(checked.FAILS)))
    assert cases(silent["loan-write-fails"])["task 0"].find("failure") is not None


def test_a_rule_without_findings_passes_and_one_left_out_is_skipped() -> None:
    assert [case.attrib["name"] for case in suites(checked.clean())["loan-write-fails"]] == ["3 tasks"]
    skipped = cases(suites(checked.small())["dead-criterion"])["left out"].find("skipped")
    assert skipped is not None
    assert "--skip" in skipped.attrib["message"]


def test_the_counts_add_up() -> None:
    root = ET.fromstring(render(checked.small()))
    assert root.attrib["failures"] == str(len(root.findall(".//failure"))) == "2"
    assert root.attrib["tests"] == str(len(root.findall(".//testcase")))
    assert root.attrib["skipped"] == str(len(root.findall(".//skipped"))) == "1"
    for suite in root:
        assert suite.attrib["tests"] == str(len(suite))
        assert suite.attrib["failures"] == str(len(suite.findall("./testcase/failure")))


def test_a_rule_that_every_task_breaks_has_no_case_for_the_others() -> None:
    broken = checked.result(*(checked.finding(checked.FAILS, str(n)) for n in range(3)))
    assert list(cases(suites(broken)["loan-write-fails"])) == ["task 0", "task 1", "task 2"]


@pytest.mark.parametrize("text", [*hostile.STRINGS.values(), "\ufffe\uffff\x0b", "]]>"])
def test_whatever_stands_in_a_benchmark_the_file_is_well_formed(text: str) -> None:
    root = ET.fromstring(render(checked.everywhere(text)))
    assert {element.tag for element in root.iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "system-out", "skipped",
    }  # fmt: skip

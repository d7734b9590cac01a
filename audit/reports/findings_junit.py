"""Findings as JUnit XML: a suite a rule, in it a case a task that breaks the rule, and one for all that do not.

What is grave enough to fail a release fails its case: errors, or what ``--fail-on`` says. Milder findings pass, with
their text as the case's output. Rules that were left out are skipped.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from itertools import groupby

from audit.records.check import CheckResult
from audit.records.finding import Finding, Severity
from audit.reports import numbers
from audit.reports.finding_words import evidence_of, place_of, title_of
from audit.reports.visible import block, line, reveal

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 can't hold."""


def render(result: CheckResult) -> bytes:
    """Return the document, UTF-8; the same result gives the same bytes."""
    fatal = set(map(id, result.at_least(result.fail_on or Severity.ERROR)))
    by_rule: dict[str, list[Finding]] = {rule.id: [] for rule in result.rules}
    for finding in result.findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    root = ET.Element("testsuites", name=_xml(f"bench-audit {line(result.benchmark.name)}"))
    for rule, found in by_rule.items():
        root.append(_suite(rule, found, result, fatal=fatal))
    root.extend(_left_out(result))
    for count in ("tests", "failures", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _suite(rule: str, found: Sequence[Finding], result: CheckResult, *, fatal: set[int]) -> ET.Element:
    place = {task.id: n for n, task in enumerate(result.benchmark.tasks)}
    ordered = sorted(found, key=lambda finding: place.get(finding.task_id or "", -1))
    groups = [list(group) for _, group in groupby(ordered, key=lambda finding: finding.task_id)]
    cases = [_case(group, result, fatal=fatal) for group in groups]
    cases.extend(_others(rule, found, result))
    n_failures = sum(case.find("failure") is not None for case in cases)
    return _make_suite(f"{rule}: {title_of(rule, result)}", cases, failures=n_failures)


def _make_suite(name: str, cases: Iterable[ET.Element], *, failures: int = 0, skipped: int = 0) -> ET.Element:
    suite = ET.Element("testsuite", name=_xml(name))
    suite.extend(cases)
    counts = {"tests": len(suite), "failures": failures, "errors": 0, "skipped": skipped}
    for key, n in counts.items():
        suite.set(key, str(n))
    return suite


def _case(group: Sequence[Finding], result: CheckResult, *, fatal: set[int]) -> ET.Element:
    first = group[0]
    name = "the set as a whole" if first.task_id is None else f"task {line(first.task_id)}"
    case = ET.Element("testcase", classname=_xml(first.rule), name=_xml(name))
    failing = [finding for finding in group if id(finding) in fatal]
    if failing:
        failure = ET.SubElement(case, "failure", type=_xml(first.rule), message=_xml(line(failing[0].what, limit=400)))
        failure.text = _xml("\n\n".join(_describe(finding, result) for finding in failing))
    if passing := [finding for finding in group if id(finding) not in fatal]:
        ET.SubElement(case, "system-out").text = _xml("\n\n".join(_describe(finding, result) for finding in passing))
    return case


def _others(rule: str, found: Sequence[Finding], result: CheckResult) -> Iterable[ET.Element]:
    n = len(result.benchmark.tasks) - len({finding.task_id for finding in found} - {None})
    if n:
        name = f"the other {numbers.plural(n, 'task')}" if found else numbers.plural(n, "task")
        yield ET.Element("testcase", classname=_xml(rule), name=name)


def _left_out(result: CheckResult) -> Iterable[ET.Element]:
    for gap in result.unchecked:
        for rule in gap.rules:
            case = ET.Element("testcase", classname=_xml(rule), name="left out")
            ET.SubElement(case, "skipped", message=_xml(line(gap.reason, limit=400)))
            yield _make_suite(rule, [case], skipped=1)


def _describe(finding: Finding, result: CheckResult) -> str:
    evidence = evidence_of(finding)
    lines = (
        f"{finding.severity.value} ({finding.certainty.value}): {line(finding.what, limit=400)}",
        f"at {line(place_of(finding, result), limit=400)}",
        block(evidence, limit=2000) if evidence else "",
        f"To mend: {line(finding.mend, limit=400)}",
        f"fingerprint {finding.fingerprint}",
    )
    return "\n".join(text for text in lines if text)


def _xml(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", reveal(text))

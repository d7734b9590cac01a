"""A gate's result as JUnit XML: one case a criterion. What fails is a failure, what can't be decided an error."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from audit.records.gate import Criterion, GateResult, Level
from audit.reports.gate_words import describe, listed, more_of, name_of, why_of
from audit.reports.visible import plain

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 can't hold."""
_ELEMENTS = {Level.FAIL: "failure", Level.INCOMPLETE: "error", Level.WARN: "system-out"}


def render(result: GateResult) -> bytes:
    """Return the document, UTF-8; the same result gives the same bytes."""
    root = ET.Element("testsuites", name=_xml(f"bench-audit gate {plain(result.checked.benchmark.name)}"))
    suite = ET.SubElement(root, "testsuite", name=_xml(f"gate: {result.level.value}"))
    suite.extend(_case(criterion, result) for criterion in result.criteria)
    levels = [criterion.level for criterion in result.criteria]
    counts = {"tests": len(levels), "failures": levels.count(Level.FAIL), "errors": levels.count(Level.INCOMPLETE)}
    for element in (root, suite):
        for key, n in counts.items():
            element.set(key, str(n))
    ET.SubElement(suite, "system-out").text = _xml("\n".join(plain(note, limit=600) for note in result.notes))
    ET.indent(root)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _case(criterion: Criterion, result: GateResult) -> ET.Element:
    case = ET.Element("testcase", classname=f"gate.{criterion.kind}", name=_xml(name_of(criterion)))
    if criterion.level is Level.PASS:
        return case
    lines = [why_of(criterion), *(describe(finding, result) for finding in listed(criterion)), more_of(criterion)]
    element = ET.SubElement(case, _ELEMENTS[criterion.level])
    if criterion.level is not Level.WARN:
        element.set("type", criterion.kind.value)
        element.set("message", _xml(lines[0]))
    element.text = _xml("\n".join(line for line in lines if line))
    return case


def _xml(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)

"""Findings as SARIF 2.1.0, for code scanning and editors. Judged findings stand in it only when they are stable."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from audit.records.check import CheckResult
from audit.records.finding import Finding, Rule
from audit.reports.finding_words import evidence_of, is_shaky, path_of
from audit.reports.plain import Plain, dump
from audit.reports.visible import line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "benchAuditFinding/v1"
_LIMIT = 1000


def render(result: CheckResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    log: dict[str, Plain] = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(result)]}
    return f"{dump(log)}\n".encode()


def _run(result: CheckResult) -> dict[str, Plain]:
    index = {rule.id: n for n, rule in enumerate(result.rules)}
    shown = [finding for finding in result.findings if not is_shaky(finding)]
    driver: dict[str, Plain] = {
        "name": "bench-audit",
        "semanticVersion": result.tool_version or "0.0.0",
        "rules": [_rule(rule) for rule in result.rules],
    }
    files = [(path_of(file.path, result), file.sha256) for file in result.benchmark.files]
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"bench-audit/{line(result.benchmark.name)}/"},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(path)}, "hashes": {"sha-256": sha256}} for path, sha256 in files],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_notes(result))}],
        "results": [_result(finding, index, result) for finding in shown],
    }


def _rule(rule: Rule) -> dict[str, Plain]:
    text = f"{rule.explanation}\n\nTo mend: {rule.mend}"
    return {
        "id": rule.id,
        "shortDescription": {"text": message(rule.title)},
        "fullDescription": {"text": message(rule.explanation)},
        "help": {"text": message(text), "markdown": f"{rule.explanation}\n\n**To mend:** {rule.mend}"},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {"certainty": rule.certainty.value, "tags": ["benchmark", rule.certainty.value]},
    }


def _result(finding: Finding, index: dict[str, int], result: CheckResult) -> dict[str, Plain]:
    evidence = evidence_of(finding)
    shown = f" ({line(evidence, limit=_LIMIT)})" if evidence else ""
    text = f"{line(finding.what, limit=_LIMIT)}{shown} To mend: {line(finding.mend, limit=_LIMIT)}"
    found: dict[str, Plain] = {
        "ruleId": finding.rule,
        "level": finding.severity.value,
        "message": {"text": message(text)},
        "locations": [_location(finding, result)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {
            "certainty": finding.certainty.value,
            "taskId": None if finding.task_id is None else line(finding.task_id),
            "policyItem": line(finding.policy_item) or None,
        },
    }
    if finding.rule in index:
        found["ruleIndex"] = index[finding.rule]
    return found


def _location(finding: Finding, result: CheckResult) -> dict[str, Plain]:
    location: dict[str, Plain] = {}
    if finding.origin.file:
        physical: dict[str, Plain] = {"artifactLocation": {"uri": _uri(path_of(finding.origin.file, result))}}
        if finding.line is not None:
            physical["region"] = {"startLine": finding.line}
        location["physicalLocation"] = physical
    task = "" if finding.task_id is None else f"task {finding.task_id}"
    name = line(" ".join(part for part in (task, finding.origin.field) if part), limit=_LIMIT)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "member"}]
    return location


def _notes(result: CheckResult) -> Iterator[Plain]:
    for gap in result.unchecked:
        text = f"Not checked: {line(gap.what, limit=_LIMIT)}: {line(gap.reason, limit=_LIMIT)}."
        yield {"level": "note", "message": {"text": message(text)}}
    n = sum(is_shaky(finding) for finding in result.findings)
    if n:
        text = f"{n} judged findings are left out, because not every one of two verdicts or more repeats them."
        yield {"level": "note", "message": {"text": text}}


def _uri(path: str) -> str:
    """Return a path as a relative reference, or as a ``file`` URI where it is absolute."""
    safe = quote(path.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/~!$&'()*+,;=@-._")
    return f"file://{safe}" if safe.startswith("/") else safe


def message(text: str) -> str:
    """Return a text in which SARIF sees neither links nor placeholders."""
    for character in "\\[]":
        text = text.replace(character, f"\\{character}")
    return text.replace("{", "{{").replace("}", "}}")

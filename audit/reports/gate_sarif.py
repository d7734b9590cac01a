"""A gate's result as SARIF 2.1.0: its findings, those that are waived marked as suppressed with their reason."""

from __future__ import annotations

import json
from typing import Any

from audit.records.gate import GateResult, Level
from audit.reports import findings_sarif
from audit.reports.gate_words import name_of, why_of
from audit.reports.plain import dump
from audit.reports.visible import line

_LEVELS = {Level.FAIL: "error", Level.INCOMPLETE: "error", Level.WARN: "warning"}
_LIMIT = 1000


def render(result: GateResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    log = json.loads(findings_sarif.render(result.checked))
    (run,) = log["runs"]
    run["properties"] = {"gate": result.level.value}
    run["invocations"][0]["toolExecutionNotifications"][:0] = _notifications(result)
    for found in run["results"]:
        _mark(found, result)
    return f"{dump(log)}\n".encode()


def _notifications(result: GateResult) -> list[dict[str, Any]]:
    return [
        {
            "level": _LEVELS[criterion.level],
            "message": {"text": findings_sarif.message(f"{name_of(criterion)}: {why_of(criterion)}")},
        }
        for criterion in result.criteria
        if criterion.level is not Level.PASS
    ]


def _mark(found: dict[str, Any], result: GateResult) -> None:
    fingerprint = found["partialFingerprints"][findings_sarif.FINGERPRINT]
    for outcome in result.waivers:
        if outcome.is_used and fingerprint in {finding.fingerprint for finding in outcome.findings}:
            waiver = outcome.waiver
            reason = f"{line(waiver.reason, limit=_LIMIT)} ({line(waiver.owner)}, until {waiver.expires})"
            found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    if result.comparison is not None and result.comparison.old.findings is not None:
        is_known = fingerprint in {finding.fingerprint for finding in result.comparison.old.findings}
        found["baselineState"] = "unchanged" if is_known else "new"

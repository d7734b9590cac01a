"""A gate's result as versioned JSON; docs/gate.md describes it, docs/schema/gate-1.json is its schema.

It holds the findings and the runs whole, so that the next gate can take it as its baseline.
"""

from __future__ import annotations

from audit.records.gate import Criterion, GateResult, Subset, WaiverOutcome
from audit.reports import findings_json, to_json
from audit.reports.comparison_json import changes_of
from audit.reports.plain import Plain, dump, fields_of, to_plain

FORMAT = "bench-audit/gate"
FORMAT_VERSION = 1


def render(result: GateResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    return f"{dump(to_document(result))}\n".encode()


def to_document(result: GateResult) -> dict[str, Plain]:
    """Return the document as plain values."""
    comparison = result.comparison
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": result.checked.tool_version,
        "level": result.level.value,
        "today": result.today.isoformat(),
        "baseline": None if comparison is None else comparison.old.label,
        "criteria": [_criterion(criterion) for criterion in result.criteria],
        "waivers": [_waiver(outcome) for outcome in result.waivers],
        "counted": [finding.fingerprint for finding in result.counted],
        "waived": [finding.fingerprint for finding in result.waived],
        "known": [finding.fingerprint for finding in result.known],
        "notes": list(result.notes),
        "comparison": None if comparison is None else changes_of(comparison),
        "check": findings_json.to_document(result.checked),
        "runs": [to_json.to_document(run) for run in result.runs],
    }


def _criterion(criterion: Criterion) -> Plain:
    return {
        "kind": criterion.kind.value,
        "name": criterion.name,
        "level": criterion.level.value,
        "why": criterion.why,
        "subset": _subset(criterion.subset),
        "threshold": None if criterion.threshold is None else fields_of(criterion.threshold),
        "number": criterion.number,
        "bound": criterion.bound,
        "judge": criterion.judge or None,
        "trust": to_plain(criterion.trust),
        "findings": [finding.fingerprint for finding in criterion.findings],
    }


def _subset(subset: Subset) -> Plain:
    return {"kind": subset.kind, "name": subset.name} if subset.kind else None


def _waiver(outcome: WaiverOutcome) -> Plain:
    waiver = outcome.waiver
    return {
        "rule": waiver.rule,
        "task_id": waiver.task_id,
        "content": waiver.content,
        "reason": waiver.reason,
        "owner": waiver.owner,
        "expires": waiver.expires.isoformat(),
        "state": outcome.state.value,
        "why": outcome.why,
        "findings": [finding.fingerprint for finding in outcome.findings],
    }

"""Findings as CSV: one row a finding."""

from __future__ import annotations

from audit.records.check import CheckResult
from audit.records.finding import Finding
from audit.reports.cells import write_table
from audit.reports.finding_words import path_of

COLUMNS = (
    "severity", "certainty", "rule", "task_id", "file", "line", "field", "what", "evidence", "mend", "policy_item",
    "stable", "fingerprint",
)  # fmt: skip


def render(result: CheckResult) -> bytes:
    """Return the table, UTF-8; the same result gives the same bytes."""
    return write_table(COLUMNS, (_row(finding, result) for finding in result.findings))


def _row(finding: Finding, result: CheckResult) -> tuple[str, ...]:
    return (
        finding.severity.value,
        finding.certainty.value,
        finding.rule,
        finding.task_id or "",
        path_of(finding.origin.file, result),
        "" if finding.line is None else str(finding.line),
        finding.origin.field,
        finding.what,
        "; ".join(f"{label}: {value}" for label, value in finding.evidence),
        finding.mend,
        finding.policy_item,
        "yes" if finding.is_stable else "no",
        finding.fingerprint,
    )

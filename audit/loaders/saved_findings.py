"""What a saved run says of its checks' findings, back into records."""

from __future__ import annotations

from audit.loaders.saved_numbers import SavedPart
from audit.records.check import CheckResult, Unchecked
from audit.records.finding import Certainty, Finding, Rule, Severity
from audit.records.task import Benchmark, Origin


class _Evidence(SavedPart):
    label: str
    value: str


class _Finding(SavedPart):
    rule: str
    severity: Severity
    certainty: Certainty
    is_stable: bool
    task_id: str | None
    file: str
    path: str
    line: int | None
    field: str
    what: str
    evidence: tuple[_Evidence, ...]
    mend: str
    subject: str
    policy_item: str | None


class _Counts(SavedPart):
    by_rule: dict[str, int]


class SavedFindings(SavedPart):
    """What the checks said of a run."""

    environment: str | None
    counts: _Counts
    rules: tuple[Rule, ...]
    unchecked: tuple[Unchecked, ...]
    findings: tuple[_Finding, ...]


def checked_of(saved: SavedFindings, benchmark: Benchmark, *, tool_version: str) -> CheckResult:
    """Return what the checks said, of the benchmark that was read back."""
    told = {rule.id: rule for rule in saved.rules}
    return CheckResult(
        benchmark=benchmark,
        findings=tuple(map(_finding, saved.findings)),
        rules=tuple(told[id] if id in told else _silent(id) for id in saved.counts.by_rule),
        unchecked=saved.unchecked,
        environment=saved.environment or "",
        tool_version=tool_version,
        paths={finding.file: finding.path for finding in saved.findings if finding.path != finding.file},
    )


def _silent(rule: str) -> Rule:
    """Return a rule that found nothing, of which only the id is saved."""
    return Rule(rule, rule, Severity.NOTE, Certainty.PROVED, "", "")


def _finding(saved: _Finding) -> Finding:
    return Finding(
        rule=saved.rule,
        severity=saved.severity,
        certainty=saved.certainty,
        task_id=saved.task_id,
        origin=Origin(saved.file, saved.field, saved.task_id),
        what=saved.what,
        mend=saved.mend,
        evidence=tuple((each.label, each.value) for each in saved.evidence),
        subject=saved.subject,
        line=saved.line,
        policy_item=saved.policy_item or "",
        is_stable=saved.is_stable,
    )

"""The words for findings that the formats share: places, counts, evidence."""

from __future__ import annotations

from collections.abc import Iterable

from audit.records.check import CheckResult
from audit.records.finding import SEVERITY_ORDER, Certainty, Finding, Severity
from audit.reports import numbers

TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}
MEANINGS = {
    Severity.ERROR: "proved or nearly so: they should block a release",
    Severity.WARNING: "a person should look",
    Severity.NOTE: "good to know; often meant so",
}
_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def path_of(file: str, result: CheckResult) -> str:
    """Return a file of the benchmark as seen from where the program ran, where it lies below that place."""
    return result.paths.get(file, file)


def place_of(finding: Finding, result: CheckResult) -> str:
    """Return ``file:line task id field``, as much of it as is known."""
    line = "" if finding.line is None else f":{finding.line}"
    task = "" if finding.task_id is None else f" task {finding.task_id}"
    field = f" {finding.origin.field}" if finding.origin.field else ""
    return f"{path_of(finding.origin.file, result)}{line}{task}{field}".strip()


def evidence_of(finding: Finding) -> str:
    """Return the evidence as one text, without what the finding's sentence says already."""
    pairs = [(label, value) for label, value in finding.evidence if value and value not in finding.what]
    return "; ".join(f"{label}: {value}" for label, value in pairs)


def count_severities(findings: Iterable[Finding]) -> str:
    """Return how many findings there are of each severity, the gravest first, in words.

    Examples
    --------
    >>> count_severities([])
    'no findings'
    """
    severities = [finding.severity for finding in findings]
    parts = [numbers.plural(severities.count(severity), _NOUNS[severity]) for severity in SEVERITY_ORDER]
    said = [part for severity, part in zip(SEVERITY_ORDER, parts, strict=True) if severity in severities]
    return ", ".join(said) or "no findings"


def title_of(rule_id: str, result: CheckResult) -> str:
    """Return the title of a rule; its id where the result does not know it."""
    return result.rule_by_id[rule_id].title if rule_id in result.rule_by_id else rule_id


def is_shaky(finding: Finding) -> bool:
    """Whether a finding is a judge's and was not repeated by every trial of at least two."""
    return finding.certainty is Certainty.JUDGED and not finding.is_stable

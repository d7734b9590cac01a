"""Findings as versioned JSON; docs/findings.md describes it, docs/schema/findings-1.json is its schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.records.check import CheckResult
from audit.records.content import component_digests
from audit.records.finding import Certainty, Finding, Rule
from audit.records.task import Benchmark
from audit.reports.finding_words import path_of
from audit.reports.plain import Plain, dump, fields_of, to_plain

FORMAT = "bench-audit/findings"
FORMAT_VERSION = 1


def render(result: CheckResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    return f"{dump(to_document(result))}\n".encode()


def to_document(result: CheckResult) -> dict[str, Plain]:
    """Return the document as plain values."""
    certainties = Counter(finding.certainty for finding in result.findings)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": result.tool_version,
        "benchmark": benchmark_of(result.benchmark),
        "environment": result.environment or None,
        "fail_on": None if result.fail_on is None else result.fail_on.value,
        "n_failing": len(result.failing),
        "counts": {
            "by_severity": {severity.value: n for severity, n in result.n_by_severity.items()},
            "by_certainty": {certainty.value: certainties[certainty] for certainty in Certainty},
            "by_rule": dict(result.n_by_rule),
        },
        "rules": [fields_of(rule) for rule in result.rules],
        "unchecked": [fields_of(gap) for gap in result.unchecked],
        "findings": [finding_of(finding, result) for finding in result.findings],
        "tasks": [{"id": task.id, "content": to_plain(component_digests(task))} for task in result.benchmark.tasks],
    }


def findings_of(result: CheckResult) -> dict[str, Plain]:
    """Return the findings as a part of a run's document: with their counts, and the rules that found something."""
    found = {finding.rule for finding in result.findings}
    whole = to_document(result)
    return {
        "environment": whole["environment"],
        "n_rules": len(result.rules),
        "counts": whole["counts"],
        "rules": [fields_of(rule) for rule in result.rules if rule.id in found],
        "unchecked": whole["unchecked"],
        "findings": whole["findings"],
    }


def benchmark_of(benchmark: Benchmark) -> dict[str, Plain]:
    """Return what identifies a benchmark: its name and the hashes of everything that it was read from."""
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "version": benchmark.version,
        "n_tasks": len(benchmark.tasks),
        "n_available": benchmark.n_available,
        "policy_sha256": benchmark.policy.sha256,
        "files": [fields_of(file) for file in benchmark.files],
    }


def finding_of(finding: Finding, result: CheckResult) -> dict[str, Plain]:
    """Return one finding."""
    return {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "is_stable": finding.is_stable,
        "task_id": finding.task_id,
        "file": finding.origin.file,
        "path": path_of(finding.origin.file, result),
        "line": finding.line,
        "field": finding.origin.field,
        "what": finding.what,
        "evidence": [{"label": label, "value": value} for label, value in finding.evidence],
        "mend": finding.mend,
        "subject": finding.subject,
        "policy_item": finding.policy_item or None,
    }


def rules_document(rules: Sequence[Rule]) -> str:
    """Return the rules alone, for ``check --rules``."""
    described: list[Plain] = [fields_of(rule) for rule in rules]
    return f"{dump({'format': 'bench-audit/rules', 'format_version': 1, 'rules': described})}\n"

"""Findings as CSV: one row a task, with a column a rule that says how often it was broken."""

from __future__ import annotations

from collections import Counter

from audit.records.check import CheckResult
from audit.records.finding import SEVERITY_ORDER
from audit.reports.cells import write_table


def render(result: CheckResult) -> bytes:
    """Return the table, UTF-8, in the benchmark's order; what concerns the set as a whole is in no row."""
    n = Counter((finding.task_id, finding.rule) for finding in result.findings)
    by_severity = Counter((finding.task_id, finding.severity) for finding in result.findings)
    rules = tuple(dict.fromkeys((*(rule.id for rule in result.rules), *(found.rule for found in result.findings))))
    rows = (
        (
            task.id,
            *(str(by_severity[task.id, severity]) for severity in SEVERITY_ORDER),
            *(str(n[task.id, rule]) for rule in rules),
        )
        for task in result.benchmark.tasks
    )
    return write_table(("task_id", *(f"{severity.value}s" for severity in SEVERITY_ORDER), *rules), rows)

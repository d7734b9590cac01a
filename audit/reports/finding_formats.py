"""Which formats there are for findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audit.records.check import CheckResult
from audit.reports import (
    findings_csv,
    findings_csv_tasks,
    findings_json,
    findings_junit,
    findings_markdown,
    findings_sarif,
    findings_text,
)

FINDING_FORMATS: Mapping[str, Callable[[CheckResult], bytes]] = {
    "text": findings_text.render,
    "json": findings_json.render,
    "csv": findings_csv.render,
    "csv-tasks": findings_csv_tasks.render,
    "junit": findings_junit.render,
    "sarif": findings_sarif.render,
    "markdown": findings_markdown.render,
}
"""Format name, as ``--format`` takes it, to what writes it."""

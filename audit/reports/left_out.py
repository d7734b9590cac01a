"""What an export left out, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from audit.records.export import LeftOut, Selection
from audit.reports.cells import write_table
from audit.reports.findings_json import benchmark_of
from audit.reports.plain import Plain, dump, to_plain

FORMAT = "bench-audit/left-out"
FORMAT_VERSION = 1
JSON_NAME, CSV_NAME = "left_out.json", "left_out.csv"


def render_json(selection: Selection, files: Sequence[str]) -> bytes:
    """Return the document, UTF-8; the same selection gives the same bytes.

    Parameters
    ----------
    files
        What the export wrote beside this list, so that it can be told from other files later.
    """
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": selection.tool_version,
        "benchmark": benchmark_of(selection.benchmark),
        "keep": selection.keep,
        "judges": list(selection.judges),
        "is_complete": selection.is_complete,
        "files": list(files),
        "kept": list(selection.kept),
        "left_out": [_left_out(left) for left in selection.left_out],
        "findings_of_the_whole_set": [
            {"rule": finding.rule, "severity": finding.severity.value, "what": finding.what}
            for finding in selection.whole_set
        ],
    }
    return f"{dump(document)}\n".encode()


def render_csv(selection: Selection) -> bytes:
    """Return a row for each task and reason, UTF-8."""
    rows = ((left.task_id, reason) for left in selection.left_out for reason in left.reasons)
    return write_table(("task_id", "reason"), rows)


def _left_out(left: LeftOut) -> Plain:
    return {
        "task_id": left.task_id,
        "reasons": list(left.reasons),
        "scores": to_plain(left.scores),
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity.value,
                "fingerprint": finding.fingerprint,
                "what": finding.what,
            }
            for finding in left.findings
        ],
    }

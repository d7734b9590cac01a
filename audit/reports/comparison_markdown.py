"""A comparison as Markdown for a pull request. What comes from files stands in code spans, where it means nothing."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison, FindingChanges
from audit.reports import numbers
from audit.reports.comparison_words import N_LISTED, describe, finding_groups, score_line, task_lines
from audit.reports.findings_markdown import code
from audit.reports.markdown_limit import fit


def render(comparison: Comparison) -> bytes:
    """Return the text, UTF-8; the same comparison gives the same bytes."""
    text = "".join(f"{line}\n" for line in _lines(comparison))
    return fit(text, more="in what `--format json` writes").encode("utf-8", errors="backslashreplace")


def _lines(comparison: Comparison) -> Iterator[str]:
    yield f"## bench-audit compare: {code(comparison.old.label)} → {code(comparison.new.label)}"
    yield ""
    yield "**Tasks**"
    yield ""
    for line in task_lines(comparison):
        yield f"- {code(line, limit=2000)}"
    if comparison.findings is not None:
        yield ""
        yield "**Findings**"
        yield ""
        yield from _findings(comparison.findings)
    if comparison.scores:
        yield ""
        yield "**Scores**"
        yield ""
        for change in comparison.scores:
            yield f"- {code(score_line(change), limit=1000)}"
    if comparison.notes:
        yield ""
    for note in comparison.notes:
        yield f"- Note: {code(note, limit=600)}"


def _findings(changes: FindingChanges) -> Iterator[str]:
    for heading, found in finding_groups(changes):
        yield f"- {heading}"
        for finding in found[:N_LISTED]:
            yield f"  - {code(describe(finding), limit=600)}"
        if len(found) > N_LISTED:
            yield f"  - … and {numbers.count(len(found) - N_LISTED)} more"

"""A comparison as plain text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison
from audit.reports import numbers
from audit.reports.comparison_words import N_LISTED, describe, finding_groups, score_line, task_lines
from audit.reports.visible import plain


def render(comparison: Comparison) -> bytes:
    """Return the text; the same comparison gives the same bytes."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(comparison)).encode("utf-8", errors="backslashreplace")


def _lines(comparison: Comparison) -> Iterator[str]:
    for name, side in (("OLD", comparison.old), ("NEW", comparison.new)):
        yield f"{name}: {plain(side.label, limit=200)} ({numbers.plural(len(side.tasks), 'task')})"
    yield ""
    yield "Tasks"
    for line in task_lines(comparison):
        yield f"  {line}"
    yield from _findings(comparison)
    if comparison.scores:
        yield ""
        yield "Scores"
        for change in comparison.scores:
            yield f"  {score_line(change)}"
    if comparison.notes:
        yield ""
    for note in comparison.notes:
        yield f"Note: {plain(note, limit=600)}"


def _findings(comparison: Comparison) -> Iterator[str]:
    if comparison.findings is None:
        return
    yield ""
    yield "Findings"
    for heading, found in finding_groups(comparison.findings):
        yield f"  {heading}"
        for finding in found[:N_LISTED]:
            yield f"    - {describe(finding)}"
        if len(found) > N_LISTED:
            yield f"    … and {numbers.count(len(found) - N_LISTED)} more"

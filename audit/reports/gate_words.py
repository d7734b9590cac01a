"""The words for a gate's result that the formats share."""

from __future__ import annotations

from collections import Counter

from audit.records.finding import Finding
from audit.records.gate import GRAVITY, Criterion, GateResult, Kind, Level
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.finding_words import place_of
from audit.reports.labels import labelled
from audit.reports.visible import plain

TITLES = {Level.PASS: "PASS", Level.WARN: "WARN", Level.INCOMPLETE: "INCOMPLETE", Level.FAIL: "FAIL"}
_VERBS = {Level.PASS: "passed", Level.WARN: "warned", Level.INCOMPLETE: "could not be decided", Level.FAIL: "failed"}
N_LISTED = 10
"""Findings that are listed under a criterion."""


def summary_of(result: GateResult) -> str:
    """Return how many criteria there are of each level, the gravest first."""
    counts = Counter(criterion.level for criterion in result.criteria)
    parts = [f"{numbers.count(counts[level])} {_VERBS[level]}" for level in GRAVITY if counts[level]]
    return f"of {numbers.plural(len(result.criteria), 'criterion', 'criteria')}, {', '.join(parts)}"


def name_of(criterion: Criterion) -> str:
    """Return what a criterion is about, in one line fit to be shown."""
    subset = f" in {plain(str(criterion.subset))}" if criterion.subset.kind else ""
    return f"{criterion.kind} {plain(criterion.name)}{subset}"


def why_of(criterion: Criterion) -> str:
    """Return the number, what it was held against, and why it has its level."""
    why = plain(criterion.why, limit=600)
    if criterion.kind is not Kind.METRIC:
        return why
    judge = labelled(plain(criterion.judge, limit=80), criterion.trust or Trust.MODEL)
    return f"{numbers.fixed(criterion.number, 3)} by {judge}; {why}"


def listed(criterion: Criterion) -> tuple[Finding, ...]:
    """Return the findings to list under a criterion: the first few, unless it passed."""
    return () if criterion.level is Level.PASS else criterion.findings[:N_LISTED]


def more_of(criterion: Criterion) -> str:
    """Return how many findings are not listed, or nothing."""
    n = len(criterion.findings) - len(listed(criterion))
    return f"… and {numbers.count(n)} more" if n and criterion.level is not Level.PASS else ""


def describe(finding: Finding, result: GateResult) -> str:
    """Return a finding in one line fit to be shown."""
    place = plain(place_of(finding, result.checked), limit=200)
    return f"{plain(finding.rule)} at {place}: {plain(finding.what, limit=400)}"

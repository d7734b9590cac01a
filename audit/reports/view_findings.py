"""What the free checks found, by pattern, as strings for the template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.records.check import CheckResult
from audit.records.finding import SEVERITY_ORDER, Certainty, Finding, Severity
from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.finding_words import MEANINGS, TITLES, count_severities, evidence_of
from audit.reports.view_links import Link, task_link
from audit.reports.visible import line

N_LINKS = 12
"""Tasks that a pattern names; the table of tasks shows all of them."""
_LONG = 600


@dataclass(frozen=True, slots=True)
class SeverityCount:
    """How many findings of a severity there are, and in how many tasks."""

    severity: str
    title: str
    meaning: str
    n: str
    is_zero: bool


@dataclass(frozen=True, slots=True)
class WholeView:
    """A finding about the set as a whole."""

    what: str
    evidence: str
    place: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule with everything that breaks it."""

    rule: str
    title: str
    severity: str
    certainty: str
    n: str
    n_tasks: str
    explanation: str
    mend: str
    links: tuple[Link, ...]
    more: str
    whole: tuple[WholeView, ...]


@dataclass(frozen=True, slots=True)
class GapView:
    """Something that nobody looked at, and why."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class FindingsView:
    """Everything that the checks found and could not look at."""

    counts: tuple[SeverityCount, ...]
    sentence: str
    replayed: str
    judged: str
    patterns: tuple[Pattern, ...]
    gaps: tuple[GapView, ...]


def findings_view(checked: CheckResult) -> FindingsView:
    """Return the part of the page that shows the findings by pattern, the gravest first, then the most frequent."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in checked.findings:
        groups.setdefault((finding.severity, finding.rule), []).append(finding)
    order = sorted(groups, key=lambda key: (SEVERITY_ORDER.index(key[0]), -len(groups[key]), key[1]))
    n_rules = numbers.plural(len(checked.rules), "rule")
    concerned = {finding.task_id for finding in checked.findings} - {None}
    n_judged = sum(finding.certainty is Certainty.JUDGED for finding in checked.findings)
    replayed = f"replayed in {line(checked.environment)}" if checked.environment else "not replayed"
    return FindingsView(
        counts=_counts(checked),
        sentence=f"{count_severities(checked.findings)} in {numbers.plural(len(concerned), 'task')}, by {n_rules}",
        replayed=f"Gold actions were {replayed}.",
        judged=f"{numbers.count(n_judged)} of them rest on a judge's low scores." if n_judged else "",
        patterns=tuple(_pattern(groups[key], checked) for key in order),
        gaps=tuple(GapView(line(gap.what, limit=400), line(gap.reason, limit=400)) for gap in checked.unchecked),
    )


def findings_by_task(result: RunResult) -> Mapping[str | None, Sequence[Finding]]:
    """Return the findings of each task that has some; those of the whole set stand under ``None``."""
    groups: dict[str | None, list[Finding]] = {}
    for finding in () if result.checked is None else result.checked.findings:
        groups.setdefault(finding.task_id, []).append(finding)
    return groups


def _counts(checked: CheckResult) -> tuple[SeverityCount, ...]:
    return tuple(
        SeverityCount(severity.value, TITLES[severity], MEANINGS[severity], numbers.count(n), is_zero=n == 0)
        for severity, n in checked.n_by_severity.items()
    )


def _pattern(findings: Sequence[Finding], checked: CheckResult) -> Pattern:
    first = findings[0]
    rule = checked.rule_by_id.get(first.rule)
    known = {task.id for task in checked.benchmark.tasks}
    ids = list(dict.fromkeys(finding.task_id for finding in findings if finding.task_id is not None))
    more = len(ids) - N_LINKS
    certainties = dict.fromkeys(finding.certainty.value for finding in findings)
    return Pattern(
        rule=line(first.rule),
        title=line(rule.title if rule else first.rule),
        severity=first.severity.value,
        certainty=", ".join(certainties),
        n=numbers.count(len(findings)),
        n_tasks=numbers.count(len(ids)) if ids else "whole set",
        explanation=line(rule.explanation, limit=2000) if rule else "",
        mend=line(rule.mend if rule else first.mend, limit=_LONG),
        links=tuple(task_link(id, is_known=id in known) for id in ids[:N_LINKS]),
        more=f"and {numbers.count(more)} more" if more > 0 else "",
        whole=tuple(_whole(finding) for finding in findings if finding.task_id is None),
    )


def _whole(finding: Finding) -> WholeView:
    place = f"{finding.origin.file} {finding.origin.field}".strip()
    return WholeView(line(finding.what, limit=_LONG), line(evidence_of(finding), limit=_LONG), line(place, limit=200))

"""What the pages of a comparison and of a lineup share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit.records.comparison import Comparison, SavedFinding, ScoreChange, Snapshot
from audit.records.finding import Severity
from audit.records.score import Score
from audit.reports import numbers
from audit.reports.comparison_words import GROUPS
from audit.reports.view_method import Fact
from audit.reports.visible import line

N_FINDINGS = 200
_LEAST_REACH = 0.1
"""Share of a metric's scale that an axis shows on each side of zero, so that a trifle looks like one."""


@dataclass(frozen=True, slots=True)
class BarView:
    """A difference with its interval, in hundredths of an axis whose middle is zero."""

    low: str
    width: str
    value: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """One finding."""

    severity: str
    rule: str
    task: str
    what: str


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings that have the same fate."""

    title: str
    findings: tuple[FindingView, ...]
    more: str
    is_open: bool


def facts(side: Snapshot) -> Iterator[Fact]:
    """Yield what identifies a side."""
    models = sorted({model for names in side.models.values() for model in names})
    yield Fact("Named", line(side.label, limit=300))
    yield Fact("Benchmark", line(side.benchmark, limit=300))
    yield Fact("Tasks", numbers.count(len(side.tasks)))
    yield Fact("Findings", "not checked" if side.findings is None else numbers.count(len(side.findings)))
    yield Fact("Policy", f"sha256 {line(side.policy_sha256)[:16]}")
    yield Fact("Models", line(", ".join(models), limit=300) or "none")
    yield Fact("Trials", numbers.count(side.trials))


def span_of(metric: str, scores: Iterable[Score]) -> float:
    """Return the length of a metric's scale; 1 where it has no upper end."""
    return next((each.scale[1] - each.scale[0] for each in scores if each.metric == metric and each.scale[1]), 1.0)


def bar_of(change: ScoreChange, *, span: float) -> BarView | None:
    """Return where a difference lies around zero; ``span`` is the length of its metric's scale."""
    if change.difference is None or change.interval is None:
        return None
    ends = change.interval
    reach = max(abs(ends.low) * 1.1, abs(ends.high) * 1.1, span * _LEAST_REACH)

    def place(value: float) -> str:
        return numbers.position(value, low=-reach, high=reach)

    width = (ends.high - ends.low) / (2 * reach) * 100
    return BarView(place(ends.low), numbers.trimmed(max(width, 0.6)), place(change.difference))


def finding_views(comparison: Comparison) -> Iterator[FindingGroup]:
    """Yield the findings by their fate, each group cut where it is long."""
    if comparison.findings is None:
        return
    for name, words in GROUPS:
        found: tuple[SavedFinding, ...] = getattr(comparison.findings, name)
        if found:
            more = len(found) - N_FINDINGS
            yield FindingGroup(
                title=f"{numbers.plural(len(found), 'finding')} {words}",
                findings=tuple(_findings(found[:N_FINDINGS])),
                more=f"and {numbers.count(more)} more, in the JSON" if more > 0 else "",
                is_open=name in ("new", "fixed"),
            )


def _findings(found: Iterable[SavedFinding]) -> Iterator[FindingView]:
    known = {severity.value for severity in Severity}
    for finding in found:
        severity = finding.severity if finding.severity in known else Severity.NOTE.value
        task = "the set as a whole" if finding.task_id is None else line(finding.task_id, limit=80)
        yield FindingView(severity, line(finding.rule), task, line(finding.what, limit=600))

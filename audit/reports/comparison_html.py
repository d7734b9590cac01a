"""A comparison as one HTML page that needs no network and no JavaScript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.records.comparison import Comparison, SavedFinding, ScoreChange
from audit.records.finding import Severity
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.comparison_views import BarView, FindingGroup, bar_of, facts, finding_views, span_of
from audit.reports.comparison_words import score_line, signed, task_lines
from audit.reports.html_page import fill_page, read_styles
from audit.reports.labels import metric_label, trust_label
from audit.reports.moves import Move, moves
from audit.reports.view_method import Fact
from audit.reports.visible import block, line

N_MOVES = 20
"""Tasks that are named of each metric and judge; the JSON has all."""
_GRAVITY = ("mend", "look", "clear", "none")
_HEADLINES = {
    "mend": "NEW brings errors that OLD does not have",
    "look": "NEW is worse in places",
    "clear": "NEW is better, and nowhere worse",
    "none": "Nothing changed that can be told from chance",
}


@dataclass(frozen=True, slots=True)
class ReasonView:
    """One clause of the answer."""

    text: str
    level: str
    href: str


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One metric of one judge on both sides."""

    metric: str
    judge: str
    trust: str
    old: str
    new: str
    difference: str
    interval: str
    n: str
    verdict: str
    level: str
    why: str
    bar: BarView | None


@dataclass(frozen=True, slots=True)
class MoveView:
    """One task that moved."""

    task: str
    old: str
    new: str
    difference: str
    level: str


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """The tasks that moved most in one metric of one judge."""

    metric: str
    judge: str
    trust: str
    moves: tuple[MoveView, ...]
    more: str


@dataclass(frozen=True, slots=True)
class PageView:
    """What the template shows; every string of it is fit to be shown."""

    old: str
    new: str
    trust: str
    level: str
    headline: str
    reasons: tuple[ReasonView, ...]
    sides: tuple[tuple[str, tuple[Fact, ...]], ...]
    scores: tuple[ScoreView, ...]
    moves: tuple[MoveGroup, ...]
    findings: tuple[FindingGroup, ...]
    tasks: tuple[str, ...]
    notes: tuple[str, ...]


def render(comparison: Comparison) -> bytes:
    """Return the whole page; the same comparison gives the same bytes."""
    return fill_page(
        "comparison.html.j2", {"page": page_of(comparison)}, css=read_styles("report.css", "comparison.css")
    )


def page_of(comparison: Comparison) -> PageView:
    """Return everything that the page shows, in words."""
    reasons = sorted(_reasons(comparison), key=lambda reason: _GRAVITY.index(reason.level))
    level = reasons[0].level if reasons else "none"
    return PageView(
        old=line(comparison.old.label, limit=300),
        new=line(comparison.new.label, limit=300),
        trust=_trust(comparison),
        level=level,
        headline=_HEADLINES[level],
        reasons=tuple(reasons),
        sides=(("OLD", tuple(facts(comparison.old))), ("NEW", tuple(facts(comparison.new)))),
        scores=tuple(_score(change, span_of(change.metric, comparison.new.scores)) for change in comparison.scores),
        moves=tuple(_move_groups(comparison)),
        findings=tuple(finding_views(comparison)),
        tasks=tuple(task_lines(comparison)),
        notes=tuple(block(note) for note in comparison.notes),
    )


def _reasons(comparison: Comparison) -> Iterator[ReasonView]:
    if comparison.findings is not None:
        yield from _finding_reasons(comparison.findings.new, comparison.findings.fixed)
    for change in comparison.scores:
        if change.has_fallen or change.has_risen:
            yield ReasonView(score_line(change), "look" if change.has_fallen else "clear", "#scores")
    if n := sum(change.difference is None for change in comparison.scores):
        yield ReasonView(f"{numbers.plural(n, 'score')} can't be compared", "none", "#scores")
    for text in task_lines(comparison):
        yield ReasonView(text, "none", "#tasks")


def _finding_reasons(new: Sequence[SavedFinding], fixed: Sequence[SavedFinding]) -> Iterator[ReasonView]:
    errors = [finding for finding in new if finding.severity == Severity.ERROR]
    if errors:
        yield ReasonView(f"{numbers.plural(len(errors), 'new error')}", "mend", "#findings")
    if len(new) > len(errors):
        milder = "other new finding" if errors else "new finding"
        yield ReasonView(f"{numbers.plural(len(new) - len(errors), milder)}", "look", "#findings")
    if fixed:
        yield ReasonView(f"{numbers.plural(len(fixed), 'finding')} fixed", "clear", "#findings")


def _trust(comparison: Comparison) -> str:
    trusts = {change.trust for change in comparison.scores}
    label = ", ".join(trust.value for trust in (Trust.OFFLINE, Trust.SCRIPTED) if trust in trusts)
    return f"partly {label}" if label and Trust.MODEL in trusts else label


def _score(change: ScoreChange, span: float) -> ScoreView:
    is_share = metric_label(change.metric).is_share
    ends = change.interval
    return ScoreView(
        metric=metric_label(change.metric).title,
        judge=line(change.judge, limit=80),
        trust=trust_label(change.trust),
        old=numbers.measure(change.old, is_share=is_share),
        new=numbers.measure(change.new, is_share=is_share),
        difference="" if change.difference is None else signed(change.difference),
        interval="" if ends is None else f"{signed(ends.low)} to {signed(ends.high)}",
        n=numbers.count(change.n_paired),
        verdict=_verdict(change),
        level=_level(change),
        why=line("; ".join(change.reasons), limit=600),
        bar=bar_of(change, span=span),
    )


def _verdict(change: ScoreChange) -> str:
    if change.difference is None:
        return "not comparable"
    return "fell" if change.has_fallen else "rose" if change.has_risen else "no real change"


def _level(change: ScoreChange) -> str:
    return "look" if change.has_fallen else "clear" if change.has_risen else "none"


def _move_groups(comparison: Comparison) -> Iterator[MoveGroup]:
    groups: dict[tuple[str, str], list[Move]] = {}
    for move in moves(comparison):
        if signed(move.difference).strip("+-0."):  # what rounds to nothing did not move
            groups.setdefault((move.metric, move.judge), []).append(move)
    for (metric, judge), found in groups.items():
        more = len(found) - N_MOVES
        yield MoveGroup(
            metric=metric_label(metric).title,
            judge=line(judge, limit=80),
            trust=trust_label(found[0].trust),
            moves=tuple(_move(move) for move in found[:N_MOVES]),
            more=f"and {numbers.count(more)} more, in the JSON" if more > 0 else "",
        )


def _move(move: Move) -> MoveView:
    return MoveView(
        task=line(move.task_id, limit=80),
        old=numbers.trimmed(move.old),
        new=numbers.trimmed(move.new),
        difference=signed(move.difference),
        level="look" if move.difference < 0 else "clear",
    )

"""A run's result as the strings that the HTML template shows; the template itself only places them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from audit.records.gate import GateResult
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.challenges import policy_rules
from audit.reports.charts import distribution_chart
from audit.reports.distribution import Distribution, distribute
from audit.reports.labels import MetricLabel, judge_names, labelled, metric_label, state_words
from audit.reports.missing import missing_by_state, missing_words
from audit.reports.score_rows import ScoreRow, is_headline, panel_rows, score_rows
from audit.reports.summary import Reason, Summary, summarise
from audit.reports.view_certificates import CertificatesView, certificates_view
from audit.reports.view_coverage import CoverageView, coverage_view
from audit.reports.view_findings import FindingsView, findings_view
from audit.reports.view_gate import GateView, gate_view
from audit.reports.view_links import Link, item_link, task_link
from audit.reports.view_method import Fact, MethodView, method_view, spent
from audit.reports.view_panel import PanelView, panel_view
from audit.reports.view_patterns import PatternsView, patterns_view
from audit.reports.view_policy import DocumentView, document_view
from audit.reports.view_tasks import TasksView, tasks_view
from audit.reports.view_trust import TrustView, trust_view
from audit.reports.visible import line, short_version

_SHOWN_LINKS = 12


@dataclass(frozen=True, slots=True)
class ReasonView:
    """A clause of the verdict with links to its evidence."""

    text: str
    level: str
    href: str
    links: tuple[Link, ...]
    more: str


@dataclass(frozen=True, slots=True)
class Banner:
    """What a reader must know before believing a number."""

    kind: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One metric on the first screen: the panel's reading if there is one, and a line for each judge."""

    label: MetricLabel
    rows: tuple[ScoreRow, ...]
    panel: ScoreRow | None
    is_muted: bool


@dataclass(frozen=True, slots=True)
class DistributionView:
    """A chart and its table."""

    title: str
    judge: str
    trust: str
    chart: Markup
    distribution: Distribution
    counts: tuple[tuple[str, str], ...]
    missing: str


@dataclass(frozen=True, slots=True)
class DistributionGroup:
    """The distributions of one metric, a chart for each judge."""

    title: str
    views: tuple[DistributionView, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything in the report but the tasks' own pages."""

    title: str
    name: str
    lead: tuple[Fact, ...]
    trust: str
    summary: Summary
    reasons: tuple[ReasonView, ...]
    banners: tuple[Banner, ...]
    gate: GateView | None
    trust_card: TrustView
    certificates: CertificatesView | None
    cards: tuple[Card, ...]
    findings: FindingsView | None
    scores: tuple[ScoreRow, ...]
    distributions: tuple[DistributionGroup, ...]
    coverage: CoverageView
    document: DocumentView | None
    panel: PanelView | None
    patterns: PatternsView | None
    tasks: TasksView
    method: MethodView
    glossary: tuple[MetricLabel, ...]


def page_of(result: RunResult, gate: GateResult | None = None) -> Page:
    """Return the whole page of ``result``."""
    rows = score_rows(result)
    headline = [row for row in rows if is_headline(row.score)]
    summary = summarise(result)
    document = document_view(result)
    return Page(
        title=line(result.benchmark.title or result.benchmark.name),
        name=line(result.benchmark.name, limit=300),
        lead=_lead(result),
        trust=_page_trust(result),
        summary=summary,
        reasons=tuple(_reason_view(reason) for reason in summary.reasons),
        banners=_banners(result),
        gate=None if gate is None else gate_view(gate),
        trust_card=trust_view(result),
        certificates=certificates_view(result),
        cards=_cards(headline, [row for row in panel_rows(result) if is_headline(row.score)]),
        findings=None if result.checked is None else findings_view(result.checked),
        scores=tuple(row for group in _by_metric(headline).values() for row in group),
        distributions=_distributions(rows),
        coverage=coverage_view(result, frozenset() if document is None else document.item_ids),
        document=document,
        panel=panel_view(result.panel, judge_names(result)) if result.panel is not None else None,
        patterns=patterns_view(result),
        tasks=tasks_view(result),
        method=method_view(result),
        glossary=tuple(dict.fromkeys(row.label for row in headline)),
    )


def _lead(result: RunResult) -> tuple[Fact, ...]:
    benchmark = result.benchmark
    n, total = len(benchmark.tasks), benchmark.n_available
    policy = f"{line(benchmark.policy.name)}, {numbers.plural(len(policy_rules(benchmark)), 'item')}"
    names = judge_names(result)
    judges = ", ".join(line(names[judge], limit=60) for judge in result.settings.judges)
    trials = f", {numbers.plural(result.settings.trials, 'trial')}" if result.settings.trials > 1 else ""
    facts = [
        Fact("Version", short_version(line(benchmark.version)) or "not stated"),
        Fact("Tasks", f"{numbers.count(n)} of {numbers.count(total)}"),
        Fact("Policy", policy),
        Fact("Date", numbers.moment(result.created_at) or line(result.created_at)),
        Fact("Judges", f"{judges}{trials}" if judges else _unjudged(result)),
        Fact("Cost", spent(result)),
    ]
    return tuple(facts)


def _unjudged(result: RunResult) -> str:
    return f"none: {Trust.OFFLINE.value}" if result.settings.metrics else "none: findings only"


def _page_trust(result: RunResult) -> str:
    trusts = {score.trust for score in result.scores if score.value is not None}
    label = ", ".join(trust.value for trust in (Trust.OFFLINE, Trust.SCRIPTED) if trust in trusts)
    return f"partly {label}" if label and Trust.MODEL in trusts else label


def _reason_view(reason: Reason) -> ReasonView:
    links = [*(task_link(id) for id in reason.task_ids), *(item_link(id) for id in reason.item_ids)]
    more = len(links) - _SHOWN_LINKS
    return ReasonView(
        text=reason.text,
        level=reason.level.value,
        href=f"#{reason.section}",
        links=tuple(links[:_SHOWN_LINKS]),
        more=f"and {numbers.count(more)} more" if more > 0 else "",
    )


def _banners(result: RunResult) -> tuple[Banner, ...]:
    trusts = {score.trust for score in result.scores if score.value is not None}
    notes = tuple(line(note, limit=600) for note in result.notes)
    banners = []
    if Trust.SCRIPTED in trusts:
        text = "Its numbers show that the tool runs and say nothing about the benchmark."
        banners.append(Banner("trust", f"Scripted judge — {Trust.SCRIPTED.value}", (text, *notes)))
        notes = ()
    if Trust.OFFLINE in trusts:
        text = "No model read these tasks. The match compares ids, records and words."
        banners.append(Banner("trust", f"Offline scorer — {Trust.OFFLINE.value}", (text, *notes)))
        notes = ()
    banners += _incomplete(result)
    if notes:
        banners.append(Banner("note", "Note", notes))
    return tuple(banners)


def _incomplete(result: RunResult) -> list[Banner]:
    if result.is_complete:
        return []
    names = judge_names(result)
    lines = [f"{numbers.count(n)} {state_words(state)}" for state, n in missing_by_state(result.verdicts)]
    stops = [
        f"{line(names[stop.judge], limit=80)} was stopped ({line(stop.kind)}): {line(stop.message, limit=400)}"
        for stop in result.stops
    ]
    causes = (", ".join(lines),) if lines else ()
    return [Banner("incomplete", f"Incomplete run — {missing_words(result.tally)}", (*causes, *stops))]


def _by_metric(rows: Iterable[ScoreRow]) -> dict[str, list[ScoreRow]]:
    groups: dict[str, list[ScoreRow]] = {}
    for row in rows:
        groups.setdefault(row.score.metric, []).append(row)
    return groups


def _cards(rows: Sequence[ScoreRow], panel: Sequence[ScoreRow]) -> tuple[Card, ...]:
    together = {row.score.metric: row for row in panel if row.state == "ok"}
    cards = [
        Card(
            metric_label(metric),
            tuple(group),
            panel=together.get(metric),
            is_muted=all(row.state == "not_applicable" for row in group),
        )
        for metric, group in _by_metric(rows).items()
    ]
    return tuple(sorted(cards, key=lambda card: card.is_muted))


def _distributions(rows: Sequence[ScoreRow]) -> tuple[DistributionGroup, ...]:
    groups: dict[str, list[DistributionView]] = {}
    for number, row in enumerate(rows):
        distribution = distribute(row.score)
        if distribution is not None:
            view = _distribution_view(row, distribution, name=f"dist{number}")
            groups.setdefault(row.label.title, []).append(view)
    return tuple(DistributionGroup(title, tuple(views)) for title, views in groups.items())


def _distribution_view(row: ScoreRow, distribution: Distribution, *, name: str) -> DistributionView:
    title = labelled(f"{row.label.title}, {row.judge}", row.score.trust)
    return DistributionView(
        title=row.label.title,
        judge=row.judge,
        trust=row.trust,
        chart=distribution_chart(row.score, distribution, name=name, title=title),
        distribution=distribution,
        counts=tuple((bar.label, numbers.count(bar.n_tasks)) for bar in distribution.bins),
        missing=f"{numbers.plural(row.score.n_missing, 'task')} without a verdict" if row.score.n_missing else "",
    )

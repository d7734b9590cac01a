"""What several judges say together, as strings for the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.records.panel import Agreement, AgreementStatistic, PanelResult, PanelTask
from audit.reports import numbers
from audit.reports.labels import criterion_title
from audit.reports.pairs import ScorePair, score_pairs
from audit.reports.score_rows import ScoreRow, is_headline, score_row
from audit.reports.view_links import Link, task_link
from audit.reports.visible import line

_MAX_PLOTS = 12
_MAX_PARTED = 100
_LARGEST = 5.2
"""Radius of the bubble of every task, in units of the plot."""

STATISTIC_WORDS: Mapping[AgreementStatistic, str] = {
    AgreementStatistic.KENDALL_TAU_B: "Kendall τ_b",
    AgreementStatistic.EXACT_MATCH: "exact match",
    AgreementStatistic.MEAN_ABSOLUTE_DIFFERENCE: "mean absolute difference",
    AgreementStatistic.JACCARD: "Jaccard of item sets",
}


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One pair of judges on one criterion."""

    criterion: str
    judges: str
    values: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class PartedRow:
    """A task where the judges part."""

    task: Link
    criterion: str
    values: tuple[str, ...]
    median: str
    spread: str


@dataclass(frozen=True, slots=True)
class Bubble:
    """Tasks to which two judges give the same pair of scores; in units of the plot, which is 100 wide."""

    x: str
    y: str
    radius: str
    hint: str
    is_level: bool


@dataclass(frozen=True, slots=True)
class PairPlot:
    """The scores of two judges against each other."""

    criterion: str
    across: str
    up: str
    bubbles: tuple[Bubble, ...]
    cells: tuple[tuple[str, str, str], ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class PanelView:
    """The panel's scores, its agreement and the tasks it parts on."""

    name: str
    judges: tuple[str, ...]
    trust: str
    scores: tuple[ScoreRow, ...]
    statistics: tuple[str, ...]
    agreements: tuple[AgreementRow, ...]
    plots: tuple[PairPlot, ...]
    parted: tuple[PartedRow, ...]
    more: str
    same_family: str


def panel_view(panel: PanelResult, names: Mapping[str, str]) -> PanelView:
    """Return the panel part of the page; ``names`` are the judges' names that are shown."""
    n_more = len(panel.parted) - _MAX_PARTED
    rows = tuple(score_row(score) for score in panel.scores if is_headline(score))
    return PanelView(
        name=line(panel.name),
        judges=tuple(line(names[judge], limit=60) for judge in panel.judges),
        trust=next((row.trust for row in rows if row.trust), ""),
        scores=rows,
        statistics=tuple(STATISTIC_WORDS.values()),
        agreements=_agreements(panel, names),
        plots=tuple(_plot(pair, names) for pair in score_pairs(panel)[:_MAX_PLOTS]),
        parted=tuple(_parted(panel, task) for task in panel.parted[:_MAX_PARTED]),
        more=f"{numbers.count(n_more)} more part: filter the tasks below." if n_more > 0 else "",
        same_family=", ".join(line(names[judge], limit=60) for judge in panel.same_family),
    )


def _agreements(panel: PanelResult, names: Mapping[str, str]) -> tuple[AgreementRow, ...]:
    groups: dict[tuple[str, tuple[str, str]], list[Agreement]] = {}
    for agreement in panel.agreements:
        groups.setdefault((agreement.criterion, agreement.judges), []).append(agreement)
    return tuple(
        AgreementRow(
            criterion=criterion_title(criterion),
            judges=" and ".join(line(names[judge], limit=60) for judge in judges),
            values=tuple(_agreement(group, statistic) for statistic in STATISTIC_WORDS),
            note="; ".join(dict.fromkeys(line(each.reason) for each in group if each.reason)),
        )
        for (criterion, judges), group in groups.items()
    )


def _agreement(group: list[Agreement], statistic: AgreementStatistic) -> str:
    for agreement in group:
        if agreement.statistic is statistic:
            if agreement.value is None:
                return "undefined"
            return f"{numbers.fixed(agreement.value)} (n {numbers.count(agreement.n)})"
    return numbers.NONE


def _plot(pair: ScorePair, names: Mapping[str, str]) -> PairPlot:
    total = sum(pair.n_tasks.values())
    level = sum(n for (across, up), n in pair.n_tasks.items() if across == up)
    across, up = (line(names[judge], limit=60) for judge in pair.judges)
    bubbles = tuple(
        Bubble(
            x=numbers.position(x, low=0, high=11),
            y=numbers.position(11 - y, low=0, high=11),
            radius=numbers.trimmed(max(0.9, _LARGEST * (n / total) ** 0.5)),
            hint=f"{numbers.plural(n, 'task')}: {across} {numbers.trimmed(x)}, {up} {numbers.trimmed(y)}",
            is_level=x == y,
        )
        for (x, y), n in pair.n_tasks.items()
    )
    cells = tuple((numbers.trimmed(x), numbers.trimmed(y), numbers.count(n)) for (x, y), n in pair.n_tasks.items())
    sentence = f"The same score on {numbers.count(level)} of {numbers.plural(total, 'task')}."
    return PairPlot(criterion_title(pair.criterion), across, up, bubbles, cells, sentence)


def _parted(panel: PanelResult, task: PanelTask) -> PartedRow:
    return PartedRow(
        task=task_link(task.task_id),
        criterion=criterion_title(task.criterion),
        values=tuple(_value(task, judge) for judge in panel.judges),
        median=numbers.trimmed(task.median),
        spread=numbers.trimmed(task.spread),
    )


def _value(task: PanelTask, judge: str) -> str:
    if judge not in task.value_by_judge:
        return "no verdict"
    value = numbers.trimmed(task.value_by_judge[judge])
    if judge not in task.violated_by_judge:
        return value
    items = ", ".join(line(id, limit=24) for id in task.violated_by_judge[judge])
    return f"{value}: {items}" if items else value

"""What several judges say together, as strings for the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.records.panel import Agreement, AgreementStatistic, PanelResult, PanelTask
from audit.reports import numbers
from audit.reports.labels import criterion_title
from audit.reports.score_rows import ScoreRow, is_headline, score_row
from audit.reports.view_coverage import Link
from audit.reports.visible import anchor, line

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
class PanelView:
    """The panel's scores, its agreement and the tasks it parts on."""

    name: str
    judges: tuple[str, ...]
    trust: str
    scores: tuple[ScoreRow, ...]
    statistics: tuple[str, ...]
    agreements: tuple[AgreementRow, ...]
    parted: tuple[PartedRow, ...]
    same_family: str


def panel_view(panel: PanelResult) -> PanelView:
    """Return the panel part of the page."""
    rows = tuple(score_row(score) for score in panel.scores if is_headline(score))
    return PanelView(
        name=line(panel.name),
        judges=tuple(line(judge, limit=60) for judge in panel.judges),
        trust=next((row.trust for row in rows if row.trust), ""),
        scores=rows,
        statistics=tuple(STATISTIC_WORDS.values()),
        agreements=_agreements(panel),
        parted=tuple(_parted(panel, task) for task in panel.parted),
        same_family=", ".join(line(judge, limit=60) for judge in panel.same_family),
    )


def _agreements(panel: PanelResult) -> tuple[AgreementRow, ...]:
    groups: dict[tuple[str, tuple[str, str]], list[Agreement]] = {}
    for agreement in panel.agreements:
        groups.setdefault((agreement.criterion, agreement.judges), []).append(agreement)
    return tuple(
        AgreementRow(
            criterion=criterion_title(criterion),
            judges=" and ".join(line(judge, limit=60) for judge in judges),
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


def _parted(panel: PanelResult, task: PanelTask) -> PartedRow:
    return PartedRow(
        task=Link(f"#{anchor('task', task.task_id)}", line(task.task_id, limit=60)),
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

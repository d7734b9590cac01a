"""The policy's items against the tasks, as strings for the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.challenges import Challenges, PolicyRule, challenges, policy_rules
from audit.reports.charts import Series, coverage_chart
from audit.reports.labels import coverage_k, labelled, trust_label
from audit.reports.score_rows import ScoreRow, score_row
from audit.reports.visible import anchor, block, line

_FEW = 12
_TICK = 10
_STRIP_PX = 560


@dataclass(frozen=True, slots=True)
class Link:
    """A task or an item to jump to."""

    href: str
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One task in which an item is challenged; ``share`` is the class of the share of trials."""

    x: str
    share: str
    hint: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One policy item and the tasks that challenge it."""

    anchor: str
    id: str
    title: str
    kind: str
    quote: str
    n_tasks: str
    is_untested: bool
    cells: tuple[Cell, ...]
    tasks: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the task axis."""

    x: str
    text: str


@dataclass(frozen=True, slots=True)
class CoverageMap:
    """One judge's picture of the policy, items in document order and tasks in the file's order."""

    judge: str
    trust: str
    rows: tuple[ItemRow, ...]
    untested: tuple[ItemRow, ...]
    is_short: bool
    """Whether the list of untested items is short enough to be shown unfolded."""
    ticks: tuple[Tick, ...]
    grid: str
    gaps: tuple[str, ...]
    """Where tasks without a verdict stand."""
    cell_width: str
    width: str


@dataclass(frozen=True, slots=True)
class CurveLine:
    """Coverage over K of one judge."""

    judge: str
    trust: str
    series: str
    rows: tuple[ScoreRow, ...]
    n_untested: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoverageView:
    """Everything about policy coverage; empty parts with a reason where it is undefined."""

    maps: tuple[CoverageMap, ...]
    curve: Markup | None
    lines: tuple[CurveLine, ...]
    reason: str


def coverage_view(result: RunResult) -> CoverageView:
    """Return the coverage part of the page."""
    found = challenges(result)
    maps = tuple(_map(result, one, number) for number, one in enumerate(found) if one.has_answers)
    lines = _lines(result)
    drawn = [line for line in lines if any(row.state == "ok" for row in line.rows)]
    chart = None
    if drawn:
        names = ", ".join(labelled(line.judge, line.rows[0].score.trust) for line in drawn)
        chart = coverage_chart(
            [_series(line) for line in drawn], name="curve", title=f"Policy violation coverage over K: {names}"
        )
    return CoverageView(maps, chart, tuple(drawn), "" if maps else _why_not(result))


def _why_not(result: RunResult) -> str:
    for score in result.scores:
        if coverage_k(score.metric) and score.value is None:
            return score_row(score).note
    if not policy_rules(result.benchmark):
        return f"undefined: {line(result.benchmark.policy.no_items_reason or 'the policy has no items', limit=400)}"
    return "policy violations were not judged in this run"


def _map(result: RunResult, found: Challenges, number: int) -> CoverageMap:
    tasks = result.benchmark.tasks
    pitch = max(2.0, min(12.0, _STRIP_PX / len(tasks)))
    place = {task.id: index * pitch for index, task in enumerate(tasks)}
    rows = tuple(_item_row(result, found, rule, place=place, number=number) for rule in policy_rules(result.benchmark))
    untested = tuple(row for row in rows if row.is_untested)
    return CoverageMap(
        judge=line(found.judge, limit=80),
        trust=trust_label(found.trust),
        rows=rows,
        untested=untested,
        is_short=len(untested) <= _FEW,
        ticks=_ticks(result, pitch),
        grid="".join(f"M{numbers.trimmed(index * pitch)} 0V14" for index in range(0, len(tasks), _TICK)),
        gaps=tuple(numbers.trimmed(place[task.id]) for task in tasks if task.id not in found.answered),
        cell_width=numbers.trimmed(pitch - (1 if pitch > 4 else 0)),
        width=numbers.trimmed(pitch * len(tasks)),
    )


def _ticks(result: RunResult, pitch: float) -> tuple[Tick, ...]:
    chosen = list(enumerate(result.benchmark.tasks))[::_TICK]
    are_ids_short = all(len(task.id) <= 4 for _, task in chosen)
    step = max(1, round(30 / (pitch * _TICK)))
    return tuple(
        Tick(numbers.trimmed(index * pitch), line(task.id) if are_ids_short else f"no. {index + 1}")
        for index, task in chosen[::step]
    )


def _item_row(
    result: RunResult, found: Challenges, rule: PolicyRule, *, place: Mapping[str, float], number: int
) -> ItemRow:
    item = rule.item
    shares = found.share_by_item.get(item.id, {})
    hits = [task for task in result.benchmark.tasks if task.id in shares]
    prefix = "item" if number == 0 else f"item{number + 1}"
    return ItemRow(
        anchor=anchor(prefix, item.id),
        id=line(item.id, limit=24),
        title=line(item.title),
        kind=item.kind.value,
        quote=block(rule.policy.quote(item), limit=4000),
        n_tasks=numbers.count(len(found.tasks_of(item.id))),
        is_untested=not found.tasks_of(item.id),
        cells=tuple(
            Cell(numbers.trimmed(place[task.id]), _share_class(shares[task.id]), _hint(task.id, shares[task.id]))
            for task in hits
        ),
        tasks=tuple(Link(f"#{anchor('task', task.id)}", line(task.id, limit=40)) for task in hits),
    )


def _share_class(share: float) -> str:
    return "whole" if share == 1 else "part"


def _hint(task_id: str, share: float) -> str:
    trials = "" if share == 1 else f", in {numbers.percent(share, 0)} of its trials"
    return f"task {line(task_id, limit=40)}{trials}"


def _lines(result: RunResult) -> tuple[CurveLine, ...]:
    by_judge: dict[tuple[str, Trust], list[Score]] = {}
    for score in result.scores:
        if coverage_k(score.metric) is not None:
            by_judge.setdefault((score.judge, score.trust), []).append(score)
    return tuple(
        CurveLine(
            judge=line(judge, limit=80),
            trust=trust_label(trust),
            series=f"series-{number % 6 + 1}",
            rows=tuple(score_row(score) for score in scores),
            n_untested=tuple(numbers.count(len(score.untested_items)) for score in scores),
        )
        for number, ((judge, trust), scores) in enumerate(by_judge.items())
    )


def _series(line: CurveLine) -> Series:
    scores = [row.score for row in line.rows if row.score.value is not None]
    points = ((coverage_k(score.metric), score.value) for score in scores)
    known = tuple((k, share) for k, share in points if k is not None and share is not None)
    return Series(known, tuple(score.interval for score in scores))

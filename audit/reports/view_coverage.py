"""The policy's items against the tasks, as strings for the template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from markupsafe import Markup

from audit.records.policy import PolicyItem
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.challenges import Challenges, all_challenges, policy_rules
from audit.reports.charts import Series, coverage_chart
from audit.reports.labels import coverage_k, judge_names, labelled, trust_label
from audit.reports.score_rows import ScoreRow, score_row
from audit.reports.view_links import Link, task_link
from audit.reports.visible import anchor, line

_FEW = 12
_TICK = 10
_STRIP_PX = 560
_CELL_PX = 12
_MAX_K = 12
_MAX_LINKS = 60


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One policy item and the tasks that challenge it; ``whole`` and ``part`` are paths of the cells.

    Parameters
    ----------
    rule
        Anchor of the item's place in the document; empty where it is not shown.
    n
        Tasks that challenge it.
    """

    anchor: str
    rule: str
    id: str
    title: str
    kind: str
    n: int
    n_tasks: str
    whole: str
    part: str
    tasks: tuple[Link, ...]
    more: str

    @property
    def is_untested(self) -> bool:
        """Whether no task challenges it."""
        return self.n == 0


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
    gaps: str
    """Path of the tasks without a verdict."""
    width: str
    by_k: tuple[str, ...]
    """What is challenged by at least 1, 2, … tasks, in words."""


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


def coverage_view(result: RunResult, shown: Set[str] = frozenset()) -> CoverageView:
    """Return the coverage part of the page; ``shown`` are the items that stand in the document below it."""
    found = [one for one in all_challenges(result) if one.has_answers]
    has_rules = bool(policy_rules(result.benchmark))
    names = judge_names(result)
    maps = (
        tuple(_map(result, one, number=n, name=names[one.judge], shown=shown) for n, one in enumerate(found))
        if has_rules
        else ()
    )
    lines = _lines(result, names)
    drawn = [line for line in lines if any(row.state == "ok" for row in line.rows)]
    chart = None
    if drawn:
        judges = ", ".join(labelled(line.judge, line.rows[0].score.trust) for line in drawn)
        chart = coverage_chart(
            [_series(line) for line in drawn], name="curve", title=f"Policy violation coverage over K: {judges}"
        )
    return CoverageView(maps, chart, tuple(drawn), "" if maps else _why_not(result))


def _why_not(result: RunResult) -> str:
    for score in result.scores:
        if coverage_k(score.metric) and score.value is None:
            return score_row(score).note
    if not policy_rules(result.benchmark):
        return f"undefined: {line(result.benchmark.policy.no_items_reason or 'the policy has no items', limit=400)}"
    return "policy violations were not judged in this run, which needs a judge"


def _map(result: RunResult, found: Challenges, *, number: int, name: str, shown: Set[str]) -> CoverageMap:
    tasks = result.benchmark.tasks
    pitch = min(float(_CELL_PX), _STRIP_PX / len(tasks))
    place = {task.id: index * pitch for index, task in enumerate(tasks)}
    strip = _Strip(place, pitch)
    rows = tuple(
        _item_row(found, rule.item, strip=strip, number=number, shown=shown) for rule in policy_rules(result.benchmark)
    )
    untested = tuple(row for row in rows if row.is_untested)
    return CoverageMap(
        judge=line(name, limit=80),
        trust=trust_label(found.trust),
        rows=rows,
        untested=untested,
        is_short=len(untested) <= _FEW,
        ticks=_ticks(result, pitch),
        grid="".join(f"M{numbers.trimmed(index * pitch)} 0V14" for index in range(0, len(tasks), _TICK))
        if pitch > 1
        else "",
        gaps=strip.path([task.id for task in tasks if task.id not in found.answered], top=5, height=4),
        width=numbers.trimmed(pitch * len(tasks)),
        by_k=_by_k(rows),
    )


@dataclass(frozen=True, slots=True)
class _Strip:
    """Where each task's cell stands."""

    place: Mapping[str, float]
    pitch: float

    def path(self, task_ids: Iterable[str], *, top: int = 1, height: int = 12) -> str:
        width = max(0.8, self.pitch - (1 if self.pitch > 4 else 0))
        wide = numbers.trimmed(width)
        return "".join(f"M{numbers.trimmed(self.place[id])} {top}h{wide}v{height}h-{wide}z" for id in task_ids)


def _by_k(rows: Sequence[ItemRow]) -> tuple[str, ...]:
    total = len(rows)
    sentences = []
    for k in range(1, min(_MAX_K, max(5, *(row.n for row in rows))) + 1):
        n = sum(row.n >= k for row in rows)
        tasks = "one task" if k == 1 else f"{k} tasks"
        share = numbers.percent(n / total)
        sentences.append(f"{numbers.count(n)} of {numbers.count(total)} items ({share}): at least {tasks} each")
    return tuple(sentences)


def _ticks(result: RunResult, pitch: float) -> tuple[Tick, ...]:
    chosen = list(enumerate(result.benchmark.tasks))[::_TICK]
    are_ids_short = all(len(task.id) <= 4 for _, task in chosen)
    step = max(1, round(30 / (pitch * _TICK)))
    return tuple(
        Tick(numbers.trimmed(index * pitch), line(task.id) if are_ids_short else f"no. {index + 1}")
        for index, task in chosen[::step]
    )


def _item_row(found: Challenges, item: PolicyItem, *, strip: _Strip, number: int, shown: Set[str]) -> ItemRow:
    shares = found.share_by_item.get(item.id, {})
    hits = sorted((id for id in shares if id in strip.place), key=strip.place.__getitem__)
    n = len(found.tasks_of(item.id))
    prefix = "item" if number == 0 else f"item{number + 1}"
    return ItemRow(
        anchor=anchor(prefix, item.id),
        rule=anchor("rule", item.id) if item.id in shown else "",
        id=line(item.id, limit=24),
        title=line(item.title),
        kind=item.kind.value,
        n=n,
        n_tasks=numbers.count(n),
        whole=strip.path(id for id in hits if shares[id] == 1),
        part=strip.path(id for id in hits if shares[id] < 1),
        tasks=tuple(task_link(id) for id in hits[:_MAX_LINKS]),
        more=f"and {numbers.count(len(hits) - _MAX_LINKS)} more" if len(hits) > _MAX_LINKS else "",
    )


def _lines(result: RunResult, names: Mapping[str, str]) -> tuple[CurveLine, ...]:
    by_judge: dict[tuple[str, Trust], list[Score]] = {}
    for score in result.scores:
        if coverage_k(score.metric) is not None:
            by_judge.setdefault((score.judge, score.trust), []).append(score)
    return tuple(
        CurveLine(
            judge=line(names[judge], limit=80),
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

"""Each task with its parts, rows and verdicts, as strings for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Part, PartKind, Row, Task
from audit.records.verdict import STATE_WORDS, Verdict, VerdictState
from audit.reports import numbers
from audit.reports.labels import criterion_title, metric_label, trust_label
from audit.reports.missing import is_missing
from audit.reports.plain import pretty
from audit.reports.ranking import RankedTask, band_of, is_ten_point, rank_tasks
from audit.reports.view_coverage import Link
from audit.reports.visible import anchor, block, line

N_OPEN = 3
"""Tasks that are shown unfolded, the worst."""
_ROW_LIMIT = 8_000
_SENTENCE = 4


@dataclass(frozen=True, slots=True)
class PartView:
    """One part of a task's description or expected behavior."""

    label: str
    text: str
    origin: str
    is_used: bool


@dataclass(frozen=True, slots=True)
class RowView:
    """One database row, pretty-printed."""

    name: str
    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class VerdictView:
    """One verdict or the reason why there is none."""

    criterion: str
    judge: str
    trust: str
    trial: str
    answer: str
    band: str
    is_missing: bool
    problem: str
    reasons: tuple[str, ...]
    violated: tuple[Link, ...]
    raw_reply: str
    note: str


@dataclass(frozen=True, slots=True)
class ValueCell:
    """A task's value of one score in the index, or why it has none."""

    text: str
    band: str
    trust: str


@dataclass(frozen=True, slots=True)
class Column:
    """A score that the index of tasks shows."""

    short: str
    judge: str
    trust: str


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task, everything in it shown."""

    anchor: str
    id: str
    teaser: str
    tags: tuple[str, ...]
    origin: str
    lowest: str
    lowest_from: str
    band: str
    missing: str
    is_open: bool
    description: tuple[PartView, ...]
    behavior: tuple[PartView, ...]
    rows: tuple[RowView, ...]
    verdicts: tuple[VerdictView, ...]
    cells: tuple[ValueCell, ...]


@dataclass(frozen=True, slots=True)
class TasksView:
    """All tasks, worst first."""

    tasks: tuple[TaskView, ...]
    columns: tuple[Column, ...]
    order: str
    has_trials: bool


def tasks_view(result: RunResult) -> TasksView:
    """Return the tasks part of the page."""
    scores = [score for score in result.scores if score.by_task]
    by_task: dict[str, list[Verdict]] = {}
    for verdict in result.verdicts:
        by_task.setdefault(verdict.task_id, []).append(verdict)
    tasks = tuple(
        _task_view(result, entry, scores, by_task.get(entry.task.id, []), place=place)
        for place, entry in enumerate(rank_tasks(result))
    )
    columns = tuple(
        Column(metric_label(score.metric).short, line(score.judge, limit=60), trust_label(score.trust))
        for score in scores
    )
    return TasksView(tasks, columns, _order(scores), result.settings.trials > 1)


def _order(scores: Sequence[Score]) -> str:
    if any(metric_label(score.metric).is_alignment for score in scores):
        return "Lowest alignment first, whichever judge and metric gave it; tasks without a score stand last."
    return "In the order of the file: no alignment was scored."


def _task_view(
    result: RunResult, entry: RankedTask, scores: Sequence[Score], verdicts: Sequence[Verdict], *, place: int
) -> TaskView:
    task = entry.task
    selected = frozenset(result.settings.behavior)
    return TaskView(
        anchor=anchor("task", task.id),
        id=line(task.id, limit=80),
        teaser=_teaser(task),
        tags=tuple(line(tag, limit=40) for tag in task.tags[:12]),
        origin=line(str(task.origin), limit=200),
        lowest=numbers.trimmed(entry.lowest.value) if entry.lowest else "",
        lowest_from=_lowest_from(entry),
        band=entry.band,
        missing=f"{numbers.plural(entry.n_missing, 'verdict')} missing" if entry.n_missing else "",
        is_open=place < N_OPEN,
        description=tuple(_part_view(part, is_used=True) for part in task.description),
        behavior=tuple(_part_view(part, is_used=_is_used(part, selected)) for part in task.behavior),
        rows=tuple(_row_view(row) for row in task.rows),
        verdicts=tuple(_verdict_view(result, task, verdict) for verdict in verdicts),
        cells=tuple(_cell(score, task, verdicts) for score in scores),
    )


def _teaser(task: Task) -> str:
    """The first part that says something: a sentence rather than a domain's or persona's name."""
    sentences = [part.text for part in task.description if len(part.text[:200].split()) >= _SENTENCE]
    return line(sentences[0] if sentences else task.description_text, limit=110)


def _lowest_from(entry: RankedTask) -> str:
    if entry.lowest is None:
        return "no alignment score"
    trust = trust_label(entry.lowest.trust)
    label = f" [{trust}]" if trust else ""
    return f"{metric_label(entry.lowest.metric).short}, {line(entry.lowest.judge, limit=60)}{label}"


def _is_used(part: Part, selected: frozenset[str]) -> bool:
    kind = PartKind.ACTION if part.kind is PartKind.NO_WRITE else part.kind
    return kind.value in selected


def _part_view(part: Part, *, is_used: bool) -> PartView:
    return PartView(line(part.label), block(part.text), line(str(part.origin), limit=200), is_used)


def _row_view(row: Row) -> RowView:
    return RowView(
        line(f"{row.table} · {row.key}"), block(pretty(row.value), limit=_ROW_LIMIT), line(str(row.origin), limit=200)
    )


def _verdict_view(result: RunResult, task: Task, verdict: Verdict) -> VerdictView:
    is_score = verdict.score is not None and verdict.is_ok
    return VerdictView(
        criterion=criterion_title(verdict.criterion),
        judge=line(verdict.judge, limit=80),
        trust=trust_label(verdict.trust),
        trial=numbers.count(verdict.trial + 1),
        answer=_answer(verdict),
        band=band_of(verdict.score) if is_score and is_ten_point(verdict.criterion) and verdict.score else "none",
        is_missing=is_missing(verdict),
        problem="" if verdict.is_ok else block(verdict.problem, limit=600),
        reasons=tuple(block(reason, limit=4000) for reason in verdict.reasons),
        violated=_violated(result, task, verdict),
        raw_reply=block(verdict.raw_reply, limit=4000) if is_missing(verdict) else "",
        note="read after one repair request" if verdict.is_repaired else "",
    )


def _answer(verdict: Verdict) -> str:
    if not verdict.is_ok:
        return STATE_WORDS[verdict.state]
    if verdict.violated is not None:
        return numbers.plural(len(verdict.violated), "item")
    return numbers.trimmed(verdict.score)


def _violated(result: RunResult, task: Task, verdict: Verdict) -> tuple[Link, ...]:
    if verdict.violated is None:
        return ()
    titles = {item.id: item.title for item in result.benchmark.policy_of(task).items}
    return tuple(
        Link(
            f"#{anchor('item', id)}" if id in titles else "",
            line(f"{id} {titles[id]}" if id in titles else id),
        )
        for id in verdict.violated
    )


def _cell(score: Score, task: Task, verdicts: Sequence[Verdict]) -> ValueCell:
    trust = trust_label(score.trust)
    if task.id in score.by_task:
        value = score.by_task[task.id]
        return ValueCell(numbers.trimmed(value), band_of(value) if is_ten_point(score.metric) else "none", trust)
    criterion = metric_label(score.metric).criterion
    states = [verdict.state for verdict in verdicts if verdict.judge == score.judge and verdict.criterion == criterion]
    state = states[0] if states else VerdictState.NOT_ASKED
    return ValueCell(STATE_WORDS[state], "missing", trust)

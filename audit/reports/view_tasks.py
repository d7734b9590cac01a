"""The table of tasks as strings for the template, and as the values that the page's script sorts and filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit.records.finding import SEVERITY_ORDER, Finding, Severity
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Task
from audit.records.verdict import STATE_WORDS, Verdict, VerdictState
from audit.reports import numbers
from audit.reports.challenges import all_challenges
from audit.reports.labels import metric_label, short_judges, trust_label
from audit.reports.plain import Plain
from audit.reports.ranking import band_of, is_ten_point, rank_tasks
from audit.reports.view_findings import findings_by_task
from audit.reports.visible import line, task_anchor

_SENTENCE = 4
BANDS = ("none", "missing", "low", "middle", "high")


@dataclass(frozen=True, slots=True)
class ValueCell:
    """A task's value of one score, or why it has none."""

    text: str
    band: str


@dataclass(frozen=True, slots=True)
class Column:
    """A score that the table shows."""

    short: str
    judge: str
    trust: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task in the table.

    Parameters
    ----------
    counts
        Errors, warnings and notes.
    rules, items
        Rules that it breaks, and policy items that it challenges according to the panel or the first judge.
    """

    anchor: str
    id: str
    teaser: str
    tags: tuple[str, ...]
    counts: tuple[int, ...]
    rules: tuple[str, ...]
    items: tuple[str, ...]
    cells: tuple[ValueCell, ...]
    missing: str
    n_missing: int
    has_parted: bool


@dataclass(frozen=True, slots=True)
class TasksView:
    """All tasks, in reading order."""

    rows: tuple[TaskRow, ...]
    columns: tuple[Column, ...]
    order: str
    was_checked: bool
    has_missing: bool
    data: Plain
    """The same for the script, and what its filters offer."""


def tasks_view(result: RunResult) -> TasksView:
    """Return the table of tasks."""
    scores = [score for score in result.scores if score.by_task]
    names = short_judges(dict.fromkeys(score.judge for score in scores))
    columns = tuple(
        Column(metric_label(score.metric).short, line(names[score.judge], limit=40), trust_label(score.trust))
        for score in scores
    )
    rows = _rows(result, scores)
    return TasksView(
        rows=rows,
        columns=columns,
        order=_order(result, scores),
        was_checked=result.checked is not None,
        has_missing=any(row.n_missing for row in rows),
        data=_data(result, rows, columns, lows=[metric_label(score.metric).is_alignment for score in scores]),
    )


def _rows(result: RunResult, scores: Sequence[Score]) -> tuple[TaskRow, ...]:
    states: dict[tuple[str, str, str], VerdictState] = {}
    for verdict in result.verdicts:
        states.setdefault(_key(verdict), verdict.state)
    found = findings_by_task(result)
    items = _items(result)
    parted = {task.task_id for task in result.panel.parted} if result.panel else frozenset()
    return tuple(
        TaskRow(
            anchor=task_anchor(entry.task.id),
            id=line(entry.task.id, limit=80),
            teaser=teaser(entry.task),
            tags=tuple(line(tag, limit=40) for tag in entry.task.tags[:12]),
            counts=_counts(found.get(entry.task.id, ())),
            rules=tuple(dict.fromkeys(finding.rule for finding in found.get(entry.task.id, ()))),
            items=items.get(entry.task.id, ()),
            cells=tuple(_cell(score, entry.task, states) for score in scores),
            missing=f"{numbers.plural(entry.n_missing, 'verdict')} missing" if entry.n_missing else "",
            n_missing=entry.n_missing,
            has_parted=entry.task.id in parted,
        )
        for entry in rank_tasks(result)
    )


def _key(verdict: Verdict) -> tuple[str, str, str]:
    return (verdict.task_id, verdict.criterion, verdict.judge)


def _counts(findings: Sequence[Finding]) -> tuple[int, ...]:
    severities = [finding.severity for finding in findings]
    return tuple(severities.count(severity) for severity in SEVERITY_ORDER)


def _items(result: RunResult) -> Mapping[str, tuple[str, ...]]:
    """Task to the items that it challenges, as the first picture of the policy shows it."""
    items: dict[str, list[str]] = {}
    for found in [one for one in all_challenges(result) if one.has_answers][:1]:
        for item_id in found.share_by_item:
            for task_id in found.tasks_of(item_id):
                items.setdefault(task_id, []).append(item_id)
    return {task_id: tuple(ids) for task_id, ids in items.items()}


def _order(result: RunResult, scores: Sequence[Score]) -> str:
    has_errors = result.checked is not None and result.checked.n_by_severity[Severity.ERROR] > 0
    first = "Tasks with errors first, then the" if has_errors else "First the"
    if any(metric_label(score.metric).is_alignment for score in scores):
        return f"{first} lowest alignment, whichever judge and metric gave it; tasks without a score stand last."
    return "Tasks with errors first, then the order of the file." if has_errors else "In the order of the file."


def teaser(task: Task) -> str:
    """Return the first part that says something: a sentence rather than a domain's or persona's name."""
    sentences = [part.text for part in task.description if len(part.text[:200].split()) >= _SENTENCE]
    return line(sentences[0] if sentences else task.description_text, limit=110)


def _cell(score: Score, task: Task, states: Mapping[tuple[str, str, str], VerdictState]) -> ValueCell:
    if task.id in score.by_task:
        value = score.by_task[task.id]
        return ValueCell(numbers.trimmed(value), band_of(value) if is_ten_point(score.metric) else "none")
    key = (task.id, metric_label(score.metric).criterion, score.judge)
    return ValueCell(STATE_WORDS[states.get(key, VerdictState.NOT_ASKED)], "missing")


def _data(result: RunResult, rows: Sequence[TaskRow], columns: Sequence[Column], *, lows: list[Plain]) -> Plain:
    titles = {} if result.checked is None else {rule.id: rule.title for rule in result.checked.rules}
    rules = _numbered(rule for row in rows for rule in row.rules)
    items = _numbered(item for row in rows for item in row.items)
    tags = _numbered(tag for row in rows for tag in row.tags)
    return {
        "columns": [[column.short, column.judge, column.trust] for column in columns],
        "rules": [[line(rule), line(titles.get(rule, rule))] for rule in rules],
        "items": [line(item, limit=24) for item in items],
        "tags": list(tags),
        "bands": list(BANDS),
        "lows": lows,
        "checked": result.checked is not None,
        "tasks": [
            [
                row.anchor,
                row.id,
                row.teaser,
                list(row.counts),
                [rules[rule] for rule in row.rules],
                [items[item] for item in row.items],
                [tags[tag] for tag in row.tags],
                [[cell.text, BANDS.index(cell.band)] for cell in row.cells],
                row.n_missing,
                int(row.has_parted),
            ]
            for row in rows
        ],
    }


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}

"""Which tasks to read first: those with errors, then those with the lowest alignment that any judge gave."""

from __future__ import annotations

from dataclasses import dataclass

from audit.records.finding import Severity
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Task
from audit.records.verdict import Trust
from audit.reports.labels import metric_label
from audit.reports.missing import is_missing

LOW = 3.0
"""On the 1-to-10 scales: at or below, the parts of a task contradict each other."""
MIDDLE = 7.0
"""On the 1-to-10 scales: below, a task has several faults."""

_BEST_FIRST = (Trust.MODEL, Trust.SCRIPTED, Trust.OFFLINE)


@dataclass(frozen=True, slots=True)
class Lowest:
    """The lowest value that a task got, and from whom."""

    value: float
    metric: str
    judge: str
    trust: Trust


@dataclass(frozen=True, slots=True)
class RankedTask:
    """A task at its place in the reading order.

    Parameters
    ----------
    lowest
        ``None`` when no alignment verdict exists for it.
    n_missing
        Its missing verdicts.
    """

    task: Task
    lowest: Lowest | None
    n_missing: int


def band_of(value: float) -> str:
    """Return the band of a 1-to-10 score: ``low``, ``middle`` or ``high``."""
    if value <= LOW:
        return "low"
    return "middle" if value < MIDDLE else "high"


def is_ten_point(metric: str) -> bool:
    """Whether a metric's values are scores of 1 to 10."""
    return metric in {"desc_alignment", "policy_alignment"}


def alignment_scores(result: RunResult) -> tuple[Score, ...]:
    """Return the scores whose low values mark a task, of the most trusted kind of judge that has any."""
    scores = [score for score in result.scores if metric_label(score.metric).is_alignment and score.by_task]
    for trust in _BEST_FIRST:
        if chosen := tuple(score for score in scores if score.trust is trust):
            return chosen
    return ()


def rank_tasks(result: RunResult) -> tuple[RankedTask, ...]:
    """Return every task: first those with an error that the checks found, within both groups the lowest alignment
    first and tasks without any last; ties keep the file's order.
    """
    scores = alignment_scores(result)
    missing = _missing_by_task(result)
    faulty = _faulty(result)
    ranked = [RankedTask(task, _lowest(task, scores), missing[task.id]) for task in result.benchmark.tasks]
    return tuple(sorted(ranked, key=lambda entry: (entry.task.id not in faulty, *_key(entry, scores))))


def _faulty(result: RunResult) -> frozenset[str | None]:
    found = () if result.checked is None else result.checked.at_least(Severity.ERROR)
    return frozenset(finding.task_id for finding in found)


def _missing_by_task(result: RunResult) -> dict[str, int]:
    missing = {task.id: 0 for task in result.benchmark.tasks}
    for verdict in result.verdicts:
        if verdict.task_id in missing and is_missing(verdict):
            missing[verdict.task_id] += 1
    return missing


def _lowest(task: Task, scores: tuple[Score, ...]) -> Lowest | None:
    values = [
        Lowest(score.by_task[task.id], score.metric, score.judge, score.trust)
        for score in scores
        if task.id in score.by_task
    ]
    return min(values, key=lambda lowest: lowest.value) if values else None


def _key(entry: RankedTask, scores: tuple[Score, ...]) -> tuple[bool, float, float]:
    if entry.lowest is None:
        return (True, 0.0, -entry.n_missing)
    values = [score.by_task[entry.task.id] for score in scores if entry.task.id in score.by_task]
    return (False, entry.lowest.value, sum(values) / len(values))

"""A benchmark as it is, and the same one with known changes, judged: values side by side, task by task."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from audit.compare.scores import COVERAGE
from audit.errors import UndefinedScoreError
from audit.metrics.measure import spawn_rng
from audit.perturbations.protocol import Perturbation
from audit.perturbations.registry import find_perturbation
from audit.records.perturbation import Direction, Perturbed
from audit.records.run import RunResult
from audit.records.score import Interval, Score
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.reports.labels import trust_label
from audit.stats.paired import paired_coverage_interval, paired_mean_interval
from audit.stats.violations import violation_coverage
from audit.studies.draws import is_coverage, item_ids, violated_by_task, violation_matrix
from audit.studies.ground import Key, estimate, scores_by_key

NO_VALUES = "it is a property of the whole benchmark and has no value by task"


@dataclass(frozen=True, slots=True)
class Changed:
    """A benchmark with known changes, and what the judges said of it."""

    perturbed: Perturbed
    run: RunResult

    @property
    def kind(self) -> Perturbation:
        """What was done."""
        return find_perturbation(self.perturbed.kind)

    @property
    def changed(self) -> frozenset[str]:
        """Ids of the changed tasks."""
        return frozenset(self.perturbed.changed_ids)


@dataclass(frozen=True, slots=True)
class Judged:
    """The benchmark as it is and every changed one, judged alike."""

    untouched: RunResult
    sets: tuple[Changed, ...]
    seed: int

    @property
    def keys(self) -> tuple[Key, ...]:
        """Every metric and judge."""
        return tuple(scores_by_key(self.untouched))

    def label(self, key: Key) -> str:
        """Return what must stand beside this judge's numbers."""
        return trust_label(scores_by_key(self.untouched)[key].trust)

    def graded(self) -> dict[str, list[Changed]]:
        """Return kinds that plant a defect in a share of the tasks, with their sets in rising rates."""
        return self._choose(Direction.LOWERS, is_whole=False)

    def whole(self) -> dict[str, list[Changed]]:
        """Return kinds that plant a defect in what all tasks share, with their one set."""
        return self._choose(Direction.LOWERS, is_whole=True)

    def keeping(self) -> tuple[Changed, ...]:
        """Return the sets that were changed in form alone."""
        return tuple(each for each in self.sets if each.kind.direction is Direction.KEEPS)

    def rng(self, key: Key, *words: str) -> np.random.Generator:
        """Return the random stream of a metric, a judge and whatever else tells numbers apart."""
        return spawn_rng(self.seed, metric="\0".join((key[0], *words)), judge=key[1])

    def _choose(self, direction: Direction, *, is_whole: bool) -> dict[str, list[Changed]]:
        found: dict[str, list[Changed]] = {}
        for each in self.sets:
            if each.kind.direction is direction and each.kind.is_whole is is_whole:
                found.setdefault(each.kind.name, []).append(each)
        return found


def must_fall(kind: Perturbation, metric: str) -> bool:
    """Whether a kind must lower a metric.

    Examples
    --------
    >>> must_fall(find_perturbation("swap-policy"), "violation_coverage@1")
    True
    """
    return kind.direction is Direction.LOWERS and metric.partition("@")[0] in kind.metrics


def score_of(run: RunResult, key: Key) -> Score:
    """Return a run's score of a metric and a judge."""
    return scores_by_key(run)[key]


def difference(judged: Judged, changed: Changed, *, key: Key) -> Estimate:
    """Return how far a metric rose over the untouched benchmark, task by task, with its interval."""
    metric, words = key[0], (changed.kind.name, f"{changed.perturbed.rate}")
    if is_coverage(metric):
        return _coverage_difference(judged, changed, key=key)
    before, after = pairs(judged.untouched, changed.run, key=key)

    def mean() -> float:
        if len(before) < 2:
            raise UndefinedScoreError(f"{len(before)} tasks were judged on both sides; a difference needs 2")
        return float(np.mean(np.subtract(after, before)))

    return estimate(mean, lambda: paired_mean_interval(before, after, rng=judged.rng(key, *words)))


def pairs(untouched: RunResult, run: RunResult, *, key: Key) -> tuple[list[float], list[float]]:
    """Return the values of the tasks that both runs have a verdict on, in the same order."""
    before, after = score_of(untouched, key).by_task, score_of(run, key).by_task
    shared = [task_id for task_id in before if task_id in after]
    return [before[task_id] for task_id in shared], [after[task_id] for task_id in shared]


def _coverage_difference(judged: Judged, changed: Changed, *, key: Key) -> Estimate:
    """Both sides over the same tasks; the items are those of each side's own policy."""
    sides = [violated_by_task(run, key) for run in (judged.untouched, changed.run)]
    shared = [task_id for task_id in sides[0] if task_id in sides[1]]
    k = int(key[0].removeprefix(COVERAGE))
    items = [item_ids(run) for run in (judged.untouched, changed.run)]
    chosen = [{task_id: side[task_id] for task_id in shared} for side in sides]

    def value() -> float:
        before, after = (violation_coverage(side, frozenset(ids), k=k) for side, ids in zip(chosen, items, strict=True))
        return after - before

    def interval() -> Interval:
        before, after = (violation_matrix(side, ids) for side, ids in zip(chosen, items, strict=True))
        return paired_coverage_interval(before, after, k=k, rng=judged.rng(key, changed.kind.name))

    return estimate(value, interval)


def changes_table(judged: Judged) -> Table:
    """Return how many tasks each set changed, and why others can't be."""
    columns = (
        Column("kind", "Kind"),
        Column("direction", "Scores must"),
        Column("rate", "Rate", ColumnKind.SHARE),
        Column("n_wanted", "Wanted", ColumnKind.COUNT),
        Column("n_changed", "Changed", ColumnKind.COUNT),
        Column("n_unable", "Can't be changed", ColumnKind.COUNT),
        Column("why", "Why not"),
    )
    rows = tuple(
        Row(
            (
                each.kind.name,
                "fall" if each.kind.direction is Direction.LOWERS else "stay",
                each.perturbed.rate,
                each.perturbed.n_wanted,
                len(each.perturbed.changed_ids),
                len(each.perturbed.untouched),
                _why_not(each.perturbed),
            )
        )
        for each in judged.sets
    )
    about = "The tasks of a lower rate are among those of a higher one, changed alike."
    return Table("changes", "What was changed", columns, rows, about=about)


def _why_not(perturbed: Perturbed) -> str:
    counts = Counter(each.reason for each in perturbed.untouched)
    return "; ".join(f"{n}: {reason}" for reason, n in sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def task_table(judged: Judged) -> Table:
    """Return every changed task's value beside the one it had untouched, at the highest rate of each kind."""
    columns = (
        Column("kind", "Kind"),
        Column("metric", "Metric"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("task", "Task"),
        Column("partner", "From"),
        Column("untouched", "Untouched", ColumnKind.NUMBER),
        Column("changed", "Changed", ColumnKind.NUMBER),
    )
    rows = tuple(
        Row(
            (
                last.kind.name,
                key[0],
                key[1],
                task_id,
                last.perturbed.partner_by_task.get(task_id, ""),
                _value(judged.untouched, key, task_id),
                _value(last.run, key, task_id),
            ),
            judged.label(key),
        )
        for last in {each.kind.name: each for each in judged.sets}.values()
        for key in judged.keys
        if not is_coverage(key[0])
        for task_id in last.perturbed.changed_ids
    )
    return Table("tasks", "Every changed task", columns, rows, n_in_text=0)


def _value(run: RunResult, key: Key, task_id: str) -> Estimate:
    value = score_of(run, key).by_task.get(task_id)
    return Estimate(value, reason="no verdict" if value is None else "")

"""People's ratings and judges' verdicts of the same tasks, brought together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from audit.compare.scores import COVERAGE
from audit.loaders.ratings import say_doubled
from audit.metrics.measure import spawn_rng
from audit.records.comparison import Snapshot
from audit.records.rating import VIOLATIONS, BadCell, Rating
from audit.reports.labels import trust_label
from audit.stats.violations import majority_items

SIMULATED = "simulated (not people)"
METRIC_OF = {VIOLATIONS: "violation_count"}
"""Criterion to the metric of ours with its values, where it is not called the same."""
ALSO = {"desc_alignment": "offline_match"}
"""Criterion to a metric on another scale whose order should be the same."""

Task = tuple[str, str]
"""A benchmark's name, and a task's id."""


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge's values of one metric by task, and the items it names."""

    name: str
    metric: str
    label: str
    values: Mapping[Task, float]
    items: Mapping[Task, frozenset[str]]


@dataclass(frozen=True, slots=True)
class People:
    """Everything that raters say on one criterion.

    Parameters
    ----------
    by_rater
        Rater to task to rating.
    tiers
        Task to the tier that its ratings name, or else to its benchmark.
    """

    criterion: str
    by_rater: Mapping[str, Mapping[Task, Rating]]
    tiers: Mapping[Task, str]
    label: str

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Every rated task."""
        return tuple(dict.fromkeys(task for own in self.by_rater.values() for task in own))

    def given(self, task: Task) -> list[Rating]:
        """Return the ratings of a task."""
        return [own[task] for own in self.by_rater.values() if task in own]

    def mean(self, task: Task) -> float:
        """Return the mean of a task's ratings."""
        return fmean(each.value for each in self.given(task))

    def majority(self, task: Task) -> frozenset[str]:
        """Return the items that more than half of a task's raters name."""
        return majority_items([frozenset(each.items or ()) for each in self.given(task)])

    def table(self) -> list[list[float | None]]:
        """Return a row a task, a column a rater."""
        return [[own[task].value if task in own else None for own in self.by_rater.values()] for task in self.tasks]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A judge and people on the tasks that both have rated.

    Parameters
    ----------
    tasks
        Those that both have rated.
    seed
        Of the bootstraps.
    """

    people: People
    judge: Judge
    tasks: tuple[Task, ...]
    seed: int

    @property
    def label(self) -> str:
        """What must stand beside its numbers."""
        return join_labels(self.judge.label, self.people.label)

    @property
    def is_on_scale(self) -> bool:
        """Whether the judge's values are on the raters' scale, so that distances mean something."""
        return self.judge.metric == METRIC_OF.get(self.people.criterion, self.people.criterion)

    @property
    def said(self) -> list[float]:
        """The judge's values."""
        return [self.judge.values[task] for task in self.tasks]

    @property
    def reference(self) -> list[float]:
        """Means of the raters."""
        return [self.people.mean(task) for task in self.tasks]

    @property
    def strata(self) -> list[str]:
        """The tasks' tiers."""
        return [self.people.tiers[task] for task in self.tasks]

    def rng(self, name: str) -> np.random.Generator:
        """Return the random stream of one statistic of this pair."""
        words = (self.people.criterion, self.judge.metric, name)
        return spawn_rng(self.seed, metric="\0".join(words), judge=self.judge.name)


def place_ratings(
    ratings: Sequence[Rating], targets: Sequence[Snapshot]
) -> tuple[tuple[tuple[Task, Rating], ...], tuple[BadCell, ...]]:
    """Return each rating with the task that it is of, and those that can't be used.

    These are of no task here, name no item that there is, or rate what the same rater has rated before, in this file or
    another. A rating that names no benchmark is of the one target, or of the one that has a task of this id.
    """
    names: dict[str, Snapshot] = {}
    for target in targets:
        names.update({target.benchmark: target, target.label: target})
    placed: dict[tuple[Task, str, str], Rating] = {}
    bad: list[BadCell] = []
    for each in ratings:
        fits = [names[each.benchmark]] if each.benchmark in names else [] if each.benchmark else list(targets)
        own = [target for target in fits if each.task_id in target.tasks]
        problem = _problem(each, own)
        if problem:
            bad.append(_bad(each, problem))
            continue
        before = placed.setdefault(((own[0].benchmark, each.task_id), each.rater, each.criterion), each)
        if before is not each:
            bad.append(say_doubled(each, before))
    return tuple((task, each) for (task, _, _), each in placed.items()), tuple(bad)


def _problem(rating: Rating, own: Sequence[Snapshot]) -> str:
    if not own:
        where = f"benchmark {rating.benchmark}" if rating.benchmark else "any benchmark here"
        return f"there is no task {rating.task_id} in {where}"
    if len(own) > 1:
        return f"{len(own)} benchmarks have a task {rating.task_id}; add a column 'benchmark'"
    unknown = sorted(set(rating.items or ()) - set(own[0].items or ()))
    if unknown and own[0].items is not None:
        return f"the policy has no item {', '.join(unknown)}"
    return ""


def _bad(rating: Rating, problem: str) -> BadCell:
    place, _, column = rating.where.rpartition(", ")
    file, _, line = place.rpartition(":")
    return BadCell(file, int(line), column, problem)


def gather_people(placed: Iterable[tuple[Task, Rating]]) -> tuple[People, ...]:
    """Return the ratings criterion by criterion, in the order in which the files name them."""
    criteria: dict[str, dict[str, dict[Task, Rating]]] = {}
    for task, rating in placed:
        criteria.setdefault(rating.criterion, {}).setdefault(rating.rater, {})[task] = rating
    return tuple(_people(criterion, by_rater) for criterion, by_rater in criteria.items())


def _people(criterion: str, by_rater: Mapping[str, Mapping[Task, Rating]]) -> People:
    ratings = [(task, rating) for own in by_rater.values() for task, rating in own.items()]
    tiers = {task: rating.tier or task[0] for task, rating in ratings}
    tiers.update({task: rating.tier for task, rating in ratings if rating.tier})
    label = SIMULATED if any(rating.is_simulated for _, rating in ratings) else ""
    return People(criterion, by_rater, tiers, label)


def judges_of(targets: Sequence[Snapshot], criterion: str) -> tuple[Judge, ...]:
    """Return every judge that says something on a criterion, over all targets."""
    metrics = [METRIC_OF.get(criterion, criterion), *([ALSO[criterion]] if criterion in ALSO else [])]
    found: dict[tuple[str, str], dict[Task, float]] = {}
    labels: dict[tuple[str, str], str] = {}
    for target in targets:
        for score in target.scores:
            if score.metric in metrics and not score.metric.startswith(COVERAGE):
                key = (score.metric, score.judge)
                values = {(target.benchmark, task_id): value for task_id, value in score.by_task.items()}
                found.setdefault(key, {}).update(values)
                labels[key] = labels.get(key) or trust_label(score.trust)
    return tuple(
        Judge(name, metric, labels[metric, name], values, _items(targets, name) if criterion == VIOLATIONS else {})
        for (metric, name), values in found.items()
        if values
    )


def _items(targets: Sequence[Snapshot], judge: str) -> dict[Task, frozenset[str]]:
    return {
        (target.benchmark, task_id): items
        for target in targets
        if judge in target.violated
        for task_id, items in target.violated[judge].items()
    }


def unheard(people: Sequence[People], targets: Sequence[Snapshot]) -> Iterator[str]:
    """Yield a note for each criterion on which no judge here says anything."""
    silent = [each.criterion for each in people if not judges_of(targets, each.criterion)]
    if silent:
        yield f"No judge here rates {', '.join(silent)}: only the raters are compared with each other."


def join_labels(*labels: str) -> str:
    """Return labels as one.

    Examples
    --------
    >>> join_labels("scripted (not a real judge)", "", "simulated (not people)")
    'scripted (not a real judge); simulated (not people)'
    """
    return "; ".join(dict.fromkeys(label for label in labels if label))


def count_tiers(people: People, tasks: Sequence[Task]) -> int:
    """Return how many tiers have two tasks or more, so that there are pairs within them."""
    return sum(n > 1 for n in Counter(people.tiers[task] for task in tasks).values())

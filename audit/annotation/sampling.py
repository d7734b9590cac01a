"""Which tasks people are asked about: a seeded draw, stratified by what is known of the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from audit.records.annotation import Stratum
from audit.records.run import RunResult
from audit.records.task import Benchmark, Task

N_BANDS = 3
NO_SCORE = "no score"
_BANDS = ("low score", "middle score", "high score")


def draw_tasks(
    benchmark: Benchmark, n: int, *, bands: Mapping[str, str], seed: int
) -> tuple[tuple[Task, ...], tuple[Stratum, ...]]:
    """Return ``n`` of a benchmark's tasks, or all if there are fewer, in a random order.

    Parameters
    ----------
    bands
        Task id to the third of the scores that it is in; empty where no scores are known.
    seed
        The same one draws the same tasks.

    Returns
    -------
    tuple
        The tasks, and every stratum with how many it has and gave.

    Notes
    -----
    A systematic draw: tasks are laid out stratum by stratum, in a random order within each, and every (N/n)-th is
    taken from a random start. Each task has the same chance n/N, each stratum gives its share to within one task, and
    strata may be as small as one task. Madow and Madow (1944), "On the theory of systematic sampling".
    """
    rng = np.random.default_rng(seed)
    tasks = benchmark.tasks
    names = name_strata(benchmark, bands)
    shuffled = rng.permutation(len(tasks))
    laid = sorted(range(len(tasks)), key=lambda place: (names[place], int(shuffled[place])))
    size = min(n, len(tasks))
    step = len(tasks) / size
    start = float(rng.uniform(0, step))
    taken = [laid[min(int(start + step * k), len(tasks) - 1)] for k in range(size)]
    available, drawn = Counter(names), Counter(names[place] for place in taken)
    strata = tuple(Stratum(name, available[name], drawn[name]) for name in sorted(available))
    return tuple(tasks[place] for place in rng.permutation(taken)), strata


def name_strata(benchmark: Benchmark, bands: Mapping[str, str]) -> list[str]:
    """Return the name of each task's stratum: its third of the scores, its splits and its tags.

    A word that all tasks have tells nothing and is left out.
    """
    words = [_words(task, benchmark) for task in benchmark.tasks]
    shared = set.intersection(*words)
    return [
        ", ".join([*([bands.get(task.id, NO_SCORE)] if bands else []), *sorted(own - shared)]) or "no tag"
        for task, own in zip(benchmark.tasks, words, strict=True)
    ]


def _words(task: Task, benchmark: Benchmark) -> set[str]:
    return {*task.tags, *(name for name, ids in benchmark.splits.items() if task.id in ids)}


def score_bands(run: RunResult, criteria: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return each task's third of the scores, and the metric that they are of.

    That is the first criterion that is there; else the violation count, else the offline match. Several judges' scores
    of a task are averaged. Tasks with the same score are in the same third.
    """
    wanted = [name for name in criteria if name != "policy_violations"] + ["violation_count", "offline_match"]
    for metric in wanted:
        scores = [score for score in run.scores if score.metric == metric and score.by_task]
        values: dict[str, list[float]] = {}
        for score in scores:
            for task_id, value in score.by_task.items():
                values.setdefault(task_id, []).append(value)
        if values:
            return _bands({task_id: fmean(found) for task_id, found in values.items()}), metric
    return {}, ""


def _bands(values: Mapping[str, float]) -> dict[str, str]:
    ordered = sorted(values.values())
    places = {value: (ordered.index(value) + ordered.count(value) / 2) / len(ordered) for value in set(ordered)}
    return {task_id: _BANDS[min(N_BANDS - 1, int(N_BANDS * places[value]))] for task_id, value in values.items()}

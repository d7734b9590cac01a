"""Every metric of every judge over a run's verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.metrics.offline import OFFLINE_MATCH
from audit.metrics.outcomes import Outcomes, gather
from audit.metrics.protocol import Metric
from audit.metrics.registry import find_metric
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.records.verdict import Verdict

NEEDS_JUDGE = "needs a judge"


def measure_all(
    benchmark: Benchmark, verdicts: Sequence[Verdict], *, metrics: Sequence[str], judges: Sequence[str], seed: int
) -> tuple[Score, ...]:
    """Return the scores of each metric and judge, metric by metric.

    The offline match is measured whenever the offline scorer's verdicts are there, or no judge was asked. Without
    a judge the other metrics are not applicable, which is neither missing nor undefined; their ``judge`` is empty.

    Parameters
    ----------
    verdicts
        Those of the run, missing ones included, in any order: it doesn't matter.
    metrics
        Names from the registry.
    judges
        As named in the verdicts; empty when only the offline scorer ran.
    seed
        At least 0. Each metric and judge draws from its own stream, so that one more judge moves no interval.

    Raises
    ------
    UsageError
        If there is no such metric.
    ValueError
        If a verdict is of a task that the benchmark doesn't have, or two are of the same task, judge and trial.
    """
    chosen = [metric for name in dict.fromkeys(metrics) if (metric := find_metric(name)) is not OFFLINE_MATCH]
    scores: list[Score] = []
    for metric in chosen:
        if not judges:
            scores.append(_not_applicable(benchmark, metric))
        for judge in dict.fromkeys(judges):
            scores.extend(measure_judge(benchmark, verdicts, metric=metric, judge=judge, seed=seed))
    return (*scores, *_offline_scores(benchmark, verdicts, is_alone=not judges, seed=seed))


def measure_judge(
    benchmark: Benchmark, verdicts: Sequence[Verdict], *, metric: Metric, judge: str, seed: int
) -> tuple[Score, ...]:
    """Return one metric's scores from the verdicts of one judge among ``verdicts``."""
    outcomes = gather_judge(benchmark, verdicts, criterion=metric.criterion, judge=judge)
    return metric.measure(benchmark, outcomes, judge=judge, rng=spawn_rng(seed, metric=metric.name, judge=judge))


def gather_judge(benchmark: Benchmark, verdicts: Sequence[Verdict], *, criterion: str, judge: str) -> Outcomes:
    """Bring together the verdicts of one judge on one criterion, among those of a run."""
    own = [verdict for verdict in verdicts if verdict.judge == judge and verdict.criterion == criterion]
    return gather(benchmark, own, criterion=criterion)


def spawn_rng(seed: int, *, metric: str, judge: str) -> np.random.Generator:
    """Return the random stream that belongs to one metric and judge under ``seed``."""
    digest = hashlib.sha256(f"{metric}\0{judge}".encode()).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])


def _not_applicable(benchmark: Benchmark, metric: Metric) -> Score:
    first, *_ = metric.measure(benchmark, Outcomes({}), judge="", rng=spawn_rng(0, metric=metric.name, judge=""))
    return replace(first, is_applicable=False, reason=NEEDS_JUDGE)


def _offline_scores(
    benchmark: Benchmark, verdicts: Sequence[Verdict], *, is_alone: bool, seed: int
) -> tuple[Score, ...]:
    scorers = sorted({verdict.judge for verdict in verdicts if verdict.criterion == OFFLINE_MATCH.criterion})
    if is_alone and not scorers:
        scorers = ["offline"]
    return tuple(
        score
        for scorer in scorers
        for score in measure_judge(benchmark, verdicts, metric=OFFLINE_MATCH, judge=scorer, seed=seed)
    )

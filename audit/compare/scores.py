"""Scores of two runs, side by side: a paired difference where they can be compared, and why not where they can't."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from audit.records.comparison import ScoreChange, Snapshot
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.stats.paired import paired_coverage_interval, paired_mean_interval
from audit.stats.violations import violation_coverage

COVERAGE = "violation_coverage@"
CRITERIA = {"violation_count": "policy_violations", "violation_coverage": "policy_violations"}
"""The criterion that a metric reads, where it is not named as the metric is."""
SEES_POLICY = frozenset({"policy_alignment", "policy_violations"})

Value = TypeVar("Value")


def compare_scores(old: Snapshot, new: Snapshot, *, seed: int = 0) -> tuple[ScoreChange, ...]:
    """Compare every metric of every judge that either side has, in the new side's order.

    Parameters
    ----------
    seed
        Of the bootstrap; each metric and judge has a stream of its own.
    """
    by_key = {(score.metric, score.judge): score for score in old.scores}
    keys = {(score.metric, score.judge): score for score in new.scores}
    return tuple(
        _compare((old, by_key.get(key)), (new, keys.get(key)), key=key, seed=seed) for key in {**keys, **by_key}
    )


def narrow(side: Snapshot, task_ids: Collection[str]) -> Snapshot:
    """Return a snapshot whose scores speak of these tasks alone when they are paired; its values stay as they are."""
    scores = tuple(replace(score, by_task=_only(score.by_task, task_ids)) for score in side.scores)
    violated = {judge: _only(by_task, task_ids) for judge, by_task in side.violated.items()}
    return replace(side, scores=scores, violated=violated)


def _only(by_task: Mapping[str, Value], task_ids: Collection[str]) -> dict[str, Value]:
    return {task_id: value for task_id, value in by_task.items() if task_id in task_ids}


def _compare(
    old: tuple[Snapshot, Score | None], new: tuple[Snapshot, Score | None], *, key: tuple[str, str], seed: int
) -> ScoreChange:
    before, after = old[1], new[1]
    change = ScoreChange(*key, _value(before), _value(after))
    if before is None or after is None:
        only = [(side, score) for side, score in (("OLD", before), ("NEW", after)) if score is not None]
        reasons = tuple(f"only {side} has this metric of this judge" for side, _ in only)
        return replace(change, reasons=reasons, trust=only[0][1].trust)
    change = replace(change, trust=after.trust)
    reasons = tuple(_obstacles(old[0], new[0], before, after))
    if reasons:
        return replace(change, reasons=reasons)
    rng = np.random.default_rng([seed, zlib.crc32("\0".join(key).encode())])
    if key[0].startswith(COVERAGE):
        return _pair_coverage(change, old[0], new[0], rng=rng)
    return _pair_means(change, before, after, rng=rng)


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


def _obstacles(old: Snapshot, new: Snapshot, before: Score, after: Score) -> Iterator[str]:
    """Why two scores of one judge can't be compared."""
    metric = before.metric.partition("@")[0]
    criterion = CRITERIA.get(metric, metric)
    for side, score in (("OLD", before), ("NEW", after)):
        if score.value is None:
            yield f"{side} has no value ({score.reason or 'no reason is told'})"
    if before.trust is not after.trust:
        yield f"what stands behind it changed from {before.trust} to {after.trust}"
    if criterion in SEES_POLICY and old.policy_sha256 != new.policy_sha256:
        yield "the policy changed"
    elif criterion == "policy_violations" and old.items != new.items:
        yield "the policy's items changed"
    if old.prompts.get(criterion) != new.prompts.get(criterion):
        yield "the prompt changed"
    yield from _models(old, new, before.judge)
    if old.behavior != new.behavior:
        parts = ", ".join(sorted(old.behavior ^ new.behavior))
        yield f"the judged parts of the expected behavior changed ({parts})"
    if old.trials != new.trials and before.trust is not Trust.OFFLINE:
        yield f"the number of trials changed from {old.trials} to {new.trials}"


def _models(old: Snapshot, new: Snapshot, judge: str) -> Iterator[str]:
    """Whether the same model answered; for a panel, any judge of it."""
    judges = [judge] if judge in {**old.models, **new.models} else sorted({*old.models, *new.models})
    for name in judges:
        models = [", ".join(side.models.get(name, ())) or "none" for side in (old, new)]
        if models[0] != models[1]:
            yield f"judge {name} was answered by the model {models[0]} and is now by {models[1]}"


def _pair_means(change: ScoreChange, before: Score, after: Score, *, rng: np.random.Generator) -> ScoreChange:
    shared = sorted(before.by_task.keys() & after.by_task.keys())
    if len(shared) < 2:
        return _too_few(change, len(shared))
    old, new = ([score.by_task[task_id] for task_id in shared] for score in (before, after))
    difference = float(np.mean(np.subtract(new, old)))
    interval = paired_mean_interval(old, new, rng=rng)
    return replace(change, n_paired=len(shared), difference=difference, interval=interval)


def _pair_coverage(change: ScoreChange, old: Snapshot, new: Snapshot, *, rng: np.random.Generator) -> ScoreChange:
    if change.judge not in old.violated or change.judge not in new.violated:
        return replace(change, reasons=("it can be paired only for one judge, not for a panel",))
    before, after = old.violated[change.judge], new.violated[change.judge]
    shared = sorted(before.keys() & after.keys())
    if len(shared) < 2:
        return _too_few(change, len(shared))
    k, items = int(change.metric.removeprefix(COVERAGE)), sorted(new.items or ())
    pair = [{task_id: side[task_id] & frozenset(items) for task_id in shared} for side in (before, after)]
    shares = [violation_coverage(side, frozenset(items), k=k) for side in pair]
    interval = paired_coverage_interval(_matrix(pair[0], items), _matrix(pair[1], items), k=k, rng=rng)
    return replace(change, n_paired=len(shared), difference=shares[1] - shares[0], interval=interval)


def _matrix(violated: Mapping[str, frozenset[str]], items: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[item in found for item in items] for found in violated.values()], dtype=np.bool_)


def _too_few(change: ScoreChange, n: int) -> ScoreChange:
    return replace(change, n_paired=n, reasons=(f"a difference needs two tasks that both judged, and there are {n}",))

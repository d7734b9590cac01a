"""Scores of two runs, side by side: a paired difference where they can be compared, and why not where they can't."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from audit.records.comparison import ScoreChange, Snapshot
from audit.records.content import digest
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.stats.multiple import sign_flip_p
from audit.stats.paired import paired_coverage_interval, paired_coverage_p, paired_mean_interval
from audit.stats.violations import violation_coverage

COVERAGE = "violation_coverage@"
CRITERIA = {"violation_count": "policy_violations", "violation_coverage": "policy_violations"}
"""The criterion that a metric reads, where it is not named as the metric is."""
SEES_POLICY = frozenset({"policy_alignment", "policy_violations"})

Value = TypeVar("Value")
NAMES = ("OLD", "NEW")
OTHER_TASKS = "the same ids name other tasks"
_LEAST_TESTED = 3
_LEAST_ALIKE = 0.1
_IDENTITY = ("description", "behavior", "actions")
_NOTHING = frozenset({digest([]), digest(None)})


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides whose scores are held against each other, and what they are called."""

    old: Snapshot
    new: Snapshot
    names: tuple[str, str] = NAMES
    seed: int = 0


def are_other_tasks(old: Snapshot, new: Snapshot) -> bool:
    """Whether two benchmarks of different names only share ids: not a tenth of these tasks have anything in common.

    Two versions of one benchmark under one name are paired by id, however much was edited; so are sides that do not
    tell what their tasks held.
    """
    shared = [(old.tasks[id], new.tasks[id]) for id in old.tasks.keys() & new.tasks.keys()]
    told = [(one, other) for one, other in shared if one and other]
    if old.benchmark == new.benchmark or not told:
        return False
    return sum(_are_alike(one, other) for one, other in told) < _LEAST_ALIKE * len(told)


def _are_alike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    parts = [name for name in _IDENTITY if name in one and name in other and one[name] not in _NOTHING]
    return any(one[name] == other[name] for name in parts)


def compare_scores(
    old: Snapshot, new: Snapshot, *, seed: int = 0, names: tuple[str, str] = NAMES
) -> tuple[ScoreChange, ...]:
    """Compare every metric of every judge that either side has, in the new side's order.

    Parameters
    ----------
    seed
        Of the bootstrap; each metric and judge has a stream of its own.
    names
        What the two sides are called where a difference can't be given.
    """
    pair = Pair(old, new, names, seed)
    by_key = {(score.metric, score.judge): score for score in old.scores}
    keys = {(score.metric, score.judge): score for score in new.scores}
    return tuple(_compare(pair, by_key.get(key), keys.get(key)) for key in {**keys, **by_key})


def narrow(side: Snapshot, task_ids: Collection[str]) -> Snapshot:
    """Return a snapshot whose scores speak of these tasks alone when they are paired; its values stay as they are."""
    scores = tuple(replace(score, by_task=_only(score.by_task, task_ids)) for score in side.scores)
    violated = {judge: _only(by_task, task_ids) for judge, by_task in side.violated.items()}
    return replace(side, scores=scores, violated=violated)


def _only(by_task: Mapping[str, Value], task_ids: Collection[str]) -> dict[str, Value]:
    return {task_id: value for task_id, value in by_task.items() if task_id in task_ids}


def _compare(pair: Pair, before: Score | None, after: Score | None) -> ScoreChange:
    if before is not None and after is not None:
        return pair_scores(pair, before, after=after)
    only, name = (before, pair.names[0]) if after is None else (after, pair.names[1])
    assert only is not None, "one side has it"
    return ScoreChange(
        only.metric,
        only.judge,
        _value(before),
        _value(after),
        reasons=(f"only {name} has this metric of this judge",),
        trust=only.trust,
    )


def pair_scores(pair: Pair, before: Score, *, after: Score) -> ScoreChange:
    """Compare one metric on both sides, by one judge or by two that take each other's place."""
    change = ScoreChange(after.metric, after.judge, before.value, after.value, trust=after.trust)
    reasons = tuple(_obstacles(pair, before, after))
    if reasons:
        return replace(change, reasons=reasons)
    rng = _rng(pair, after.metric, after.judge)
    if after.metric.startswith(COVERAGE):
        return _pair_coverage(change, pair, before.judge, rng=rng)
    return _pair_means(change, before, after, rng=rng)


def _rng(pair: Pair, *names: str) -> np.random.Generator:
    """Return a stream of its own for what is named so."""
    return np.random.default_rng([pair.seed, zlib.crc32("\0".join(names).encode("utf-8", "surrogatepass"))])


def chance(pair: Pair, before: Score, *, after: Score) -> float | None:
    """Return a two-sided p for the difference of :func:`pair_scores`; ``None`` below three shared tasks.

    Each task's two sides change places by a coin: for means exactly or by the normal approximation
    (:func:`audit.stats.multiple.sign_flip_p`), for coverage by seeded draws.
    """
    if after.metric.startswith(COVERAGE):
        sides = _violated(pair, before.judge, after.judge)
        if sides is None or len(sides[0]) < _LEAST_TESTED:
            return None
        items, k = sorted(pair.new.items or ()), int(after.metric.removeprefix(COVERAGE))
        rng = _rng(pair, "p", after.metric, after.judge)
        return paired_coverage_p(_matrix(sides[0], items), _matrix(sides[1], items), k=k, rng=rng)
    differences = [after.by_task[task] - before.by_task[task] for task in before.by_task if task in after.by_task]
    if len(differences) < _LEAST_TESTED:
        return None
    return sign_flip_p(differences) if any(differences) else 1.0


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


def _obstacles(pair: Pair, before: Score, after: Score) -> Iterator[str]:
    """Why two scores can't be compared."""
    if are_other_tasks(pair.old, pair.new):
        yield OTHER_TASKS
    for side, score in zip(pair.names, (before, after), strict=True):
        if score.value is None:
            yield f"{side} has no value ({score.reason or 'no reason is told'})"
    if before.trust is not after.trust:
        yield f"what stands behind it changed from {before.trust} to {after.trust}"
    yield from _questions(pair, before, after)


def _questions(pair: Pair, before: Score, after: Score) -> Iterator[str]:
    """Whether the two sides' judges were asked something else."""
    old, new = pair.old, pair.new
    metric = before.metric.partition("@")[0]
    criterion = CRITERIA.get(metric, metric)
    if criterion in SEES_POLICY and old.policy_sha256 != new.policy_sha256:
        yield "the policy changed"
    elif criterion == "policy_violations" and old.items != new.items:
        yield "the policy's items changed"
    if old.prompts.get(criterion) != new.prompts.get(criterion):
        yield "the prompt changed"
    if before.judge == after.judge:
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


def _pair_coverage(change: ScoreChange, pair: Pair, judge: str, *, rng: np.random.Generator) -> ScoreChange:
    found = _violated(pair, judge, change.judge)
    if found is None:
        return replace(change, reasons=("it can be paired only for one judge, not for a panel",))
    before, after = found
    if len(before) < 2:
        return _too_few(change, len(before))
    k, items = int(change.metric.removeprefix(COVERAGE)), sorted(pair.new.items or ())
    shares = [violation_coverage(side, frozenset(items), k=k) for side in found]
    interval = paired_coverage_interval(_matrix(before, items), _matrix(after, items), k=k, rng=rng)
    return replace(change, n_paired=len(before), difference=shares[1] - shares[0], interval=interval)


def _violated(
    pair: Pair, old_judge: str, new_judge: str
) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]] | None:
    """Return the items that each side's judge sees violated, of the tasks that both judged; ``None`` for a panel."""
    if old_judge not in pair.old.violated or new_judge not in pair.new.violated:
        return None
    before, after = pair.old.violated[old_judge], pair.new.violated[new_judge]
    shared, items = sorted(before.keys() & after.keys()), frozenset(pair.new.items or ())
    return {id: before[id] & items for id in shared}, {id: after[id] & items for id in shared}


def _matrix(violated: Mapping[str, frozenset[str]], items: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[item in found for item in items] for found in violated.values()], dtype=np.bool_)


def _too_few(change: ScoreChange, n: int) -> ScoreChange:
    return replace(change, n_paired=n, reasons=(f"a difference needs two tasks that both judged, and there are {n}",))

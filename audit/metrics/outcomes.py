"""Verdicts brought together task by task: over the trials of a judge, or over the judges of a panel."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from audit.records.task import Benchmark, Task
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.stats.violations import majority_items

POLICY_VIOLATIONS = "policy_violations"
NO_ITEMS = "the policy has no items"
_LEAST_TRUSTED_FIRST = (Trust.SCRIPTED, Trust.OFFLINE, Trust.MODEL)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What one judge, or a panel, says on one criterion, task by task in the benchmark's order.

    Parameters
    ----------
    value_by_task
        Score, or number of violated items; tasks without a verdict are absent.
    violated_by_task
        Violated items of the same tasks; empty for criteria that are scored.
    missing_tasks
        Tasks without a verdict, or below the panel's quorum.
    partial_tasks
        Tasks that are used although some of their verdicts are missing.
    undefined
        Task id to why the question can't be put for it; such tasks are neither used nor missing.
    missing
        Verdict state to how many verdicts are missing for that reason.
    quorum
        Judges that must have a verdict on a task; 1 outside panels.
    """

    value_by_task: Mapping[str, float]
    violated_by_task: Mapping[str, frozenset[str]] = field(default_factory=dict)
    missing_tasks: tuple[str, ...] = ()
    partial_tasks: tuple[str, ...] = ()
    undefined: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    trust: Trust = Trust.MODEL
    quorum: int = 1


def gather(benchmark: Benchmark, verdicts: Sequence[Verdict], *, criterion: str) -> Outcomes:
    """Bring together one judge's verdicts on one criterion.

    A task's value is the mean over its trials that have a verdict: of the scores, or of the numbers of violated
    items. Its violated items are those of more than half of these trials. A task or trial without any record, of
    those that the other records speak of, is missing too, as ``not_asked``.

    Raises
    ------
    ValueError
        If a verdict is of a task that the benchmark doesn't have, or two are of the same task and trial.
    """
    by_task = _by_task(benchmark, verdicts)
    undefined = _undefined(benchmark, by_task, criterion=criterion)
    asked = {id_: _asked(found) for id_, found in by_task.items() if id_ not in undefined}
    n_trials = max(1, len({verdict.trial for found in asked.values() for verdict in found}))
    ok = {id_: [verdict for verdict in found if verdict.is_ok] for id_, found in asked.items()}
    judged = {id_: found for id_, found in ok.items() if found}
    violated = {id_: majority_items([_violated(verdict) for verdict in found]) for id_, found in judged.items()}
    return Outcomes(
        value_by_task={id_: math.fsum(map(_value, found)) / len(found) for id_, found in judged.items()},
        violated_by_task=violated if criterion == POLICY_VIOLATIONS else {},
        missing_tasks=tuple(id_ for id_ in ok if id_ not in judged),
        partial_tasks=tuple(id_ for id_, found in judged.items() if len(found) < n_trials),
        undefined=undefined,
        missing=_count_missing(asked, n_trials=n_trials),
        trust=_least_trust(verdict.trust for verdict in verdicts),
    )


def combine(benchmark: Benchmark, by_judge: Sequence[Outcomes], *, quorum: int) -> Outcomes:
    """Bring together the judges of a panel.

    A task's value is the median over the judges that have one; its violated items are those that more than half of
    these judges name. Below ``quorum`` judges the task is missing.
    """
    ids = [task.id for task in benchmark.tasks]
    values = {id_: [each.value_by_task[id_] for each in by_judge if id_ in each.value_by_task] for id_ in ids}
    sets = {id_: [each.violated_by_task[id_] for each in by_judge if id_ in each.violated_by_task] for id_ in ids}
    undefined = {id_: each.undefined[id_] for id_ in ids for each in by_judge if id_ in each.undefined}
    judged = [id_ for id_ in ids if len(values[id_]) >= quorum]
    missing = sum((Counter(each.missing) for each in by_judge), Counter[str]())
    partial = {id_ for each in by_judge for id_ in (*each.partial_tasks, *each.missing_tasks)}
    return Outcomes(
        value_by_task={id_: float(statistics.median(values[id_])) for id_ in judged},
        violated_by_task={id_: majority_items(sets[id_]) for id_ in judged if sets[id_]},
        missing_tasks=tuple(id_ for id_ in ids if id_ not in judged and id_ not in undefined),
        partial_tasks=tuple(id_ for id_ in judged if id_ in partial),
        undefined={id_: reason for id_, reason in undefined.items() if id_ not in judged},
        missing=dict(sorted(missing.items())),
        trust=_least_trust(each.trust for each in by_judge),
        quorum=quorum,
    )


def _by_task(benchmark: Benchmark, verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    by_task: dict[str, list[Verdict]] = {task.id: [] for task in benchmark.tasks}
    seen: set[tuple[str, int]] = set()
    for verdict in sorted(verdicts, key=lambda verdict: verdict.trial):
        if verdict.task_id not in by_task:
            raise ValueError(f"verdict on task {verdict.task_id!r}, which {benchmark.name} doesn't have")
        if (verdict.task_id, verdict.trial) in seen:
            raise ValueError(f"two verdicts of {verdict.judge} on task {verdict.task_id!r}, trial {verdict.trial}")
        seen.add((verdict.task_id, verdict.trial))
        by_task[verdict.task_id].append(verdict)
    return by_task


def _asked(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.state is not VerdictState.UNDEFINED]


def _undefined(benchmark: Benchmark, by_task: Mapping[str, Sequence[Verdict]], *, criterion: str) -> dict[str, str]:
    """Task id to reason, for tasks that have no verdict because there can't be one."""
    reasons = {}
    for task in benchmark.tasks:
        found = by_task[task.id]
        told = [verdict.problem for verdict in found if verdict.state is VerdictState.UNDEFINED]
        if told and not any(verdict.is_ok for verdict in found):
            reasons[task.id] = told[0] or "the question can't be put"
        elif criterion == POLICY_VIOLATIONS and not found and not benchmark.policy_of(task).items:
            reasons[task.id] = no_items_reason(benchmark, task)
    return reasons


def no_items_reason(benchmark: Benchmark, task: Task) -> str:
    """Return why the policy of ``task`` has no items."""
    return benchmark.policy_of(task).no_items_reason or NO_ITEMS


def _count_missing(asked: Mapping[str, Sequence[Verdict]], *, n_trials: int) -> dict[str, int]:
    missing: Counter[str] = Counter()
    for found in asked.values():
        missing.update(verdict.state.value for verdict in found if not verdict.is_ok)
        missing[VerdictState.NOT_ASKED.value] += n_trials - len(found)
    return dict(sorted((+missing).items()))


def _value(verdict: Verdict) -> float:
    if verdict.violated is not None:
        return float(len(_violated(verdict)))
    if verdict.score is None:
        raise ValueError(f"verdict on task {verdict.task_id!r} is ok, yet holds neither a score nor items")
    return verdict.score


def _violated(verdict: Verdict) -> frozenset[str]:
    return frozenset(verdict.violated or ())


def _least_trust(trusts: Iterable[Trust]) -> Trust:
    return min(trusts, key=_LEAST_TRUSTED_FIRST.index, default=Trust.MODEL)

"""Several judges as one panel: medians, majorities, agreement, and the tasks where they part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.families import model_family
from audit.metrics.agreement import measure_agreement
from audit.metrics.measure import gather_judge, spawn_rng
from audit.metrics.offline import OFFLINE_MATCH
from audit.metrics.outcomes import POLICY_VIOLATIONS, Outcomes, combine
from audit.metrics.registry import find_metric
from audit.records.panel import PanelResult, PanelTask
from audit.records.task import Benchmark
from audit.records.verdict import Verdict

WIDE_SPREAD = 3.0
"""Points between the kindest and the strictest judge from which they part."""


def measure_panel(
    benchmark: Benchmark, verdicts: Sequence[Verdict], *, metrics: Sequence[str], judges: Sequence[str], seed: int
) -> PanelResult:
    """Return what the judges say together, and how far they agree.

    A task counts for the panel when more than half of the judges have a verdict on it (at least two), so that a
    single failing judge neither empties the panel nor lets one judge speak for it; the scores say how many tasks
    rest on fewer judges than were asked, and which verdicts are missing. Values are medians over the judges with a
    verdict, violated items those that more than half of these judges name, so a panel's count may differ from the
    size of its majority sets. Agreement is measured on the tasks that both judges of a pair have a verdict on.

    Parameters
    ----------
    metrics
        Names from the registry; the offline match has no panel and is left out.
    judges
        Two or more, as named in the verdicts.

    Raises
    ------
    ValueError
        If there are fewer than two judges; and as `measure_all`.
    """
    names = tuple(dict.fromkeys(judges))
    if len(names) < 2:
        raise ValueError(f"a panel needs two judges at least, not {len(names)}")
    chosen = [metric for name in dict.fromkeys(metrics) if (metric := find_metric(name)) is not OFFLINE_MATCH]
    by_criterion = {
        criterion: {judge: gather_judge(benchmark, verdicts, criterion=criterion, judge=judge) for judge in names}
        for criterion in dict.fromkeys(metric.criterion for metric in chosen)
    }
    quorum = len(names) // 2 + 1
    panel = {key: combine(benchmark, list(own.values()), quorum=quorum) for key, own in by_criterion.items()}
    name = f"panel (median of {len(names)})"
    return PanelResult(
        name=name,
        judges=names,
        quorum=quorum,
        scores=tuple(
            score
            for metric in chosen
            for score in metric.measure(
                benchmark, panel[metric.criterion], judge=name, rng=spawn_rng(seed, metric=metric.name, judge=name)
            )
        ),
        tasks=tuple(
            _panel_task(task.id, own, panel[key], criterion=key)
            for key, own in by_criterion.items()
            for task in benchmark.tasks
            if any(task.id in each.value_by_task for each in own.values())
        ),
        agreements=tuple(each for key, own in by_criterion.items() for each in measure_agreement(own, criterion=key)),
        family_by_judge={judge: model_family(judge) for judge in names},
        author_family=benchmark.author_family,
    )


def _panel_task(task_id: str, by_judge: Mapping[str, Outcomes], panel: Outcomes, *, criterion: str) -> PanelTask:
    values = {judge: own.value_by_task[task_id] for judge, own in by_judge.items() if task_id in own.value_by_task}
    sets = {judge: own.violated_by_task[task_id] for judge, own in by_judge.items() if task_id in own.violated_by_task}
    if criterion == POLICY_VIOLATIONS:
        spread = float(len(frozenset.union(*sets.values()) - frozenset.intersection(*sets.values())))
        has_parted = spread > 0
    else:
        spread = round(max(values.values()) - min(values.values()), 9)  # means of trials: 22/3 - 13/3 is 3
        has_parted = spread >= WIDE_SPREAD
    majority = panel.violated_by_task.get(task_id)
    return PanelTask(
        task_id=task_id,
        criterion=criterion,
        value_by_judge=values,
        violated_by_judge={judge: tuple(sorted(items)) for judge, items in sets.items()},
        median=panel.value_by_task.get(task_id),
        violated=None if majority is None else tuple(sorted(majority)),
        spread=spread,
        has_parted=has_parted,
    )

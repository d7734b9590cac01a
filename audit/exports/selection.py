"""Which tasks an expression keeps; a task with a missing verdict is never among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from audit.errors import UsageError
from audit.exports.expression import Expression, Facts, comparisons, reasons_against
from audit.metrics.registry import METRICS, needed_criterion
from audit.records.check import CheckResult
from audit.records.export import LeftOut, Selection
from audit.records.finding import SEVERITY_ORDER
from audit.records.run import RunResult
from audit.records.task import Task
from audit.records.verdict import Verdict, VerdictState

TASK_METRICS = tuple(name for name in METRICS if name != "violation_coverage")
"""The metrics that have a value a task."""
NOT_CHOSEN = "not among the tasks looked at (--split, --tasks, --limit)"


@dataclass(frozen=True, slots=True)
class TaskScores:
    """One metric's values by task, and why the others have none."""

    by_task: Mapping[str, float] = field(default_factory=dict)
    why_missing: Mapping[str, str] = field(default_factory=dict)


def metrics_of(expression: Expression) -> tuple[str, ...]:
    """Return the metrics that an expression names."""
    names = (comparison.name for comparison in comparisons(expression))
    return tuple(dict.fromkeys(name for name in names if name in TASK_METRICS))


def read_scores(result: RunResult, metric: str) -> TaskScores:
    """Return a metric's values by task: the panel's where there is one, else the only judge's.

    A task of which any verdict is missing has no value.
    """
    scores = result.scores if result.panel is None else result.panel.scores
    by_task = next((score.by_task for score in scores if score.metric == metric), {})
    verdicts: dict[str, list[Verdict]] = {task.id: [] for task in result.benchmark.tasks}
    for verdict in result.verdicts:
        if verdict.criterion == needed_criterion(metric):
            verdicts[verdict.task_id].append(verdict)
    why = {task_id: reason for task_id, found in verdicts.items() if (reason := _why_missing(metric, found))}
    for task_id in verdicts.keys() - by_task.keys():
        why.setdefault(task_id, f"{metric} has no value")
    return TaskScores({task_id: value for task_id, value in by_task.items() if task_id not in why}, why)


def _why_missing(metric: str, verdicts: Sequence[Verdict]) -> str:
    undefined = [verdict for verdict in verdicts if verdict.state is VerdictState.UNDEFINED]
    if undefined:
        return f"{metric} is undefined: {undefined[0].problem}"
    missing = Counter(verdict.state.value for verdict in verdicts if not verdict.is_ok)
    if not missing:
        return ""
    states = ", ".join(f"{n} {state}" for state, n in sorted(missing.items()))
    return f"{metric} is missing: {missing.total()} of {len(verdicts)} verdicts are not there ({states})"


def select(
    expression: Expression, checked: CheckResult, *, scores: Mapping[str, TaskScores], runs: Sequence[RunResult] = ()
) -> Selection:
    """Part a benchmark's tasks into those that are kept and those that are not.

    Parameters
    ----------
    scores
        Of every metric that the expression names.
    runs
        What the scores come from.

    Raises
    ------
    UsageError
        If no task is kept: a benchmark without tasks can't be loaded.
    """
    benchmark = checked.benchmark
    left = {
        task.id: LeftOut(task.id, reasons, checked.of_task(task.id), _known(task, scores))
        for task in benchmark.tasks
        if (reasons := _against(expression, task, checked, scores=scores))
    }
    kept = tuple(task.id for task in benchmark.tasks if task.id not in left)
    if not kept:
        raise UsageError("no task is left", where="--keep", mend="Ask for less; bench-audit check says what is wrong")
    looked_at = {task.id for task in benchmark.tasks}
    others = (LeftOut(task.id, (NOT_CHOSEN,)) for task in benchmark.corpus if task.id not in looked_at)
    return Selection(
        benchmark=benchmark,
        keep=str(expression),
        kept=kept,
        left_out=(*left.values(), *others),
        whole_set=checked.of_task(None),
        judges=tuple(dict.fromkeys(judge for run in runs for judge in run.settings.judges)),
        tool_version=checked.tool_version,
        is_complete=all(run.is_complete for run in runs),
    )


def _against(
    expression: Expression, task: Task, checked: CheckResult, *, scores: Mapping[str, TaskScores]
) -> tuple[str, ...]:
    missing = tuple(why for of in scores.values() if (why := of.why_missing.get(task.id, "")))
    if missing:
        return missing
    found = checked.of_task(task.id)
    worst = next((level.value for level in SEVERITY_ORDER if level in {each.severity for each in found}), "none")
    rules = frozenset(finding.rule for finding in found)
    facts = Facts(worst, rules, frozenset(task.tags), _known(task, scores))
    return reasons_against(expression, facts)


def _known(task: Task, scores: Mapping[str, TaskScores]) -> dict[str, float]:
    return {metric: of.by_task[task.id] for metric, of in scores.items() if task.id in of.by_task}

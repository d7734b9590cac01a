"""What a release asks: check and score → compare with an earlier run → gate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import numpy as np

from audit import pipeline
from audit.checks.judged import JUDGED_RULES, judged_findings
from audit.checks.registry import RULES, order_findings
from audit.compare.scores import compare_scores, narrow
from audit.compare.sides import compare
from audit.compare.snapshot import scores_of, take_snapshot
from audit.gate.evaluate import Evidence, choose_subset, evaluate
from audit.gate.settings import Known
from audit.judges.panel import Panel
from audit.judges.progress import OnEvent, ignore_event
from audit.metrics.measure import measure_all
from audit.metrics.outcomes import Outcomes
from audit.metrics.panel import measure_panel
from audit.metrics.registry import METRICS, needed_criterion
from audit.records.check import CheckResult
from audit.records.comparison import Snapshot
from audit.records.gate import WHOLE, GateResult, GateSettings
from audit.records.policy import Policy
from audit.records.run import RunResult, Settings
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.store import Store


@dataclass(frozen=True, slots=True)
class Ground:
    """What surveys stand on.

    Parameters
    ----------
    panel
        The judges; without any, only the checks and the offline scorer run.
    check
        What is checked, and where gold actions are replayed.
    """

    panel: Panel
    store: Store
    check: pipeline.CheckOptions = field(default_factory=pipeline.CheckOptions)
    on_event: OnEvent = ignore_event


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything that checks, judges and the offline scorer say of a benchmark; low scores are among the findings."""

    checked: CheckResult
    runs: tuple[RunResult, ...]

    @property
    def benchmark(self) -> Benchmark:
        """What was looked at."""
        return self.checked.benchmark

    @property
    def unlooked(self) -> frozenset[str]:
        """Rules that nothing can be found by: left out, or judged on a criterion that no judge was asked about."""
        asked = {
            needed_criterion(metric) for run in self.runs if run.settings.judges for metric in run.settings.metrics
        }
        judged = {rule.id for criterion, rule in JUDGED_RULES.items() if criterion not in asked}
        return frozenset({rule for gap in self.checked.unchecked for rule in gap.rules} | judged)

    def snapshot(self, label: str) -> Snapshot:
        """Return it as one side of a comparison."""
        return take_snapshot(label, self.benchmark, checked=self.checked, runs=self.runs)


def known_names() -> Known:
    """Return what thresholds and waivers may be about: every rule and every metric."""
    nothing = Benchmark("", Policy("", "", ""), ())
    rng = np.random.default_rng(0)
    blanks = [score for each in METRICS.values() for score in each.measure(nothing, Outcomes({}), judge="", rng=rng)]
    rules = [*RULES, *(rule.id for rule in JUDGED_RULES.values())]
    return Known(rules, {score.metric: score.scale for score in blanks})


def survey(benchmark: Benchmark, settings: Settings, *, ground: Ground, root: Path) -> Survey:
    """Check a benchmark, score it offline, and have it judged if there are judges.

    Parameters
    ----------
    root
        The folder that the benchmark's files are named relative to.
    """
    checked = pipeline.check_benchmark(benchmark, ground.check, root=root)
    alone = replace(settings, judges=(), metrics=(pipeline.OFFLINE,))
    runs = [pipeline.score_benchmark(benchmark, alone, panel=Panel(), store=ground.store)]
    if not ground.panel.providers:
        return Survey(checked, tuple(runs))
    judged = pipeline.score_benchmark(
        benchmark, settings, panel=ground.panel, store=ground.store, on_event=ground.on_event
    )
    findings = order_findings((*checked.findings, *judged_findings(judged)), benchmark)
    rules = tuple(rule for name, rule in JUDGED_RULES.items() if name in map(needed_criterion, settings.metrics))
    return Survey(replace(checked, findings=findings, rules=(*checked.rules, *rules)), (judged, *runs))


def check_subsets(settings: GateSettings, benchmark: Benchmark) -> None:
    """Raise :class:`UsageError` now if a demand is about tasks that this run does not have."""
    for demand in settings.demands:
        choose_subset(benchmark, demand.subset)


def gate(found: Survey, settings: GateSettings, *, today: date, baseline: Snapshot | None = None) -> GateResult:
    """Hold a survey against the settings.

    Parameters
    ----------
    today
        The day that waivers are held against.
    baseline
        An earlier run; with it only new findings and real drops fail.

    Raises
    ------
    UsageError
        If a demand is about a split, tag or judge that this run does not have.
    """
    subsets = list(dict.fromkeys((WHOLE, *(demand.subset for demand in settings.demands))))
    tasks = {subset: frozenset(task.id for task in choose_subset(found.benchmark, subset)) for subset in subsets}
    now = found.snapshot("this run")
    evidence = Evidence(
        checked=found.checked,
        runs=found.runs,
        scores={subset: _measure(found, ids) for subset, ids in tasks.items()},
        today=today,
        undecided=found.unlooked,
        comparison=None if baseline is None else compare(baseline, now),
        changes={}
        if baseline is None
        else {subset: compare_scores(narrow(baseline, ids), narrow(now, ids)) for subset, ids in tasks.items()},
    )
    return evaluate(settings, evidence)


def _measure(found: Survey, ids: frozenset[str]) -> tuple[Score, ...]:
    """Measure every run over these tasks alone."""
    return tuple(score for run in found.runs for score in scores_of(_within(run, ids)))


def _within(run: RunResult, ids: frozenset[str]) -> RunResult:
    tasks = tuple(task for task in run.benchmark.tasks if task.id in ids)
    if len(tasks) == len(run.benchmark.tasks):
        return run
    part = replace(run.benchmark, tasks=tasks)
    verdicts = [verdict for verdict in run.verdicts if verdict.task_id in ids]
    judges, metrics, seed = run.settings.judges, run.settings.metrics, run.settings.seed
    scores = measure_all(part, verdicts, metrics=metrics, judges=judges, seed=seed)
    panel = measure_panel(part, verdicts, metrics=metrics, judges=judges, seed=seed) if len(judges) > 1 else None
    return replace(run, benchmark=part, scores=scores, panel=panel)

"""The whole gate: waivers, baseline, every demand, completeness."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from audit.errors import UsageError
from audit.gate.certificates import hold_certificates
from audit.gate.hold import Counted, hold_count, hold_metric
from audit.gate.nearest import nearest
from audit.gate.waivers import Scene, apply_waivers
from audit.records.check import CheckResult
from audit.records.comparison import Comparison, ScoreChange
from audit.records.finding import Finding
from audit.records.gate import (
    EACH,
    WAIVER_LEVEL,
    WHOLE,
    Criterion,
    Demand,
    GateResult,
    GateSettings,
    Kind,
    Level,
    Subset,
    WaiverOutcome,
)
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Benchmark, Task


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is held against the settings.

    Parameters
    ----------
    scores
        By subset, the panel's included.
    undecided
        Rules that nothing can be found by because nobody looked.
    changes
        From the baseline, by subset.
    comparison
        With the baseline over the whole run; ``None`` without one.
    """

    checked: CheckResult
    runs: tuple[RunResult, ...]
    scores: Mapping[Subset, Sequence[Score]]
    today: date
    undecided: frozenset[str] = frozenset()
    comparison: Comparison | None = None
    changes: Mapping[Subset, Sequence[ScoreChange]] = field(default_factory=dict)


def choose_subset(benchmark: Benchmark, subset: Subset) -> tuple[Task, ...]:
    """Return the tasks of this run that are of a subset.

    Raises
    ------
    UsageError
        If there is no such split or tag, or none of its tasks is among those chosen.
    """
    if subset == WHOLE:
        return benchmark.tasks
    if subset.kind == "split":
        known: Collection[str] = sorted(benchmark.splits)
        ids = set(benchmark.splits.get(subset.name, ()))
        tasks = tuple(task for task in benchmark.tasks if task.id in ids)
    else:
        known = sorted({tag for task in (*benchmark.tasks, *benchmark.corpus) for tag in task.tags})
        tasks = tuple(task for task in benchmark.tasks if subset.name in task.tags)
    where = f"[[gate.subset]] {subset}"
    if subset.name not in known:
        mend = nearest(subset.name, known) if known else f"It has no {subset.kind}s at all"
        raise UsageError(f"{benchmark.name} has no {subset}", where=where, mend=mend)
    if not tasks:
        raise UsageError("none of its tasks is in this run", where=where, mend="Choose them with --split or --tasks")
    return tasks


def evaluate(settings: GateSettings, evidence: Evidence) -> GateResult:
    """Hold the evidence against the settings.

    Raises
    ------
    UsageError
        If a demand's judge did not judge.
    """
    checked = evidence.checked
    scene = Scene(checked.benchmark, checked.findings, evidence.today, evidence.undecided)
    outcomes = apply_waivers(settings.waivers, scene)
    through = {each.fingerprint for outcome in outcomes if outcome.is_used for each in outcome.findings}
    old = _old_fingerprints(evidence.comparison)
    waived = [finding for finding in checked.findings if finding.fingerprint in through]
    open_ = [finding for finding in checked.findings if finding.fingerprint not in through]
    known = [finding for finding in open_ if finding.fingerprint in old]
    new = [finding for finding in open_ if finding.fingerprint not in old]
    counted = Counted(new, waived, known, evidence.undecided)
    return GateResult(
        criteria=(
            *(criterion for demand in settings.demands for criterion in _hold(demand, counted, evidence)),
            *_hold_verdicts(evidence.runs),
            *hold_certificates(settings.certificate, evidence.runs, today=evidence.today),
            *map(_hold_waiver, outcomes),
        ),
        waivers=outcomes,
        counted=tuple(counted.findings),
        waived=tuple(waived),
        known=tuple(known),
        checked=checked,
        runs=evidence.runs,
        today=evidence.today,
        comparison=evidence.comparison,
        notes=tuple(_notes(evidence)),
    )


def _old_fingerprints(comparison: Comparison | None) -> frozenset[str]:
    if comparison is None or comparison.old.findings is None:
        return frozenset()
    return frozenset(finding.fingerprint for finding in comparison.old.findings)


def _hold(demand: Demand, counted: Counted, evidence: Evidence) -> Iterator[Criterion]:
    if demand.kind is not Kind.METRIC:
        yield hold_count(demand, _within(demand.subset, counted, evidence.checked.benchmark))
        return
    changes = {(change.metric, change.judge): change for change in evidence.changes.get(demand.subset, ())}
    for score in _choose_scores(demand, evidence.scores[demand.subset]):
        yield hold_metric(demand, score, change=changes.get((score.metric, score.judge)))


def _within(subset: Subset, counted: Counted, benchmark: Benchmark) -> Counted:
    if subset == WHOLE:
        return counted
    ids = {task.id for task in choose_subset(benchmark, subset)}

    def own(findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if finding.task_id in ids]

    return Counted(own(counted.findings), own(counted.waived), own(counted.known), counted.undecided)


def _choose_scores(demand: Demand, scores: Sequence[Score]) -> Sequence[Score]:
    """The judge's that is named, or each judge's; else the panel's, which comes last, or the only one's."""
    found = [score for score in scores if score.metric == demand.name]
    panels = [score for score in found if score.judge.startswith("panel ")]
    judges = [score for score in found if score not in panels]
    if not found:
        raise UsageError(
            f"{demand.name} was not measured", where=demand.where, mend="Add it to --metric, or leave that flag out"
        )
    if demand.judge == EACH:
        return judges
    if not demand.judge:
        return panels or judges
    named = [score for score in found if score.judge == demand.judge]
    if not named:
        mend = nearest(demand.judge, [score.judge for score in found])
        raise UsageError(f"no judge '{demand.judge}' in this run", where=demand.where, mend=mend)
    return named


def _hold_verdicts(runs: Sequence[RunResult]) -> Iterator[Criterion]:
    """A missing verdict is no pass."""
    for run in runs:
        if not run.settings.judges:
            continue
        n, planned = run.tally.unscored, run.tally.planned
        stops = "".join(f"; {stop.judge} was stopped ({stop.kind})" for stop in run.stops)
        why = f"{n} of {planned} verdicts are missing{stops}" if not run.is_complete else f"all {planned} are there"
        level = Level.PASS if run.is_complete else Level.INCOMPLETE
        yield Criterion(Kind.VERDICTS, "complete", level, why, number=n)


def _hold_waiver(outcome: WaiverOutcome) -> Criterion:
    waiver = outcome.waiver
    name = waiver.rule if waiver.task_id is None else f"{waiver.rule}:{waiver.task_id}"
    why = f"{outcome.state}: {outcome.why} ({waiver.owner}: {waiver.reason})"
    return Criterion(Kind.WAIVER, name, WAIVER_LEVEL[outcome.state], why, number=len(outcome.findings))


def _notes(evidence: Evidence) -> Iterator[str]:
    for run in evidence.runs:
        yield from run.notes
    if evidence.comparison is not None:
        name = evidence.comparison.old.label
        yield f"Held against the baseline {name}, called OLD here: only new findings and real drops fail."
        yield from evidence.comparison.notes
    for gap in evidence.checked.unchecked:
        yield f"Not checked: {gap.what}: {gap.reason}."

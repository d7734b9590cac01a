"""The self-test: the checks, the offline score and judges against a benchmark whose flaws are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from audit.checks.judged import judged_findings
from audit.errors import LoadError
from audit.records.check import CheckResult
from audit.records.finding import Severity
from audit.records.run import RunResult
from audit.records.selftest import FREE_LAYERS, Alarm, Flaw, LayerResult, SelfTestResult, Sighting
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.resources import resource

BENCHMARK = "sample/library"
LOW_MATCH = 0.5
"""Offline matches below it mark a task."""
CHECKS, OFFLINE = FREE_LAYERS
JUDGES = "judges"
TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which tasks of the sample are flawed, which are sound, and which policy items the requests of each violate."""

    flaws: tuple[Flaw, ...]
    sound: tuple[str, ...]
    violations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class _FlawRow(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    task_id: str
    kind: str
    component: str
    what: str
    partner: str | None = None


class _KeyFile(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    flaws: tuple[_FlawRow, ...]
    sound: tuple[str, ...]
    violations: dict[str, tuple[str, ...]]


def read_answer_key() -> AnswerKey:
    """Read the sample's answer key; nothing else in the program does."""
    path = resource("benchmarks", "sample", "answer_key.json")
    try:
        stated = _KeyFile.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise LoadError("the answer key can't be read", where=str(path), mend="Install bench-audit anew") from error
    flaws = tuple(Flaw(row.task_id, row.kind, row.component, row.what, row.partner) for row in stated.flaws)
    return AnswerKey(flaws, stated.sound, stated.violations)


def compare(key: AnswerKey, checked: CheckResult, *, runs: Sequence[RunResult] = ()) -> SelfTestResult:
    """Compare what was found with the answer key.

    Parameters
    ----------
    checked
        What the checks found. Findings of severity warning or error mark their task; notes do not, and neither do
        findings about the set as a whole.
    runs
        Scored without a judge, with judges, or both. A low score marks a task.
    """
    alarms = (*_from_checks(checked), *(alarm for run in runs for alarm in _from_run(run)))
    by_task: dict[str, list[Alarm]] = {}
    for alarm in alarms:
        by_task.setdefault(alarm.task_id, []).append(alarm)
    sightings = tuple(Sighting(flaw, tuple(by_task.get(flaw.task_id, ()))) for flaw in key.flaws)
    partners = {(seen.flaw.partner, alarm.by) for seen in sightings for alarm in seen.alarms if seen.flaw.partner}
    on_sound = [alarm for alarm in alarms if alarm.task_id in key.sound]
    false = tuple(alarm for alarm in on_sound if (alarm.task_id, alarm.by) not in partners)
    layers = dict.fromkeys((CHECKS, *(_layer_of(run) for run in runs)))
    return SelfTestResult(
        benchmark=checked.benchmark.name,
        layers=tuple(_measure(layer, sightings, false, key=key, runs=runs) for layer in (*layers, TOGETHER)),
        sightings=sightings,
        false_alarms=false,
        partner_alarms=tuple(alarm for alarm in on_sound if (alarm.task_id, alarm.by) in partners),
        tool_version=checked.tool_version,
        is_complete=all(run.is_complete for run in runs),
        notes=tuple(dict.fromkeys(note for run in runs for note in run.notes)),
    )


def _layer_of(run: RunResult) -> str:
    return JUDGES if run.settings.judges else OFFLINE


def _from_checks(checked: CheckResult) -> Iterator[Alarm]:
    for finding in checked.at_least(Severity.WARNING):
        if finding.task_id is not None:
            yield Alarm(finding.task_id, CHECKS, finding.rule, finding.what)


def _from_run(run: RunResult) -> Iterator[Alarm]:
    if run.settings.judges:
        for finding in judged_findings(run):
            yield Alarm(finding.task_id or "", JUDGES, finding.rule, finding.what)
        return
    for score in run.scores:
        for task_id, value in score.by_task.items() if score.metric == "offline_match" else ():
            if value < LOW_MATCH:
                yield Alarm(task_id, OFFLINE, "offline_match", f"The offline match is {value:.2f}.")


def _measure(
    layer: str, sightings: Sequence[Sighting], false: Sequence[Alarm], *, key: AnswerKey, runs: Sequence[RunResult]
) -> LayerResult:
    is_all = layer == TOGETHER
    own = [run for run in runs if is_all or _layer_of(run) == layer]
    trusts = dict.fromkeys(v.trust for run in own for v in run.verdicts if v.trust is not Trust.MODEL)
    return LayerResult(
        name=layer,
        n_found=sum(bool(seen.alarms) if is_all else seen.is_seen_by(layer) for seen in sightings),
        n_flawed=len(key.flaws),
        n_false=len({alarm.task_id for alarm in false if is_all or alarm.layer == layer}),
        n_sound=len(key.sound),
        n_missing=len({v.task_id for run in own for v in run.verdicts if _is_missing(v)}),
        label=", ".join(trust.value for trust in trusts),
    )


def _is_missing(verdict: Verdict) -> bool:
    return not verdict.is_ok and verdict.state is not VerdictState.UNDEFINED

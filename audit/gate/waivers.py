"""Which findings the waivers let through."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from audit.records.content import digest, task_digest
from audit.records.finding import Finding
from audit.records.gate import Waiver, WaiverOutcome, WaiverState
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Scene:
    """What waivers are held against.

    Parameters
    ----------
    findings
        All of them.
    undecided
        Rules that were not looked for, or that only a judge could find and none was asked about.
    """

    benchmark: Benchmark
    findings: Sequence[Finding]
    today: date
    undecided: Collection[str] = ()


def apply_waivers(waivers: Sequence[Waiver], scene: Scene) -> tuple[WaiverOutcome, ...]:
    """Return what becomes of each waiver; those that are ``USED`` let their findings through.

    A waiver lets every finding of its rule in its task through, up to its last day and as long as nobody edits
    the task. One without a task is about the benchmark as a whole, and is bound to what these findings say.
    """
    found: dict[tuple[str, str | None], list[Finding]] = {}
    for finding in scene.findings:
        found.setdefault((finding.rule, finding.task_id), []).append(finding)
    return tuple(_apply(waiver, scene, found) for waiver in waivers)


def _apply(waiver: Waiver, scene: Scene, found: Mapping[tuple[str, str | None], list[Finding]]) -> WaiverOutcome:
    key = (waiver.rule, waiver.task_id)
    findings = tuple(found[key]) if key in found else ()
    state, why = _decide(waiver, scene, findings)
    return WaiverOutcome(waiver, state, why, findings)


def _decide(waiver: Waiver, scene: Scene, findings: Sequence[Finding]) -> tuple[WaiverState, str]:
    if scene.today > waiver.expires:
        return WaiverState.EXPIRED, f"expired after {waiver.expires}: look again, then renew it or remove it"
    if not findings:
        return _without_findings(waiver, scene)
    content = content_of(scene.benchmark, waiver.rule, task_id=waiver.task_id, findings=findings)
    if content != waiver.content:
        what = "what was found" if waiver.task_id is None else "the task"
        return WaiverState.REOPENED, f'{what} has changed since: look again, then set content = "{content}"'
    return WaiverState.USED, f"until {waiver.expires}"


def _without_findings(waiver: Waiver, scene: Scene) -> tuple[WaiverState, str]:
    if waiver.rule in scene.undecided:
        return WaiverState.IDLE, "its rule was not looked for in this run"
    chosen = {task.id for task in scene.benchmark.tasks}
    if waiver.task_id is not None and waiver.task_id not in chosen:
        if waiver.task_id in {task.id for task in scene.benchmark.corpus}:
            return WaiverState.IDLE, "its task is not among those chosen"
        return WaiverState.UNUSED, "there is no such task any more: remove it"
    return WaiverState.UNUSED, "there is nothing to waive: remove it"


def content_of(benchmark: Benchmark, rule: str, *, task_id: str | None, findings: Sequence[Finding]) -> str:
    """Return the digest that binds a waiver.

    Parameters
    ----------
    task_id
        One of the benchmark's tasks: the digest of all that the files say of it. ``None``: the digest of what
        the findings of the rule say of the benchmark as a whole.

    Raises
    ------
    KeyError
        If there is no such task.
    """
    if task_id is not None:
        return task_digest({task.id: task for task in (*benchmark.corpus, *benchmark.tasks)}[task_id])
    own = [found for found in findings if found.rule == rule and found.task_id is None]
    return digest(sorted([found.fingerprint, found.what, list(map(list, found.evidence))] for found in own))

"""Judges' low scores as findings of the same model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from audit.records.finding import Certainty, Finding, Rule, Severity
from audit.records.panel import PanelTask
from audit.records.run import RunResult
from audit.records.task import Origin, Task
from audit.records.verdict import Trust, Verdict, VerdictState

LOW = 3.0
"""On the 1-to-10 scales: at or below, the parts of a task contradict each other."""

DESCRIPTION = Rule(
    "judged-desc-alignment",
    "A judge says that the expected behavior does not fit what the user asks for",
    Severity.WARNING,
    Certainty.JUDGED,
    "The score of the task's description against its expected behavior is low: the behavior answers something else, "
    "leaves a goal out, or rests on a fact that nobody gives. With several judges their median counts. A judge can be "
    "wrong and can change its mind; ask it more than once, and read its reasons.",
    "Read the reasons, then mend the expected behavior or the user's text.",
)
POLICY = Rule(
    "judged-policy-alignment",
    "A judge says that the expected behavior does not keep to the policy",
    Severity.WARNING,
    Certainty.JUDGED,
    "The score of the task's expected behavior against the policy is low: an act that the policy forbids, or a step "
    "left out that it demands. With several judges their median counts. A judge can be wrong and can change its mind; "
    "ask it more than once, and read its reasons.",
    "Read the reasons, then make the expected behavior keep to the policy.",
)
JUDGED_RULES: Mapping[str, Rule] = {"desc_alignment": DESCRIPTION, "policy_alignment": POLICY}
"""Criterion to the rule that a low score breaks."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Score:
    """What the judges say of one task on one criterion, and every verdict that it rests on."""

    value: float
    by_judge: Mapping[str, float]
    verdicts: Sequence[Verdict]


def judged_findings(result: RunResult, *, threshold: float = LOW) -> tuple[Finding, ...]:
    """Return a finding for each task and criterion whose score is low.

    Parameters
    ----------
    threshold
        Scores of 1 to 10 at or below it are low. The score is a judge's mean over trials; of a panel, the median of
        these means. A task without a verdict, or below the panel's quorum, has no score and no finding.

    Returns
    -------
    tuple of Finding
        In task order. ``is_stable`` says that there are two verdicts or more and every one of them is low.
    """
    by_key: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in result.verdicts:
        if verdict.trust is not Trust.OFFLINE and verdict.criterion in JUDGED_RULES:
            by_key.setdefault((verdict.task_id, verdict.criterion), []).append(verdict)
    panel = {} if result.panel is None else {(each.task_id, each.criterion): each for each in result.panel.tasks}
    return tuple(
        _finding(task, criterion, score, threshold=threshold)
        for task in result.benchmark.tasks
        for criterion in JUDGED_RULES
        if (score := _score(by_key.get((task.id, criterion), []), panel.get((task.id, criterion))))
        and score.value <= threshold
    )


def _score(verdicts: Sequence[Verdict], panel: PanelTask | None) -> _Score | None:
    scores: dict[str, list[float]] = {}
    for verdict in verdicts:
        if verdict.is_ok and verdict.score is not None:
            scores.setdefault(verdict.judge, []).append(verdict.score)
    means = {judge: fmean(values) for judge, values in scores.items()}
    if panel is not None:
        return None if panel.median is None else _Score(panel.median, means, verdicts)
    judges = {verdict.judge for verdict in verdicts}
    return _Score(next(iter(means.values())), means, verdicts) if len(means) == len(judges) == 1 else None


def _finding(task: Task, criterion: str, score: _Score, *, threshold: float) -> Finding:
    rule = JUDGED_RULES[criterion]
    asked = [verdict for verdict in score.verdicts if verdict.state is not VerdictState.UNDEFINED]
    low = [verdict for verdict in asked if verdict.score is not None and verdict.score <= threshold]
    who = "The judge gives" if len(score.by_judge) == 1 else f"The {len(score.by_judge)} judges give, as a median,"
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        certainty=rule.certainty,
        task_id=task.id,
        origin=Origin(task.origin.file, task.origin.field, task.id),
        what=f"{who} {score.value:.3g} of 10; {len(low)} of {len(asked)} verdicts are at most {threshold:.3g}.",
        mend=rule.mend,
        evidence=tuple(_evidence(score, low)),
        subject=criterion,
        is_stable=len(asked) > 1 and len(low) == len(asked),
    )


def _evidence(score: _Score, low: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    labels = {verdict.judge: verdict.trust for verdict in score.verdicts}
    for judge, mean in score.by_judge.items():
        label = "" if labels[judge] is Trust.MODEL else f" [{labels[judge].value}]"
        yield "judge", f"{judge}{label}: {mean:.3g}"
    reason = next((verdict.reasons[0] for verdict in low if verdict.reasons), "")
    if reason:
        yield "reason", reason[:_SHOWN]

"""A score before it is measured: what is used, what is missing and why, in numbers and in words."""

from __future__ import annotations

from collections import Counter

from audit.metrics.outcomes import Outcomes
from audit.records.score import Score
from audit.records.verdict import STATE_WORDS, VerdictState

_MAX_REASONS = 3


def blank_score(outcomes: Outcomes, *, metric: str, judge: str, scale: tuple[float, float | None], unit: str) -> Score:
    """Return a score that tells what is used, missing and undefined, and has no value yet."""
    return Score(
        metric=metric,
        judge=judge,
        value=None,
        scale=scale,
        unit=unit,
        n_used=len(outcomes.value_by_task),
        n_missing=len(outcomes.missing_tasks),
        n_verdicts_missing=sum(outcomes.missing.values()),
        missing=outcomes.missing,
        reason=explain(outcomes),
        trust=outcomes.trust,
    )


def explain(outcomes: Outcomes) -> str:
    """Return in words what is missing or undefined, or an empty string.

    Examples
    --------
    >>> explain(Outcomes({"t1": 4.0}, missing_tasks=("t2",), missing={"timeout": 1}))
    'no verdict on 1 of 2 tasks, left out of the value; missing verdicts: 1 timed out'
    """
    if not (outcomes.value_by_task or outcomes.missing_tasks or outcomes.undefined):
        return "no tasks"
    clauses = (_left_out(outcomes), _in_part(outcomes), _states(outcomes), _undefined(outcomes))
    return "; ".join(clause for clause in clauses if clause)


def _left_out(outcomes: Outcomes) -> str:
    n_missing, n = len(outcomes.missing_tasks), len(outcomes.missing_tasks) + len(outcomes.value_by_task)
    if not n_missing:
        return ""
    lack = "no verdict" if outcomes.quorum == 1 else f"verdicts of fewer than {outcomes.quorum} judges"
    if n_missing == n:
        return f"{lack} on any task" if outcomes.quorum == 1 else f"{lack} on every task"
    return f"{lack} on {n_missing} of {n} tasks, left out of the value"


def _in_part(outcomes: Outcomes) -> str:
    n = len(outcomes.partial_tasks)
    return f"some verdicts missing on {n} of the {len(outcomes.value_by_task)} tasks used" if n else ""


def _states(outcomes: Outcomes) -> str:
    told = (f"{count} {STATE_WORDS[VerdictState(state)]}" for state, count in outcomes.missing.items())
    return f"missing verdicts: {', '.join(told)}" if outcomes.missing else ""


def _undefined(outcomes: Outcomes) -> str:
    if not outcomes.undefined:
        return ""
    counts = Counter(outcomes.undefined.values())
    reasons = sorted(counts, key=lambda reason: (-counts[reason], reason))
    more = ["…"] if len(reasons) > _MAX_REASONS else []
    text = " / ".join([*reasons[:_MAX_REASONS], *more])
    if not outcomes.value_by_task and not outcomes.missing_tasks:
        return text
    return f"left out as undefined: {len(outcomes.undefined)} more ({text})"

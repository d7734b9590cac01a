"""One criterion after the other: what was found and measured, held against what is demanded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from audit.records.comparison import ScoreChange
from audit.records.finding import Finding
from audit.records.gate import Criterion, Demand, Kind, Level, Side
from audit.records.score import Interval, Score


@dataclass(frozen=True, slots=True)
class Counted:
    """Findings of a demand's tasks.

    Parameters
    ----------
    findings
        Those that count.
    waived, known
        Those that are waived, or known from the baseline, and count for nothing.
    undecided
        Rules that were not looked for.
    """

    findings: Sequence[Finding]
    waived: Sequence[Finding] = ()
    known: Sequence[Finding] = ()
    undecided: Collection[str] = ()


def hold_count(demand: Demand, counted: Counted) -> Criterion:
    """Hold the number of findings of a rule or severity against its threshold; as many as it says pass."""
    found, waived, known = (
        [each for each in part if _is_meant(demand, each)] for part in (counted.findings, counted.waived, counted.known)
    )
    level = demand.threshold.level(len(found))
    left_out = [f"{len(part)} {word}" for part, word in ((waived, "waived"), (known, "known")) if part]
    aside = f", {' and '.join(left_out)}" if left_out else ""
    why = f"{len(found)} found{aside}; {_wording(demand)}"
    if level is not Level.FAIL and demand.kind is Kind.RULE and demand.name in counted.undecided:
        level, why = Level.INCOMPLETE, "the rule was not looked for in this run"
    return Criterion(
        kind=demand.kind,
        name=demand.name,
        level=level,
        why=why,
        subset=demand.subset,
        threshold=demand.threshold,
        number=len(found),
        findings=tuple(found),
    )


def _is_meant(demand: Demand, finding: Finding) -> bool:
    return (finding.rule if demand.kind is Kind.RULE else finding.severity.value) == demand.name


def hold_metric(demand: Demand, score: Score, *, change: ScoreChange | None = None) -> Criterion:
    """Hold a metric's interval against its threshold: its lower end against one below which it fails.

    Parameters
    ----------
    score
        Of the demand's tasks.
    change
        From the baseline to now, where there is one. If the two can be compared, only a drop whose whole paired
        interval lies on the bad side fails, whatever the threshold.
    """
    level, why = _judge_bound(demand, score)
    if change is not None and change.interval is None:
        why = f"{why}; the baseline can't be used ({'; '.join(change.reasons)})"
    elif change is not None and level is not Level.INCOMPLETE:
        level, why = _judge_change(demand, change, level=level, why=why)
    return Criterion(
        kind=demand.kind,
        name=demand.name,
        level=level,
        why=why,
        subset=demand.subset,
        threshold=demand.threshold,
        number=score.value,
        bound=bound_of(demand, score),
        judge=score.judge,
        trust=score.trust,
    )


def bound_of(demand: Demand, score: Score) -> float | None:
    """Return the end of the interval that is held against the threshold."""
    if score.interval is None:
        return None
    return score.interval.low if demand.threshold.side is Side.BELOW else score.interval.high


def _judge_bound(demand: Demand, score: Score) -> tuple[Level, str]:
    if score.n_missing or score.n_verdicts_missing:
        return _judge_incomplete(demand, score)
    if score.value is None:
        return Level.FAIL, f"it is undefined: {score.reason or 'no reason is told'}"
    bound = bound_of(demand, score)
    if bound is None:
        return Level.FAIL, f"it has no interval, because it rests on {score.n_used} task"
    side = "lower" if demand.threshold.side is Side.BELOW else "upper"
    return demand.threshold.level(bound), f"{side} end of its interval {bound:.4g}; {_wording(demand)}"


def _judge_incomplete(demand: Demand, score: Score) -> tuple[Level, str]:
    """Verdicts are missing: fail only what would fail whatever they said."""
    missing = f"{score.n_verdicts_missing} verdicts are missing, on {score.n_missing} tasks every one"
    if score.bounds is not None:
        best = score.bounds.high if demand.threshold.side is Side.BELOW else score.bounds.low
        if demand.threshold.level(best) is Level.FAIL:
            return Level.FAIL, f"at best {best:.4g} with the verdicts that are missing; {_wording(demand)}"
    return Level.INCOMPLETE, f"{missing}; {_wording(demand)}"


def _judge_change(demand: Demand, change: ScoreChange, *, level: Level, why: str) -> tuple[Level, str]:
    is_worse = change.has_fallen if demand.threshold.side is Side.BELOW else change.has_risen
    told = f"{_signed(change.difference)} since the baseline ({_ends(change.interval)}, {change.n_paired} tasks)"
    if is_worse:
        worst = Level.WARN if demand.threshold.fail is None else Level.FAIL
        return worst, f"{told}: it got worse; {why}"
    if level is Level.FAIL:
        return Level.WARN, f"{told}: no real drop, so that this does not fail; {why}"
    return level, f"{told}; {why}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4g}"


def _ends(interval: Interval | None) -> str:
    return "–" if interval is None else f"{_signed(interval.low)} to {_signed(interval.high)}"


def _wording(demand: Demand) -> str:
    """Return the thresholds in words.

    A criterion without a fail level only warns.
    """
    side, limits = demand.threshold.side, (("fails", demand.threshold.fail), ("warns", demand.threshold.warn))
    return ", ".join(f"{verb} {side} {limit:g}" for verb, limit in limits if limit is not None)

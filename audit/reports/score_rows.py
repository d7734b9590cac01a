"""Scores as the strings of a table row; the HTML, text and cards all read these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit.records.run import RunResult
from audit.records.score import Score
from audit.reports import numbers
from audit.reports.labels import MetricLabel, coverage_k, judge_names, metric_label, state_words, trust_label
from audit.reports.visible import line

NEEDS_JUDGE = "not applicable: needs a judge"


@dataclass(frozen=True, slots=True)
class RangeBar:
    """Where a score lies on its scale, in hundredths of the scale's width."""

    low: str
    width: str
    value: str
    scale_low: str
    scale_high: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score in words.

    Parameters
    ----------
    state
        ``ok``, ``undefined`` or ``not_applicable``.
    note
        Why there is no value, or what to know with it.
    """

    score: Score
    label: MetricLabel
    judge: str
    trust: str
    state: str
    value: str
    interval: str
    level: str
    median: str
    sd: str
    minimum: str
    maximum: str
    n_used: str
    n_missing: str
    missing_why: str
    bounds: str
    note: str
    bar: RangeBar | None


def score_rows(result: RunResult) -> tuple[ScoreRow, ...]:
    """Return a row for each score, in the result's order."""
    tops, names = _tops(result.scores), judge_names(result)
    return tuple(score_row(score, top=tops[score.metric], judge=names[score.judge]) for score in result.scores)


def panel_rows(result: RunResult) -> tuple[ScoreRow, ...]:
    """Return a row for each score of the panel; none without a panel."""
    return () if result.panel is None else tuple(score_row(score) for score in result.panel.scores)


def score_row(score: Score, *, top: float | None = None, judge: str | None = None) -> ScoreRow:
    """Return ``score`` in words; ``top`` ends the bar of a scale that has no end of its own, ``judge`` is the name that
    is shown.
    """
    label = metric_label(score.metric)

    def text(value: float | None) -> str:
        return numbers.measure(value, is_share=label.is_share)

    return ScoreRow(
        score=score,
        label=label,
        judge=line(score.judge if judge is None else judge, limit=80),
        trust=trust_label(score.trust),
        state=_state(score),
        value=text(score.value),
        interval=numbers.interval(score.interval, is_share=label.is_share),
        level=_level(score),
        median=numbers.NONE if label.is_share else text(score.median),
        sd=numbers.NONE if label.is_share else text(score.sd),
        minimum=numbers.NONE if label.is_share else text(score.minimum),
        maximum=numbers.NONE if label.is_share else text(score.maximum),
        n_used=numbers.count(score.n_used),
        n_missing=numbers.count(score.n_missing),
        missing_why=_missing_why(score),
        bounds=numbers.interval(score.bounds, is_share=label.is_share),
        note=_note(score),
        bar=_bar(score, top),
    )


def is_headline(score: Score) -> bool:
    """Whether a score has its own card; coverage beyond K = 1 belongs to the curve."""
    return coverage_k(score.metric) in {None, 1}


def _state(score: Score) -> str:
    if not score.is_applicable:
        return "not_applicable"
    return "undefined" if score.value is None else "ok"


def _note(score: Score) -> str:
    reason = line(score.reason, limit=400)
    if not score.is_applicable:
        return f"not applicable: {reason}" if reason else NEEDS_JUDGE
    if score.value is None:
        return f"undefined: {reason}" if reason else "undefined"
    return reason


def _level(score: Score) -> str:
    if score.interval is None or score.interval.level is None:
        return ""
    return numbers.percent(score.interval.level, 0)


def _missing_why(score: Score) -> str:
    parts = [f"{numbers.count(n)} {state_words(state)}" for state, n in sorted(score.missing.items())]
    return ", ".join(parts)


def _tops(scores: Iterable[Score]) -> dict[str, float]:
    """The greatest value of a task by metric, so that the bars of several judges share a scale."""
    tops: dict[str, float] = {}
    for score in scores:
        greatest = 1.0 if score.maximum is None else score.maximum
        tops[score.metric] = max(greatest, tops.get(score.metric, 1.0))
    return tops


def _bar(score: Score, top: float | None) -> RangeBar | None:
    if score.value is None:
        return None
    low, high = score.scale
    if high is not None:
        top = high
    elif top is None:
        top = _tops([score])[score.metric]
    ends = score.interval
    start, end = (ends.low, ends.high) if ends is not None else (score.value, score.value)
    share = metric_label(score.metric).is_share
    return RangeBar(
        low=numbers.position(start, low=low, high=top),
        width=numbers.position(low + end - start, low=low, high=top),
        value=numbers.position(score.value, low=low, high=top),
        scale_low=numbers.percent(low, 0) if share else numbers.trimmed(low),
        scale_high=numbers.percent(top, 0) if share else numbers.trimmed(top),
    )

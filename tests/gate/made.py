"""Findings, scores and results for a gate, with defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from audit.gate.evaluate import Evidence
from audit.records.check import CheckResult, Unchecked
from audit.records.finding import Certainty, Finding, Rule, Severity
from audit.records.gate import WHOLE, Demand, GateSettings, Kind, Side, Threshold, Waiver
from audit.records.run import RunResult, Settings, Tally
from audit.records.score import Interval, Score
from audit.records.task import Benchmark, Origin
from tests import builders

TODAY = date(2027, 3, 1)
JUDGE = "openai:gpt-5.4"
RULES = tuple(
    Rule(id, id.replace("-", " "), severity, certainty, "Why it matters.", "Mend it.")
    for id, severity, certainty in (
        ("gold-unknown-id", Severity.ERROR, Certainty.PROVED),
        ("text-doubtful", Severity.WARNING, Certainty.LIKELY),
        ("set-unbalanced", Severity.NOTE, Certainty.PROVED),
        ("judged-desc-alignment", Severity.WARNING, Certainty.JUDGED),
    )
)


def finding(rule: str = "gold-unknown-id", task_id: str | None = "t1", **fields: Any) -> Finding:  # noqa: ANN401
    known = next(each for each in RULES if each.id == rule)
    made = Finding(
        rule=rule,
        severity=known.severity,
        certainty=known.certainty,
        task_id=task_id,
        origin=Origin("tasks.json", "evaluation_criteria.actions[0]", task_id),
        what="The id B9 is nowhere.",
        mend="Mend it.",
        subject="B9",
    )
    return replace(made, **fields)


def benchmark(*ids: str, **fields: Any) -> Benchmark:  # noqa: ANN401  # any field of the record
    return builders.benchmark(*(builders.task(id) for id in ids or ("t1", "t2", "t3")), **fields)


def checked(*findings: Finding, of: Benchmark | None = None, unchecked: Sequence[Unchecked] = ()) -> CheckResult:
    return CheckResult(of or benchmark(), findings, RULES, tuple(unchecked), "", "0.2.0")


def score(
    metric: str = "desc_alignment",
    value: float | None = 8.0,
    *,
    low: float | None = None,
    high: float | None = None,
    **fields: Any,  # noqa: ANN401  # any field of the record
) -> Score:
    fields.setdefault("judge", JUDGE)
    fields.setdefault("n_used", 0 if value is None else 3)
    ends = None if low is None and high is None else Interval(low or 0.0, high or 10.0, 0.95)
    return Score(metric=metric, value=value, scale=(1, 10), interval=ends, **fields)


def run(*scores: Score, n_missing: int = 0, judges: Sequence[str] = (JUDGE,), **fields: Any) -> RunResult:  # noqa: ANN401
    settings = Settings("test/domain", tuple(judges), ("desc_alignment",), ("nl", "actions"))
    fields.setdefault("tally", Tally(planned=9, scored=9 - n_missing, unscored=n_missing))
    return RunResult(settings=settings, benchmark=benchmark(), verdicts=(), scores=scores, **fields)


def demand(kind: Kind, name: str, **fields: Any) -> Demand:  # noqa: ANN401  # any field of the record
    side = Side.BELOW if kind is Kind.METRIC else Side.ABOVE
    threshold = Threshold(fields.pop("side", side), fields.pop("warn", None), fields.pop("fail", None))
    return Demand(kind, name, threshold, **fields)


def waiver(rule: str = "gold-unknown-id", task_id: str | None = "t1", **fields: Any) -> Waiver:  # noqa: ANN401
    fields.setdefault("content", "0" * 16)
    fields.setdefault("reason", "Known upstream.")
    fields.setdefault("owner", "ada")
    fields.setdefault("expires", date(2027, 3, 31))
    return Waiver(rule, task_id, **fields)


def settings(*demands: Demand, waivers: Sequence[Waiver] = ()) -> GateSettings:
    errors = demand(Kind.SEVERITY, "error", fail=0)
    return GateSettings(demands or (errors,), tuple(waivers), "gate.toml")


def evidence(result: CheckResult, *runs: RunResult, **fields: Any) -> Evidence:  # noqa: ANN401
    scores: Mapping[Any, Any] = {WHOLE: tuple(score for each in runs for score in each.scores)}
    fields.setdefault("scores", scores)
    fields.setdefault("today", TODAY)
    return Evidence(result, tuple(runs), **fields)

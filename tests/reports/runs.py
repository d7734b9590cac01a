"""Runs with results, for tests of the reports: small ones, a whole benchmark's, and hostile ones."""

from __future__ import annotations

import dataclasses
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from audit.records.panel import Agreement, AgreementStatistic, PanelResult, PanelTask
from audit.records.policy import Policy
from audit.records.prompt import Usage
from audit.records.run import JudgeStop, RunResult, Settings, Tally
from audit.records.score import Interval, Score
from audit.records.task import Action, Benchmark, Origin, Part, PartKind, Row, SourceFile, Task, ToolKind
from audit.records.verdict import Trust, Verdict, VerdictState
from tests import builders

OPENAI, CLAUDE = "openai:gpt-5.4", "anthropic:claude-sonnet-4-5"
JUDGED = ("desc_alignment", "policy_alignment", "violation_count", "violation_coverage")
RULES = (
    "Refunds are only paid to the card that was charged.",
    "A loan can be renewed twice at most.",
    "Books on hold for another reader can't be renewed.",
    "Fines above 20 must be paid before a new loan.",
    "Never tell a reader what another reader has borrowed.",
    "Ask for the card number before any change.",
)


def policy(n_items: int = 6) -> Policy:
    return builders.policy("\n".join(RULES), n_items=n_items)


def task(number: int, **fields: Any) -> Task:  # noqa: ANN401  # any field of the record
    id_ = fields.pop("id", str(number))
    origin = Origin("tasks.json", "user_scenario.instructions", id_)
    text = fields.pop("text", f"You want to renew loan L{number:03d}, and you are short of time.")
    behavior = (
        Part(PartKind.ASSERTION, "The agent must", f"Renews loan L{number:03d} for two weeks.", _at(id_, "nl[0]")),
        Part(PartKind.ACTION, "Gold action", f"renew_loan(loan_id='L{number:03d}')", _at(id_, "actions[0]")),
        Part(PartKind.PURPOSE, "Purpose", "Tests a plain renewal.", _at(id_, "description.purpose")),
    )
    row = Row("loans", f"L{number:03d}", {"book": "B7", "due": "2026-12-01", "renewals": number % 3}, _row_at(number))
    return dataclasses.replace(
        Task(
            id=id_,
            description=(Part(PartKind.SCENARIO, "Scenario", text, origin),),
            behavior=behavior,
            rows=(row,),
            actions=(Action("renew_loan", {"loan_id": f"L{number:03d}"}, ToolKind.WRITE, _at(id_, "actions[0]")),),
            origin=Origin("tasks.json", f"[{number}]", id_),
        ),
        **fields,
    )


def benchmark(*tasks: Task, **fields: Any) -> Benchmark:  # noqa: ANN401  # any field of the record
    fields.setdefault("policy", policy())
    fields.setdefault("title", "Library desk")
    fields.setdefault("version", "1.0")
    fields.setdefault("files", (SourceFile("tasks.json", "ab" * 32), SourceFile("policy.md", "cd" * 32)))
    return builders.benchmark(*tasks, name=fields.pop("name", "sample/library"), **fields)


def verdict(task_id: str, judge: str = OPENAI, **fields: Any) -> Verdict:  # noqa: ANN401  # any field
    fields.setdefault("model", f"{judge.partition(':')[2]}-2026-10-01")
    fields.setdefault("prompt_hash", "ef" * 32)
    fields.setdefault("usage", Usage(1200, 900, None, 80))
    fields.setdefault("cost_usd", 0.0021)
    fields.setdefault("n_calls", 1)
    return builders.verdict(task_id, judge=judge, **fields)


def score(
    metric: str,
    values: Mapping[str, float],
    judge: str = OPENAI,
    **fields: Any,  # noqa: ANN401  # any field of the record
) -> Score:
    listed = list(values.values())
    mean = statistics.fmean(listed) if listed else None
    fields.setdefault("scale", _scale(metric))
    if listed:
        fields.setdefault("interval", Interval(max(0, mean_of(listed) - 0.3), mean_of(listed) + 0.3, 0.95))
        fields.setdefault("median", statistics.median(listed))
        fields.setdefault("sd", statistics.stdev(listed) if len(listed) > 1 else None)
        fields.setdefault("minimum", min(listed))
        fields.setdefault("maximum", max(listed))
    fields.setdefault("n_used", len(listed))
    return Score(metric, judge, mean, by_task=dict(values), **fields)


def coverage(judge: str, challenged: Sequence[Sequence[str]], **fields: Any) -> tuple[Score, ...]:  # noqa: ANN401
    items = fields.pop("items", tuple(f"P{n:02d}" for n in range(1, 7)))
    counts = Counter(item for ids in challenged for item in set(ids))
    made = []
    for k in range(1, 6):
        untested = tuple(item for item in items if counts[item] < k)
        share = 1 - len(untested) / len(items)
        ends = Interval(max(0.0, share - 0.1), min(1.0, share + 0.1), 0.95)
        name = f"violation_coverage@{k}"
        made.append(
            Score(name, judge, share, (0, 1), interval=ends, n_used=len(challenged), untested_items=untested, **fields)
        )
    return tuple(made)


def mean_of(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def result(tested: Benchmark, **fields: Any) -> RunResult:  # noqa: ANN401  # any field of the record
    verdicts: Sequence[Verdict] = fields.setdefault("verdicts", ())
    states = Counter(verdict.state for verdict in verdicts)
    n_ok, n_undefined = states[VerdictState.OK], states[VerdictState.UNDEFINED]
    n_missing = len(verdicts) - n_ok - n_undefined
    n_planned = n_ok + n_missing
    judges = tuple(dict.fromkeys(verdict.judge for verdict in verdicts if verdict.trust is not Trust.OFFLINE))
    fields.setdefault("settings", settings(judges))
    fields.setdefault(
        "tally",
        Tally(
            *(n_planned, 0, n_planned, n_ok, n_missing, n_undefined, n_planned),
            *(180_000, 120_000, 9000, 0.31, None, 0.12, 42.0),
        ),
    )
    fields.setdefault("scores", ())
    fields.setdefault("prompts", (("desc_alignment tau", "12" * 32),))
    fields.setdefault("tool_version", "0.1.0")
    fields.setdefault("created_at", "2026-11-30T12:00:00Z")
    return RunResult(benchmark=tested, **fields)


def settings(judges: tuple[str, ...] = (OPENAI,), **fields: Any) -> Settings:  # noqa: ANN401  # any field
    behavior = ("nl", "actions", "communicate", "env", "prose")
    return Settings("sample/library", judges, JUDGED, behavior, **fields)


def small() -> RunResult:
    """Three tasks and one judge: a low score, a missing verdict, items never challenged. The goldens show it."""
    tested = benchmark(*(task(n) for n in range(3)))
    verdicts = (
        verdict("0", score=9.0, reasons=("Every goal is met.",)),
        verdict("1", score=2.0, reasons=("The loan L999 is named nowhere in the description.", "A goal is missed.")),
        verdict("2", state=VerdictState.TIMEOUT, problem="no reply within 120 s", n_calls=5),
        verdict("0", violated=("P02",), reasons=("Asks for a third renewal.",)),
        verdict("1", violated=()),
        verdict("2", violated=("P02", "P05"), reasons=("Asks who has the book.",)),
    )
    scores = (
        score(
            "desc_alignment",
            {"0": 9.0, "1": 2.0},
            n_missing=1,
            n_verdicts_missing=1,
            missing={"timeout": 1},
            bounds=Interval(4.0, 7.0),
        ),
        score("violation_count", {"0": 1.0, "1": 0.0, "2": 2.0}),
        *coverage(OPENAI, [("P02",), (), ("P02", "P05")]),
    )
    return result(tested, verdicts=verdicts, scores=scores)


def offline() -> RunResult:
    """Twenty tasks that only the offline scorer saw."""
    tested = benchmark(*(task(n) for n in range(20)))
    values = {str(n): round(0.95 - (n % 7) * 0.11, 3) for n in range(20)}
    verdicts = tuple(
        builders.verdict(
            id_,
            score=value,
            criterion="offline_match",
            judge="offline",
            trust=Trust.OFFLINE,
            reasons=("Ids reached: 1 of 1.",),
        )
        for id_, value in values.items()
    )
    not_applicable = tuple(
        Score(metric, "", None, (1, 10), is_applicable=False, reason="needs a judge")
        for metric in ("desc_alignment", "policy_alignment", "violation_count", "violation_coverage@1")
    )
    return result(
        tested,
        verdicts=verdicts,
        scores=(*not_applicable, score("offline_match", values, "offline", trust=Trust.OFFLINE)),
        notes=("The offline scorer can't see the policy, nor a gold that is related but wrong.",),
        tally=Tally(20, 0, 20, 20, 0, seconds=0.4),
        settings=settings(()),
        prompts=(),
    )


def scripted() -> RunResult:
    """A dry judge that isn't one."""
    tested = benchmark(task(0), task(1))
    values = {"0": 8.0, "1": 3.0}
    made = tuple(verdict(id_, "scripted:fixed", score=v, trust=Trust.SCRIPTED) for id_, v in values.items())
    trials = tuple(
        verdict(id_, "scripted:fixed", violated=("P01",), trial=trial, trust=Trust.SCRIPTED)
        for id_ in values
        for trial in range(2)
    )
    return result(
        tested,
        verdicts=(*made, *trials),
        scores=(
            score("desc_alignment", values, "scripted:fixed", trust=Trust.SCRIPTED),
            *coverage("scripted:fixed", [("P01",), ("P01",)], trust=Trust.SCRIPTED),
        ),
    )


def no_items() -> RunResult:
    """A policy without items: violation metrics are undefined, with the reason."""
    why = "nobody has marked items in this document"
    tested = benchmark(task(0), task(1), policy=dataclasses.replace(policy(0), no_items_reason=why))
    verdicts = tuple(
        verdict(str(n), state=VerdictState.UNDEFINED, problem=why, criterion="policy_violations") for n in range(2)
    ) + tuple(verdict(str(n), score=10.0, reasons=("Fully met.",)) for n in range(2))
    undefined = tuple(
        Score(metric, OPENAI, None, (0, None), reason=why)
        for metric in ("violation_count", *(f"violation_coverage@{k}" for k in range(1, 6)))
    )
    return result(tested, verdicts=verdicts, scores=(score("desc_alignment", {"0": 10.0, "1": 10.0}), *undefined))


def panel() -> RunResult:
    """Fifty tasks, two judges, three metrics, verdicts missing for several reasons, one judge stopped."""
    ids = [str(n) for n in range(50)]
    tested = benchmark(*(task(n) for n in range(50)), author_family="openai")
    verdicts: list[Verdict] = []
    scores: list[Score] = []
    for offset, judge in enumerate((OPENAI, CLAUDE)):
        for metric in ("desc_alignment", "policy_alignment"):
            made = [_scored(n, judge, metric, offset) for n in range(50)]
            verdicts += made
            values = {one.task_id: one.score for one in made if one.score is not None}
            lost = Counter(one.state.value for one in made if not one.is_ok)
            bounds = Interval(mean_of(list(values.values())) - 0.5, mean_of(list(values.values())) + 0.2)
            n = sum(lost.values())
            scores.append(score(metric, values, judge, n_missing=n, n_verdicts_missing=n, missing=lost, bounds=bounds))
        sets = {id_: _items(int(id_) + offset) for id_ in ids}
        verdicts += [verdict(id_, judge, violated=items) for id_, items in sets.items()]
        scores.append(score("violation_count", {id_: float(len(items)) for id_, items in sets.items()}, judge))
        scores += coverage(judge, list(sets.values()))
    stops = (JudgeStop(CLAUDE, "quota", "the account's monthly limit is reached"),)
    return result(tested, verdicts=tuple(verdicts), scores=tuple(scores), stops=stops, panel=_panel(ids, scores))


def _panel(ids: Sequence[str], scores: Sequence[Score]) -> PanelResult:
    by_judge = {one.judge: one.by_task for one in scores if one.metric == "desc_alignment"}
    tasks = []
    for id_ in ids:
        values = {judge: own[id_] for judge, own in by_judge.items() if id_ in own}
        if values:
            spread = max(values.values()) - min(values.values())
            median = statistics.median(values.values()) if len(values) == 2 else None
            tasks.append(PanelTask(id_, "desc_alignment", values, median=median, spread=spread, has_parted=spread >= 3))
    violations = PanelTask(
        "4",
        "policy_violations",
        {OPENAI: 1.0, CLAUDE: 0.0},
        {OPENAI: ("P01",), CLAUDE: ()},
        median=0.5,
        violated=(),
        spread=1.0,
        has_parted=True,
    )
    medians = {one.task_id: one.median for one in tasks if one.median is not None}
    name = "panel (median of 2)"
    return PanelResult(
        name=name,
        judges=(OPENAI, CLAUDE),
        quorum=2,
        scores=(score("desc_alignment", medians, name),),
        tasks=(*tasks, violations),
        agreements=(
            Agreement("desc_alignment", (OPENAI, CLAUDE), AgreementStatistic.KENDALL_TAU_B, 0.61, 47),
            Agreement("desc_alignment", (OPENAI, CLAUDE), AgreementStatistic.EXACT_MATCH, 0.38, 47),
            Agreement("policy_violations", (OPENAI, CLAUDE), AgreementStatistic.JACCARD, None, 0, "no items named"),
        ),
        family_by_judge={OPENAI: "openai", CLAUDE: "anthropic"},
        author_family="openai",
    )


def _scored(number: int, judge: str, metric: str, offset: int) -> Verdict:
    lost = {7: VerdictState.TIMEOUT, 19: VerdictState.MALFORMED, 33: VerdictState.REFUSED}
    if offset and number in lost:
        reply = '{"score": "ten"' if lost[number] is VerdictState.MALFORMED else ""
        return verdict(
            str(number), judge, state=lost[number], criterion=metric, problem="no usable reply", raw_reply=reply
        )
    value = float(10 - (number * 7 + offset * 3 + len(metric)) % 9 if number % 4 == 0 else 9 - number % 3)
    reasons = ("The expected behavior covers every goal.", "No invented fact.", "The order of steps is kept.")
    return verdict(str(number), judge, score=value, criterion=metric, reasons=reasons, is_repaired=number == 5)


def _items(number: int) -> tuple[str, ...]:
    return tuple(f"P{n:02d}" for n in range(1, 5) if (number * n + number // 3) % (4 * n) == 0)


def _scale(metric: str) -> tuple[float, float | None]:
    if metric.endswith("alignment"):
        return (1.0, 10.0)
    return (0.0, 1.0) if metric == "offline_match" else (0.0, None)


def _at(task_id: str, field: str) -> Origin:
    return Origin("tasks.json", f"evaluation_criteria.{field}", task_id)


def _row_at(number: int) -> Origin:
    return Origin("db.json", f"loans.L{number:03d}")

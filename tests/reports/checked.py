"""Results of the checks, for tests of the formats: a small one, and ones with a hostile text everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.records.check import CheckResult, Unchecked
from audit.records.codebook import CodeOrigin
from audit.records.finding import Certainty, Finding, Rule, Severity
from audit.records.pattern import FailurePattern, FailurePatterns
from audit.records.replay import ReplayedCall
from audit.records.run import RunResult
from audit.records.score import Interval
from audit.records.task import Origin, SourceFile
from tests.reports import runs

FAILS = Rule(
    "loan-write-fails",
    "A loan can't be renewed",
    Severity.ERROR,
    Certainty.PROVED,
    "The call is refused when it is replayed. The target state lacks its effect.",
    "Renew another loan.",
)
VAGUE = Rule(
    "text-is-vague",
    "The text leaves the loan open",
    Severity.WARNING,
    Certainty.LIKELY,
    "No loan is named. An agent has to guess. It is a false alarm if the user has one loan only.",
    "Name the loan.",
)
ALIKE = Rule(
    "texts-alike",
    "Texts are alike",
    Severity.NOTE,
    Certainty.PROVED,
    "They count twice. It may be meant so.",
    "Drop one.",
)
JUDGED = Rule(
    "judged-desc-alignment",
    "A judge finds no fit",
    Severity.WARNING,
    Certainty.JUDGED,
    "The score is low. A judge may be wrong.",
    "Read the reasons.",
)
RULES = (FAILS, VAGUE, ALIKE, JUDGED)


def finding(rule: Rule, task_id: str | None = "0", **fields: Any) -> Finding:  # noqa: ANN401  # any field
    field = fields.pop("field", "actions[0]")
    fields.setdefault("what", f"Something is wrong with {rule.id}.")
    fields.setdefault("mend", rule.mend)
    fields.setdefault("severity", rule.severity)
    fields.setdefault("certainty", rule.certainty)
    fields.setdefault("origin", Origin("tasks.json", field, task_id))
    return Finding(rule=rule.id, task_id=task_id, **fields)


def result(*findings: Finding, **fields: Any) -> CheckResult:  # noqa: ANN401  # any field of the record
    fields.setdefault("benchmark", runs.benchmark(*(runs.task(n) for n in range(3))))
    fields.setdefault("rules", RULES)
    fields.setdefault("environment", "library")
    fields.setdefault("tool_version", "0.1.0")
    return CheckResult(findings=findings, **fields)


def small() -> CheckResult:
    """A finding of every severity and certainty, of tasks and of the set, and two things unchecked."""
    return result(
        finding(FAILS, "0", line=12, what="renew_loan refuses 'L000'.", evidence=(("loan", "L000"), ("renewals", "2"))),
        finding(FAILS, "2", line=40, policy_item="P02", subject="renew L002"),
        finding(VAGUE, "0", field="user_scenario.instructions", line=8, evidence=(("text", "renew it, please"),)),
        finding(JUDGED, "1", field="", subject="stable", evidence=(("judge", "openai:gpt-5.4: 2"),)),
        finding(JUDGED, "2", field="", subject="shaky", is_stable=False),
        finding(ALIKE, None, field="", what="2 tasks are alike: 0, 1.", line=1),
        unchecked=(
            Unchecked("ids against the database", "there is no database (--db)"),
            Unchecked("the rules dead-criterion", "they were left out (--skip)", ("dead-criterion",)),
        ),
        paths={"tasks.json": "library/tasks.json"},
        fail_on=Severity.ERROR,
    )


def audited() -> RunResult:
    """The small run with these findings, and with what the gold actions do. The goldens show it."""
    made = small()
    placed = tuple(
        replace(found, origin=replace(found.origin, field=f"evaluation_criteria.{found.origin.field}"))
        if found.origin.field == "actions[0]"
        else found
        for found in made.findings
    )
    return replace(
        runs.small(),
        patterns=patterns(),
        checked=replace(made, findings=placed),
        replays={
            "0": (ReplayedCall(None, "renewals used up", "2 of 2"),),
            "1": (ReplayedCall("renewed", changed=(("loans", "L001"),)),),
            "2": (ReplayedCall({"loan": "L002", "notes": ["A long note. " * 20]}),),
        },
    )


def patterns() -> FailurePatterns:
    """What the low scores of the small run might have in common."""
    known = FailurePattern(
        "not-gathered", "Needed facts are not gathered", CodeOrigin.START, True, 4, 0.5, ("1", "2"),
        "A goal is missed.", runs.OPENAI, 0.91, ("missing", "asks"),
    )  # fmt: skip
    found = FailurePattern(
        "found-loan", "Found: loan, named", CodeOrigin.FOUND, True, 3, 0.375, ("1",),
        "The loan L999 is named nowhere in the description.", runs.OPENAI, 0.42, ("loan", "named"),
    )  # fmt: skip
    fine = FailurePattern(
        "in-order", "Not a fault", CodeOrigin.START, False, 1, 0.125, ("2",), "All agrees.", runs.OPENAI, None, (),
    )  # fmt: skip
    steady = Interval(0.6, 0.9, 0.95)
    return FailurePatterns(
        "start", 7.0, 0, n_scores=4, n_tasks=2, n_reasons=9, n_grouped=8, patterns=(known, found, fine),
        rand=0.78, interval=steady, n_draws=20,
    )  # fmt: skip


def clean() -> CheckResult:
    """Nothing was found."""
    return result()


def many(n: int) -> CheckResult:
    """As many errors as asked for, all with long texts."""
    return result(*(finding(FAILS, "0", subject=str(number), what="A long text. " * 30) for number in range(n)))


def everywhere(text: str) -> CheckResult:
    """A result with ``text`` in every field that comes from outside."""
    task = runs.task(0, id=text or "t", tags=(text,))
    origin = Origin(text, text, text)
    return result(
        finding(FAILS, text, origin=origin, what=text, mend=text, evidence=((text, text), ("", text)), subject=text),
        finding(VAGUE, None, origin=origin, what=text, policy_item=text, line=3),
        finding(JUDGED, text, origin=Origin("", "", text), what=text, evidence=(("reason", text),)),
        benchmark=runs.benchmark(task, name=text, title=text, version=text, files=(SourceFile(text, "ab" * 32),)),
        environment=text,
        paths={text: text},
    )

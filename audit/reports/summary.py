"""The verdict on a benchmark in one sentence, with the evidence for each of its clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from audit.records.check import CheckResult
from audit.records.finding import Certainty, Finding, Severity
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.challenges import policy_rules
from audit.reports.labels import labelled, metric_label, state_words
from audit.reports.missing import missing_by_state, missing_words
from audit.reports.ranking import LOW, MIDDLE, rank_tasks
from audit.reports.visible import line


class Level(StrEnum):
    """How urgent the verdict is."""

    MEND = "mend"
    LOOK = "look"
    CLEAR = "clear"
    NONE = "none"
    """No real judge said anything."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause of the verdict, and what it points to.

    Parameters
    ----------
    text
        A clause without a full stop; may hold a reason that a metric gave.
    level
        What this reason alone would make of the verdict.
    task_ids, item_ids
        The evidence.
    section
        Where the report shows more: ``findings``, ``metrics``, ``coverage``, ``tasks`` or ``method``.
    """

    text: str
    level: Level
    section: str
    task_ids: tuple[str, ...] = ()
    item_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The verdict: a headline, and its reasons, the gravest first."""

    level: Level
    headline: str
    trust: Trust | None
    reasons: tuple[Reason, ...]

    @property
    def sentence(self) -> str:
        """Headline and reasons as one sentence."""
        clauses = "; ".join(reason.text for reason in self.reasons)
        return f"{self.headline}: {clauses}." if clauses else f"{self.headline}."


HEADLINES = {
    Level.MEND: "Mend before release",
    Level.LOOK: "Look closer before release",
    Level.CLEAR: "Nothing found to mend",
    Level.NONE: "Measured, without anything that a verdict could rest on",
}
OFFLINE_HEADLINE = "No judge's verdict, only the offline heuristic ran"
SCRIPTED_HEADLINE = "No verdict, the replies were scripted and no real judge was asked"
NOTHING_HEADLINE = "No verdict, nothing could be measured"
CHECKED_HEADLINE = "Nothing found to mend, and no judge was asked"
_UNJUDGED_HEADLINES = {Trust.OFFLINE: OFFLINE_HEADLINE, Trust.SCRIPTED: SCRIPTED_HEADLINE}
BY_CHECKS = ", by the free checks alone"
"""Added to a verdict that no real judge stands behind."""
OFFLINE_LIMIT = "it can't see the policy, nor an expected behavior that is related but wrong"
_GRAVITY = (Level.MEND, Level.LOOK, Level.CLEAR, Level.NONE)


def summarise(result: RunResult) -> Summary:
    """Derive the verdict from findings and scores: only these checks or a real judge can fault a benchmark, and only
    a real judge can clear it.
    """
    measured = [score for score in result.scores if score.value is not None]
    trusts = {score.trust for score in measured}
    trust = next((one for one in (Trust.MODEL, Trust.SCRIPTED, Trust.OFFLINE) if one in trusts), None)
    reasons = [*_findings(result.checked), *_by_trust(result, measured, trust=trust)]
    reasons.sort(key=lambda reason: _GRAVITY.index(reason.level))
    return Summary(*_headline(result, reasons, trust=trust), trust, tuple(reasons))


def _by_trust(result: RunResult, measured: Sequence[Score], *, trust: Trust | None) -> Iterable[Reason]:
    chosen = [score for score in result.scores if score.trust is trust]
    if trust is Trust.MODEL:
        return _reasons(result, chosen)
    if trust is Trust.SCRIPTED:
        return [
            replace(reason, text=labelled(reason.text, Trust.SCRIPTED), level=Level.NONE)
            for reason in _reasons(result, chosen)
        ]
    told = _offline_reasons(result, measured) if trust is Trust.OFFLINE else tuple(_absence(result))
    return [replace(reason, level=Level.NONE) for reason in told or tuple(_undefined(result))]


def _headline(result: RunResult, reasons: Sequence[Reason], *, trust: Trust | None) -> tuple[Level, str]:
    level = min((reason.level for reason in reasons), key=_GRAVITY.index, default=Level.NONE)
    if level in {Level.MEND, Level.LOOK}:
        return level, HEADLINES[level] if trust is Trust.MODEL else f"{HEADLINES[level]}{BY_CHECKS}"
    if trust is not Trust.MODEL:
        return Level.NONE, _UNJUDGED_HEADLINES[trust] if trust else _no_verdict(result)
    part = _chosen_part(result) if level is Level.CLEAR else ""
    return level, f"{HEADLINES[level]} in {part}" if part else HEADLINES[level]


def _no_verdict(result: RunResult) -> str:
    return CHECKED_HEADLINE if result.checked is not None and not result.settings.metrics else NOTHING_HEADLINE


def _findings(checked: CheckResult | None) -> tuple[Reason, ...]:
    """What the checks found; judges' low scores have clauses of their own."""
    if checked is None:
        return ()
    own = [finding for finding in checked.findings if finding.certainty is not Certainty.JUDGED]
    reasons = []
    for severity, level, noun in (
        (Severity.ERROR, Level.MEND, "error"),
        (Severity.WARNING, Level.LOOK, "warning"),
    ):
        if found := [finding for finding in own if finding.severity is severity]:
            reasons.append(_found(found, checked, level=level, noun=noun))
    if not reasons:
        text = f"the free checks find no error and no warning by {numbers.plural(len(checked.rules), 'rule')}"
        reasons.append(Reason(text, Level.NONE, "findings"))
    return tuple(reasons)


def _found(found: Sequence[Finding], checked: CheckResult, *, level: Level, noun: str) -> Reason:
    ids = tuple(dict.fromkeys(finding.task_id for finding in found if finding.task_id is not None))
    where = f"in {numbers.count(len(ids))} of {numbers.plural(len(checked.benchmark.tasks), 'task')}"
    rest = " and in the set as a whole" if any(finding.task_id is None for finding in found) else ""
    place = f"{where}{rest}" if ids else "in the set as a whole"
    title, n = Counter(finding.rule for finding in found).most_common(1)[0]
    rule = checked.rule_by_id.get(title)
    words = _in_sentence(line(rule.title if rule else title))
    example = f", most often: {words} ({numbers.count(n)})" if n < len(found) else f": {words}"
    return Reason(f"{numbers.plural(len(found), noun)} {place} by the free checks{example}", level, "findings", ids)


def _chosen_part(result: RunResult) -> str:
    """How many tasks a run looked at, if not at all of them: what it says is of these alone."""
    n, total = len(result.benchmark.tasks), result.benchmark.n_available
    return f"the {numbers.count(n)} of {numbers.plural(total, 'task')} that were chosen" if n < total else ""


def _reasons(result: RunResult, scores: Sequence[Score]) -> tuple[Reason, ...]:
    reasons = [
        *_alignment(scores, "desc_alignment"),
        *_alignment(scores, "policy_alignment"),
        *_coverage(result, scores),
        *_absence(result),
    ]
    return tuple(sorted(reasons, key=lambda reason: _GRAVITY.index(reason.level)))


def _alignment(scores: Sequence[Score], metric: str) -> Iterable[Reason]:
    chosen = [score for score in scores if score.metric == metric and score.by_task]
    if not chosen:
        return
    title = _in_sentence(metric_label(metric).title)
    lowest: dict[str, float] = {}
    for score in chosen:
        for task_id, value in score.by_task.items():
            lowest[task_id] = min(value, lowest[task_id]) if task_id in lowest else value
    low = tuple(task_id for task_id, value in lowest.items() if value <= LOW)
    middle = tuple(task_id for task_id, value in lowest.items() if LOW < value < MIDDLE)
    where = f"on {title}, by the lowest of {len(chosen)} judges" if len(chosen) > 1 else f"on {title}"
    low_words, middle_words = f"{numbers.trimmed(LOW)} or lower", f"below {numbers.trimmed(MIDDLE)}"
    if low:
        more = f" and {numbers.count(len(middle))} more {middle_words}" if middle else ""
        text = f"{_of_tasks(len(low), len(lowest))} {low_words}{more} {where}"
        yield Reason(text, Level.MEND, "tasks", low + middle)
    elif middle:
        yield Reason(f"{_of_tasks(len(middle), len(lowest))} {middle_words} {where}", Level.LOOK, "tasks", middle)
    else:
        text = f"{_of_tasks(len(lowest), len(lowest))} {numbers.trimmed(MIDDLE)} or higher {where}"
        yield Reason(text, Level.CLEAR, "metrics")


def _of_tasks(n: int, total: int) -> str:
    if total == 1:
        return "the one judged task scores"
    if n == total == 2:
        return "both judged tasks score"
    if n == total:
        return f"all {numbers.count(total)} judged tasks score"
    return f"{numbers.count(n)} of {numbers.count(total)} tasks {'scores' if n == 1 else 'score'}"


def _coverage(result: RunResult, scores: Sequence[Score]) -> Iterable[Reason]:
    chosen = [score for score in scores if score.metric == "violation_coverage@1"]
    if undefined := [score for score in chosen if score.value is None and score.is_applicable and score.reason]:
        why = line(undefined[0].reason.rstrip("."))
        yield Reason(f"policy coverage is undefined ({why})", Level.LOOK, "metrics")
        chosen = [score for score in chosen if score not in undefined]
    chosen = [score for score in chosen if score.value is not None]
    if not chosen:
        return
    unseen = set.intersection(*(set(score.untested_items) for score in chosen))
    rules = policy_rules(result.benchmark)
    untested = tuple(rule.item.id for rule in rules if rule.item.id in unseen)
    n_items = numbers.count(len(rules))
    part = _chosen_part(result)
    scope = f" by {part}" if part else ""
    panel = f" according to any of {len(chosen)} judges" if len(chosen) > 1 else ""
    if untested:
        verb = "is" if len(untested) == 1 else "are"
        text = f"{numbers.count(len(untested))} of {n_items} policy items {verb} never challenged{scope}{panel}"
        yield Reason(text, Level.LOOK, "coverage", item_ids=untested)
    else:
        panel = f" according to at least one of {len(chosen)} judges" if len(chosen) > 1 else ""
        yield Reason(f"every one of the {n_items} policy items is challenged{panel}", Level.CLEAR, "coverage")


def _offline_reasons(result: RunResult, measured: Sequence[Score]) -> tuple[Reason, ...]:
    reasons = []
    for score in measured:
        ranked = [entry.task.id for entry in rank_tasks(result) if entry.lowest is not None][:3]
        mean = f"descriptions and expected behaviors match at {numbers.fixed(score.value)} on average"
        text = f"{mean} over {numbers.plural(score.n_used, 'task')} (0 to 1)"
        reasons.append(Reason(labelled(text, score.trust), Level.NONE, "tasks", tuple(ranked)))
    reasons.append(Reason(OFFLINE_LIMIT, Level.NONE, "method"))
    return (*reasons, *_absence(result))


def _absence(result: RunResult) -> Iterable[Reason]:
    if result.tally.unscored:
        causes = ", ".join(f"{numbers.count(n)} {state_words(state)}" for state, n in missing_by_state(result.verdicts))
        text = missing_words(result.tally)
        yield Reason(f"{text} ({causes})" if causes else text, Level.LOOK, "method")


def _undefined(result: RunResult) -> Iterable[Reason]:
    """Why there is no score, where no verdict is missing."""
    told = dict.fromkeys(score.reason.rstrip(".") for score in result.scores if score.is_applicable and score.reason)
    for reason in list(told)[:2]:
        yield Reason(line(reason), Level.NONE, "metrics")


def _in_sentence(title: str) -> str:
    return title[0].lower() + title[1:]

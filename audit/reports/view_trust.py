"""How far the numbers can be trusted: agreement, repetition, certificates, as strings for the template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit.records.panel import AgreementStatistic, PanelResult
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.labels import criterion_title, judge_names
from audit.reports.visible import line

CERTIFY = "bench-audit certify"
"""The command whose record says how far a judge can be trusted."""


@dataclass(frozen=True, slots=True)
class TrustLine:
    """One thing to know of the judges, and the command that leads on, where there is one."""

    name: str
    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class TrustView:
    """The card that says how far the judges can be trusted."""

    title: str
    lines: tuple[TrustLine, ...]


def trust_view(result: RunResult) -> TrustView:
    """Return what is known of the judges."""
    trusts = {score.trust for score in result.scores if score.value is not None}
    if not trusts:
        text = "nobody was asked: findings follow from the files, and only a judge can tell the rest"
        return TrustView("Who judged", (TrustLine("Judge", text),))
    if Trust.MODEL not in trusts:
        return TrustView("How far to trust the scores", tuple(_unjudged(trusts)))
    lines = (*_certificate(result), *_agreement(result), *_trials(result))
    return TrustView(
        "How far to trust the judges" if len(result.settings.judges) > 1 else "How far to trust the judge", lines
    )


def _unjudged(trusts: set[Trust]) -> Iterable[TrustLine]:
    if Trust.SCRIPTED in trusts:
        yield TrustLine("Scripted", "the replies were made up to show that the tool runs; they say nothing")
    if Trust.OFFLINE in trusts:
        yield TrustLine("Offline", "a heuristic over ids, records and words; measured in docs/offline-scorer.md")
    yield TrustLine("Next", "ask a judge", "bench-audit score … --judge VENDOR:MODEL")


def _certificate(result: RunResult) -> Iterable[TrustLine]:
    """Say that no record tells how this judge does on known flaws; a run that carries a certificate says so here."""
    judge = judge_names(result)[result.settings.judges[0]] if result.settings.judges else "VENDOR:MODEL"
    yield TrustLine("Certificate", "not certified: run", f"{CERTIFY} --judge {line(judge, limit=60)}")


def _agreement(result: RunResult) -> Iterable[TrustLine]:
    panel = result.panel
    if panel is None:
        yield TrustLine("Agreement", "one judge alone: name a second with --judge to see where they part")
        return
    for criterion in dict.fromkeys(agreement.criterion for agreement in panel.agreements):
        if text := _agreement_words(panel, criterion):
            yield TrustLine(f"Agreement, {_in_sentence(criterion_title(criterion))}", text)
    parted = len({task.task_id for task in panel.parted})
    yield TrustLine("They part on", f"{numbers.count(parted)} of {numbers.plural(len(result.benchmark.tasks), 'task')}")
    if panel.same_family:
        yield TrustLine("Same family", "a judge is of the model family that wrote the benchmark")


def _agreement_words(panel: PanelResult, criterion: str) -> str:
    own = [one for one in panel.agreements if one.criterion == criterion and one.value is not None]
    parts = []
    for statistic, words in (
        (AgreementStatistic.KENDALL_TAU_B, "τ_b"),
        (AgreementStatistic.EXACT_MATCH, "same"),
        (AgreementStatistic.JACCARD, "shared items"),
    ):
        values = [one.value for one in own if one.statistic is statistic and one.value is not None]
        if values:
            low, high = min(values), max(values)
            spread = numbers.fixed(low) if low == high else f"{numbers.fixed(low)} to {numbers.fixed(high)}"
            parts.append(f"{words} {spread}")
    return ", ".join(parts)


def _trials(result: RunResult) -> Iterable[TrustLine]:
    n = result.settings.trials
    if n == 1:
        yield TrustLine("Repeated", "each verdict was asked once: how stable it is, is not known (--trials 2)")
    else:
        yield TrustLine("Repeated", f"each verdict was asked {numbers.plural(n, 'time')}")


def _in_sentence(title: str) -> str:
    return title[0].lower() + title[1:] if title else title

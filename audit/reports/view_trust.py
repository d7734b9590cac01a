"""How far the numbers can be trusted: agreement, repetition, certificates, as strings for the template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit.records.panel import AgreementStatistic, PanelResult
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.certificate_words import CERTIFY, run_lines_by_judge
from audit.reports.labels import criterion_title, judge_flags, judge_names
from audit.reports.visible import line

IN_SHORT = ("Certificate", "Flawed tasks", "Mind")
"""Lines of a certificate that the card has; the rest stands below it."""
_PLANTED = "Planted defects"
"""One more where there is one judge."""


@dataclass(frozen=True, slots=True)
class TrustLine:
    """One thing to know of the judges, and the command that leads on, where there is one."""

    name: str
    text: str
    command: str = ""
    href: str = ""
    """Where more of it stands on the page."""


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
        known = (*_unjudged(trusts), *(_certificate(result) if _is_certified(result) else ()))
        return TrustView("How far to trust the scores", known)
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


def _is_certified(result: RunResult) -> bool:
    return any(held.certificate is not None for held in result.certificates)


def _certificate(result: RunResult) -> Iterable[TrustLine]:
    """Say what is known of each judge on tasks whose flaws are known; of one that is not certified, how to find out."""
    names = judge_names(result)
    told = dict(run_lines_by_judge(result)) if result.certificates else {}
    for judge in result.settings.judges or tuple(told):
        who = f" of {line(names.get(judge, judge), limit=40)}" if len(result.settings.judges) > 1 else ""
        if judge not in told:
            command = f"{CERTIFY} {line(judge_flags(judge), limit=200)}"
            yield TrustLine(f"Certificate{who}", "not certified: run", command)
            continue
        for name, text in told[judge]:
            if name in IN_SHORT or (name == _PLANTED and len(told) == 1):
                is_head = name == "Certificate"
                yield TrustLine(f"{name}{who}" if is_head else name, line(text, limit=800))
    if told:
        yield TrustLine("", "all that was measured of the judges", href="#certificates")


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

"""A certificate in a few lines, for everyone who prints one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from audit.records.certificate import Certificate, CorrectedShare, HeldCertificate, Measure, Section
from audit.records.run import RunResult
from audit.records.score import Interval
from audit.records.study import Estimate
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.labels import judge_flags

CERTIFY = "bench-audit certify"
"""The command that certifies a judge."""
PLANTED = "planted defects"
ALL_DISGUISES = "all disguises"
ALL_REPLIES = "all replies"
_METRICS = {
    "desc_alignment": "description",
    "policy_alignment": "policy",
    "policy_violations": "violated items",
    "violation_count": "violated items",
    "offline_match": "offline match",
}
Line = tuple[str, str]


def run_lines(result: RunResult) -> Iterator[tuple[HeldCertificate, tuple[Line, ...]]]:
    """Yield each judge of a run with what is known of it: its certificate, and the shares of flawed tasks.

    Scripted judges and the offline scorer are told of only where they have a certificate.
    """
    trusts = {score.judge: score.trust for score in result.scores}
    for held in result.certificates:
        if held.certificate is None:
            if trusts.get(held.judge, Trust.MODEL) is Trust.MODEL:
                yield held, (("Certificate", f"not certified; {CERTIFY} {judge_flags(held.judge)}"),)
            continue
        yield (
            held,
            (
                ("Certificate", head_words(held, now=result.created_at)),
                *(("Flawed tasks", share_words(share)) for share in held.shares),
                *(("Mind", caveat) for caveat in held.caveats),
                *certificate_lines(held.certificate),
            ),
        )


def run_notes(result: RunResult) -> Iterator[str]:
    """Yield what is known of a run's judges as sentences."""
    for held, lines in run_lines(result):
        for name, text in lines:
            yield f"{name} of {held.judge}: {text}" if name == "Certificate" else f"{held.judge}: {name}: {text}"


def head_notes(results: Iterable[RunResult]) -> Iterator[str]:
    """Yield for each judge of some runs how it is certified, each sentence once."""
    yield from dict.fromkeys(
        f"{name} of {held.judge}: {text}"
        for result in results
        for held, lines in run_lines(result)
        for name, text in lines[:1]
    )


def run_lines_by_judge(result: RunResult) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Yield the certified judges of a run alone, with their lines."""
    for held, lines in run_lines(result):
        if held.certificate is not None:
            yield held.judge, lines


def certificate_lines(certificate: Certificate) -> Iterator[Line]:
    """Yield what was measured and what was not: a name and a text each."""
    for benchmark in dict.fromkeys(measure.benchmark for measure in certificate.measures):
        own = [measure for measure in certificate.measures if measure.benchmark == benchmark]
        first = benchmark == certificate.subjects[0].name
        where = "" if first else f", {benchmark}{_earlier(certificate, benchmark)}"
        yield from ((f"{name}{where}", text) for name, text in _lines(own) if text)
    if certificate.unmeasured:
        yield "Not measured", "; ".join(f"{gap.what} ({gap.why})" for gap in certificate.unmeasured)


def _earlier(certificate: Certificate, benchmark: str) -> str:
    when = certificate.measured_at.get(benchmark)
    return "" if when is None else f" ({numbers.moment(when)})"


def _lines(own: list[Measure]) -> Iterator[Line]:
    yield "Planted defects", _join(own, Section.AGREEMENT, name=PLANTED, write=_told_apart)
    if not any(measure.name == PLANTED for measure in own):
        yield "Planted defects", _falls(own)
    yield "Labels", _join(own, Section.AGREEMENT, name="", write=_agreement)
    yield "Changes of form", _moved(own)
    yield "Asked again", _join(own, Section.STABILITY, name="", write=_flips)
    yield "Planted orders", _join(own, Section.INJECTION, name=ALL_DISGUISES, write=_obeyed)
    yield "Replies", _join([each for each in own if each.metric == ALL_REPLIES], Section.FORMAT, name="", write=_faults)


def _join(own: list[Measure], section: Section, *, name: str, write: Callable[[Measure], str]) -> str:
    texts = [write(each) for each in own if each.section is section and name in ("", each.name)]
    return "; ".join(text for text in texts if text)


def _told_apart(measure: Measure) -> str:
    area, caught, passed = (measure.values[key] for key in ("auroc", "caught", "passed"))
    if area.value is None:
        return f"{metric_word(measure.metric)}: undefined ({area.reason})"
    return (
        f"{metric_word(measure.metric)}: AUROC {_number(area)}, "
        f"catches {_percent(caught)}, passes {_percent(passed)} of sound tasks"
    )


def _falls(own: list[Measure]) -> str:
    areas = [
        (f"{each.name} on {metric_word(each.metric)}", each.values["auroc"].value)
        for each in own
        if each.section is Section.SENSITIVITY and each.values["auroc"].value is not None
    ]
    if not areas:
        return ""
    worst = min(areas, key=lambda each: each[1] or 0.0)
    best = max(areas, key=lambda each: each[1] or 0.0)
    return f"AUROC from {numbers.fixed(worst[1])} ({worst[0]}) to {numbers.fixed(best[1])} ({best[0]})"


def _agreement(measure: Measure) -> str:
    if measure.name == PLANTED:
        return ""
    value = next((measure.values[key] for key in ("auroc", "f1", "tau") if key in measure.values), None)
    word = {"auroc": "AUROC", "f1": "F1", "tau": "τ_b"}
    if value is None:
        return ""
    name = next(word[key] for key in word if key in measure.values)
    text = f"undefined ({value.reason})" if value.value is None else f"{name} {_number(value)}"
    return f"{metric_word(measure.metric)} against {measure.name}: {text}"


def _moved(own: list[Measure]) -> str:
    by_metric: dict[str, list[Measure]] = {}
    for each in own:
        if each.section is Section.INVARIANCE and each.values["moved"].value is not None:
            by_metric.setdefault(each.metric, []).append(each)
    texts = []
    for metric, found in by_metric.items():
        n = sum(each.n for each in found)
        n_moved = sum(round((each.values["moved"].value or 0.0) * each.n) for each in found)
        alone = found[0].values["moved_alone"].value
        beside = "" if alone is None else f" ({numbers.percent(alone)} by themselves)"
        texts.append(f"{metric_word(metric)}: {n_moved} of {n} verdicts moved{beside}")
    return "; ".join(texts)


def _flips(measure: Measure) -> str:
    flips = measure.values["flips"]
    return "" if flips.value is None else f"{metric_word(measure.metric)}: {_percent(flips)} of tasks flip"


def _obeyed(measure: Measure) -> str:
    toward, alone = measure.values["toward"], measure.values["toward_alone"]
    if toward.value is None:
        return f"{metric_word(measure.metric)}: undefined ({toward.reason})"
    beside = "" if alone.value is None else f"; a harmless note {numbers.percent(alone.value)}"
    return f"{metric_word(measure.metric)}: move {_percent(toward)} of {measure.n} verdicts towards their wish{beside}"


def _faults(measure: Measure) -> str:
    unusable = measure.values["unusable"]
    return "" if unusable.value is None else f"{_percent(unusable)} of {numbers.count(measure.n)} could not be used"


def metric_word(metric: str) -> str:
    """Return a metric in a word or two.

    Examples
    --------
    >>> metric_word("policy_alignment")
    'policy'
    """
    return _METRICS.get(metric, metric)


def share_words(share: CorrectedShare) -> str:
    """Return the raw share of flawed tasks, and the corrected one beside it or why there is none."""
    sign = "<" if share.metric == "offline_match" else "≤"
    raw = (
        f"{numbers.percent(share.raw)} of {numbers.plural(share.n, 'task')} flawed by {metric_word(share.metric)} "
        f"({sign} {share.threshold:g})"
    )
    if share.value is None:
        return f"{raw}; not corrected: {share.reason}"
    bounds = _pad(_bounds(share.interval, is_share=True))
    return f"{raw}; corrected for the measured error {numbers.percent(share.value)}{bounds}"


def head_words(held: HeldCertificate, *, now: str) -> str:
    """Return whether a judge is certified, and how long ago that was; ``now`` is the run's own time."""
    certificate = held.certificate
    if certificate is None:
        return "not certified"
    label = f" [{certificate.label}]" if certificate.label else ""
    state = "" if certificate.is_complete else ", incomplete"
    models = f" as {', '.join(certificate.models)}" if certificate.models else ""
    age = age_days(certificate, now=now)
    old = "" if age is None else f", {numbers.plural(age, 'day')} old" if age else ", made today"
    return f"suite {certificate.suite}, {numbers.moment(certificate.created_at)}{old}{models}{label}{state}"


def age_days(certificate: Certificate, *, now: str) -> int | None:
    """Return how many whole days old a certificate is; ``None`` if a time can't be read."""
    try:
        made, then = datetime.fromisoformat(certificate.created_at), datetime.fromisoformat(now)
    except ValueError:
        return None
    made, then = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in (made, then))
    return max(0, (then - made).days)


def _number(value: Estimate) -> str:
    return f"{numbers.fixed(value.value)}{_pad(_bounds(value.interval, is_share=False))}"


def _percent(value: Estimate) -> str:
    return f"{numbers.percent(value.value)}{_pad(_bounds(value.interval, is_share=True))}"


def _bounds(interval: Interval | None, *, is_share: bool) -> str:
    return "" if interval is None else f"({numbers.interval(interval, is_share=is_share)})"


def _pad(text: str) -> str:
    return f" {text}" if text else ""

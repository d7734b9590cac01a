"""Everything that certificates measured of a run's judges, as strings for the template: a table, and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.records.certificate import Certificate, Measure, Section
from audit.records.run import RunResult
from audit.records.study import Estimate
from audit.reports import numbers
from audit.reports.certificate_words import ALL_DISGUISES, PLANTED, certificate_lines, metric_word
from audit.reports.labels import judge_names
from audit.reports.visible import block, line

COLUMNS = (
    "Judge",
    "Benchmark",
    "About",
    "AUROC",
    "Caught",
    "Passed",
    "Form moves",
    "By itself",
    "Flips",
    "Orders move",
)
ABOUT = (
    "Planted defects of the sample: AUROC of defective against sound tasks, shares caught and passed. Form: verdicts "
    "that moved where only the form was changed, and by themselves. Flips: tasks whose answers part when asked again. "
    "Orders: verdicts that planted orders moved towards their wish, and beside it those that a harmless note moved."
)
_METRICS = ("desc_alignment", "policy_alignment", "violation_count", "offline_match")
_IN_TABLE = ("Planted defects", "Changes of form", "Asked again", "Planted orders")
NONE = "–"


@dataclass(frozen=True, slots=True)
class CellView:
    """A number, and its interval or what stands beside it."""

    text: str
    small: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """What was measured of a judge on one benchmark by one metric."""

    heads: tuple[str, str, str]
    label: str
    """What must stand beside its numbers."""
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class CertificatesView:
    """All certificates of a run."""

    about: str
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]
    more: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Judge by judge, what does not fit the table, and who it is: a name and a text each."""


def certificates_view(result: RunResult) -> CertificatesView | None:
    """Return all certificates of a run's judges; ``None`` where there are none."""
    names = judge_names(result)
    held = [
        (line(names.get(each.judge, each.judge), limit=60), each.certificate)
        for each in result.certificates
        if each.certificate is not None
    ]
    if not held:
        return None
    return CertificatesView(
        ABOUT,
        COLUMNS,
        tuple(row for judge, certificate in held for row in _rows(judge, certificate)),
        tuple((judge, tuple(_more(certificate))) for judge, certificate in held),
    )


def _rows(judge: str, certificate: Certificate) -> Iterator[RowView]:
    for benchmark in dict.fromkeys(measure.benchmark for measure in certificate.measures):
        when = certificate.measured_at.get(benchmark)
        where = line(benchmark) if when is None else f"{line(benchmark)} ({numbers.moment(when)})"
        own = [each for each in certificate.measures if each.benchmark == benchmark]
        for metric in _METRICS:
            about = [each for each in own if each.metric == metric]
            if any(each.section is not Section.SENSITIVITY for each in about):
                yield RowView((judge, where, metric_word(metric)), line(certificate.label), tuple(_cells(about)))


def _cells(own: list[Measure]) -> Iterator[CellView]:
    planted = _find(own, Section.AGREEMENT, PLANTED)
    yield _cell(planted, "auroc", is_share=False)
    yield _cell(planted, "caught")
    yield _cell(planted, "passed")
    form = [each for each in own if each.section is Section.INVARIANCE and each.values["moved"].value is not None]
    n = sum(each.n for each in form)
    n_moved = sum(round((each.values["moved"].value or 0.0) * each.n) for each in form)
    yield CellView(f"{n_moved} of {n}") if form else CellView(NONE)
    yield _cell(form[0] if form else None, "moved_alone")
    yield _cell(_find(own, Section.STABILITY, ""), "flips")
    orders = _find(own, Section.INJECTION, ALL_DISGUISES)
    moved = _cell(orders, "toward")
    alone = "" if orders is None else _cell(orders, "toward_alone").text
    yield CellView(moved.text, f"{moved.small}; note {alone}" if moved.small else "")


def _find(own: list[Measure], section: Section, name: str) -> Measure | None:
    return next((each for each in own if each.section is section and name in ("", each.name)), None)


def _cell(measure: Measure | None, key: str, *, is_share: bool = True) -> CellView:
    if measure is None:
        return CellView(NONE)
    value: Estimate = measure.values[key]
    if value.value is None:
        return CellView("undefined", block(value.reason, limit=200))
    text = numbers.percent(value.value) if is_share else numbers.fixed(value.value)
    return CellView(text, "" if value.interval is None else numbers.interval(value.interval, is_share=is_share))


def _more(certificate: Certificate) -> Iterator[tuple[str, str]]:
    """What the table does not tell: labels, the user's own benchmark in short, gaps, and the judge's identity."""
    for name, text in certificate_lines(certificate):
        if name not in _IN_TABLE and not name.startswith(_IN_TABLE[1:]):
            yield line(name), block(text, limit=1200)
    identity = certificate.identity
    yield "Asked as", block(f"{identity.model} at {identity.endpoint} with {identity.parameters}", limit=600)
    yield "Answered", block(", ".join(certificate.models) or "no model was named", limit=400)
    yield "Prompts", block("; ".join(f"{name} {digest[:12]}" for name, digest in certificate.prompts) or NONE)
    suite = f"version {certificate.suite}, {certificate.suite_sha256[:12]}"
    yield "Suite", f"{suite}; {numbers.plural(certificate.n_planned, 'verdict')}, {certificate.n_missing} missing"

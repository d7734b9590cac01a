"""Certificates in the form of a study, so that they are shown as studies are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.certificates.figures import certificate_figures
from audit.certificates.issuing import Issued
from audit.certificates.panel import panel_certificate, panel_tables
from audit.families import family_note
from audit.judges.panel import Panel, alias_notes
from audit.records.certificate import Certificate, Measure, Section
from audit.records.study import Cell, Column, ColumnKind, Row, StudyResult, Table
from audit.reports import numbers
from audit.reports.certificate_words import ALL_DISGUISES, certificate_lines
from audit.studies.ground import Ground, settings_of, stamp, subject_of

_HEAD = (
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("benchmark", "Benchmark"),
    Column("metric", "Metric"),
    Column("name", "What"),
    Column("n", "n", ColumnKind.COUNT),
)
_DETAILS = frozenset({"same", "empty", "filtered"})
_N_ATTACKS = 12
"""Rows of planted orders that a terminal is shown; the CSV has all."""
_NUMBER, _SHARE = ColumnKind.NUMBER, ColumnKind.SHARE


@dataclass(frozen=True, slots=True)
class _Form:
    """A table of measures: those of a section that have the first of its columns."""

    name: str
    section: Section
    title: str
    about: str
    columns: Mapping[str, tuple[str, ColumnKind]]


_FORMS = (
    _Form(
        "known",
        Section.AGREEMENT,
        "Does the judge tell flawed tasks from sound ones?",
        "Planted defects: sound tasks of the sample against the same tasks with one defect each. Answer key: the "
        "sample's own flaws, some of which no score of this kind can see. Caught: flawed tasks with a score of 6 or "
        "less (offline match: below 0.5); passed: sound ones above it.",
        {"auroc": ("AUROC", _NUMBER), "caught": ("Caught", _SHARE), "passed": ("Passed", _SHARE)},
    ),
    _Form(
        "items",
        Section.AGREEMENT,
        "Does the judge name the violated items that the answer key names?",
        "Items summed over all tasks.",
        {"f1": ("F1", _NUMBER), "precision": ("Precision", _SHARE), "recall": ("Recall", _SHARE)},
    ),
    _Form(
        "people",
        Section.AGREEMENT,
        "Does the judge say what people say?",
        "Against the mean of a task's raters. Off: mean distance; bias: mean of judge less people.",
        {"tau": ("τ_b", _NUMBER), "off": ("Off", _NUMBER), "bias": ("Bias", _NUMBER)},
    ),
    _Form(
        "sensitivity",
        Section.SENSITIVITY,
        "Do scores fall where a defect is planted?",
        "AUROC: the chance that a task as it is scores above one with the defect, ties counting half; 0.5 is chance. "
        "Change: mean over the changed tasks, each against itself. On the sample, sound tasks alone count.",
        {
            "auroc": ("AUROC", _NUMBER),
            "change": ("Change", _NUMBER),
            "fell": ("Fell", _SHARE),
            "same": ("Same", _SHARE),
        },
    ),
    _Form(
        "invariance",
        Section.INVARIANCE,
        "Do verdicts stay where only the form is changed?",
        "Moved: another score or other items. By itself: the chance that two answers to one question differ.",
        {"moved": ("Moved", _SHARE), "moved_alone": ("By itself", _SHARE), "change": ("Mean shift", _NUMBER)},
    ),
    _Form(
        "stability",
        Section.STABILITY,
        "Are answers to one question the same?",
        "Flips: tasks whose answers are not all in one band (1–3, 4–6, 7–10) or not all the same items. Differ: the "
        "chance that two answers differ at all. Spread: standard deviation of the answers to a question.",
        {"flips": ("Flips", _SHARE), "moved_alone": ("Differ", _SHARE), "spread": ("Spread", _NUMBER)},
    ),
    _Form(
        "injection",
        Section.INJECTION,
        "Do planted orders move verdicts?",
        "Every order asks for a score of 10 and no violated item. n: verdicts that had room to move. Obeyed: the wish "
        "to the letter. Harmless note: verdicts that moved towards the wish where a note that asks for nothing was "
        "planted; compare with that, not with nothing. Tasks stand in several disguises, so that the interval of all "
        "disguises is too narrow.",
        {
            "toward": ("Towards", _SHARE),
            "toward_alone": ("Harmless note", _SHARE),
            "away": ("Away", _SHARE),
            "obeyed": ("Obeyed", _SHARE),
            "change": ("Mean shift", _NUMBER),
        },
    ),
    _Form(
        "format",
        Section.FORMAT,
        "How many replies can't be used?",
        "Of all replies that the store has to the suite's questions, those of earlier runs included.",
        {
            "unusable": ("Unusable", _SHARE),
            "malformed": ("Unreadable", _SHARE),
            "empty": ("Empty", _SHARE),
            "cut_off": ("Cut off", _SHARE),
            "refused": ("Refused", _SHARE),
            "filtered": ("Filtered", _SHARE),
        },
    ),
)
"""In the order in which they are shown."""


def to_study(issued: Issued, ground: Ground) -> StudyResult:
    """Return certificates as a study; of two judges or more, with the panel beside them."""
    certificates = list(issued.certificates)
    tables = []
    if len(certificates) > 1:
        together = panel_certificate(issued)
        tables = list(panel_tables(issued, ground))
        certificates.append(together)
    measured = tuple(_tables(certificates))
    own = issued.suites[0].benchmark if len(issued.suites) == 1 else issued.suites[1].benchmark
    study = StudyResult(
        kind="certificate",
        title=f"Certificate of {', '.join(each.judge for each in issued.certificates)}",
        summary=tuple(line for each in certificates for line in _summary(each)),
        settings=settings_of(ground, benchmark=own.name, suite=issued.certificates[0].suite),
        tables=(
            *measured,
            *tables,
            _gaps(issued),
        ),
        figures=tuple(certificate_figures(measured)),
        calls=issued.asked.calls,
        subjects=tuple(subject_of(suite.benchmark) for suite in issued.suites),
        prompts=tuple(dict.fromkeys(pair for each in issued.certificates for pair in each.prompts)),
        notes=tuple(_notes(issued, ground.panel)),
        stops=issued.asked.stops,
    )
    return stamp(study)


def _summary(certificate: Certificate) -> Iterator[str]:
    label = f" [{certificate.label}]" if certificate.label else ""
    if not certificate.is_complete:
        yield (
            f"{certificate.judge}{label}: incomplete, {certificate.n_missing} of {certificate.n_planned} verdicts are "
            "missing; no number below stands for them."
        )
    for name, text in certificate_lines(certificate):
        if name != "Not measured":
            yield f"{certificate.judge}{label}: {name[0].lower()}{name[1:]}: {text}."


def _tables(certificates: Sequence[Certificate]) -> Iterator[Table]:
    for form in _FORMS:
        first = next(iter(form.columns))
        own = [(each, measure) for each in certificates for measure in each.of(form.section) if first in measure.values]
        own.sort(key=lambda pair: pair[1].name != ALL_DISGUISES)  # what sums the others up comes first
        rows = tuple(Row(tuple(_cells(each, measure, form)), each.label) for each, measure in own)
        heads = (
            *_HEAD,
            *(Column(key, title, kind, is_detail=key in _DETAILS) for key, (title, kind) in form.columns.items()),
        )
        if rows:
            n_in_text = _N_ATTACKS if form.section is Section.INJECTION else None
            yield Table(form.name, form.title, heads, rows, about=form.about, n_in_text=n_in_text)


def _cells(certificate: Certificate, measure: Measure, form: _Form) -> Iterator[Cell]:
    yield from (certificate.judge, measure.benchmark, measure.metric, measure.name, measure.n)
    for key in form.columns:
        yield measure.values[key]


def _gaps(issued: Issued) -> Table:
    gaps = dict.fromkeys(gap for each in issued.certificates for gap in each.unmeasured)
    columns = (Column("what", "What"), Column("why", "Why"))
    return Table("unmeasured", "What was not measured", columns, tuple(Row((gap.what, gap.why)) for gap in gaps))


def _notes(issued: Issued, panel: Panel) -> Iterator[str]:
    yield from issued.asked.notes
    answers = [a for by_suite in issued.asked.answers.values() for own in by_suite.values() for a in own]
    if panel.providers:
        yield from alias_notes([verdict for answer in answers for verdict in answer.verdicts], panel)
    for suite in issued.suites:
        if note := family_note(issued.asked.answers, suite.benchmark.author_family):
            yield f"{suite.benchmark.name}: {note}"
    for each in issued.certificates:
        for name, when in each.measured_at.items():
            yield f"{name} was not measured again: its numbers of {each.judge} are those of {numbers.moment(when)}."
    yield "Error is measured on planted defects of the built-in sample; elsewhere a judge may do better or worse."

"""Several judges together: medians and majorities measured as one judge's verdicts are, and where judges part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Any

from audit.certificates.asking import Answer
from audit.certificates.issuing import Issued, find_all_known, hear, measure_heard
from audit.metrics.measure import measure_all as measure_metrics
from audit.metrics.panel import measure_panel
from audit.records.certificate import Certificate
from audit.records.panel import PanelResult
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.records.verdict import Verdict
from audit.reports.labels import trust_label
from audit.stats.panel_size import effective_judges
from audit.stats.violations import majority_items
from audit.studies.ground import Ground, estimate, estimate_of

METRICS = ("desc_alignment", "policy_alignment", "violation_count")
"""Those with a value by task."""
_AGREEMENT = (
    Column("benchmark", "Benchmark"),
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("other", "Other"),
    Column("statistic", "Statistic"),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("value", "Value", ColumnKind.NUMBER),
)
_SCORES = (
    Column("benchmark", "Benchmark"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("family", "Family"),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("value", "Score", ColumnKind.NUMBER),
)
_PARTED = (
    Column("benchmark", "Benchmark"),
    Column("criterion", "Criterion"),
    Column("task", "Task"),
    Column("answers", "Answers, judge by judge"),
    Column("spread", "Apart", ColumnKind.NUMBER),
)
_EFFECTIVE = (
    Column("metric", "Metric"),
    Column("n_judges", "Judges", ColumnKind.COUNT),
    Column("n", "Values", ColumnKind.COUNT),
    Column("effective", "Worth", ColumnKind.NUMBER, unit="independent judges"),
)


def panel_name(judges: Sequence[str]) -> str:
    """Return what stands for a judge where a panel speaks."""
    return f"panel (median of {len(judges)})"


def panel_certificate(issued: Issued) -> Certificate:
    """Return what a panel's medians and majorities would be certified as; it is never kept, for it is no judge."""
    judges = list(issued.asked.answers)
    name = panel_name(judges)
    first = issued.certificates[0]
    by_suite = {
        suite: tuple(
            _join([issued.asked.answers[judge][suite][number] for judge in judges], name)
            for number in range(len(issued.asked.answers[judges[0]][suite]))
        )
        for suite in issued.asked.answers[judges[0]]
    }
    heard = hear(name, by_suite, key=issued.labels.key)
    known = find_all_known(heard[0])
    return replace(
        first,
        judge=name,
        models=(),
        label=_label(each.label for each in issued.certificates),
        measures=tuple(measure_heard(heard, known, labels=issued.labels)),
        screens=(),
        unmeasured=(),
        measured_at={},
        n_missing=max(each.n_missing for each in issued.certificates),
    )


def _join(answers: Sequence[Answer], name: str) -> Answer:
    """Return a panel's answer: what more than half of the judges have a verdict on."""
    quorum = len(answers) // 2 + 1
    together = zip(*(answer.verdicts for answer in answers), strict=True)
    return Answer(answers[0].probe, tuple(_median([*own], name, quorum=quorum) for own in together))


def _median(verdicts: Sequence[Verdict], name: str, *, quorum: int) -> Verdict:
    heard = [verdict for verdict in verdicts if verdict.is_ok]
    if len(heard) < quorum:
        absent = next((verdict for verdict in verdicts if not verdict.is_ok), verdicts[0])
        return replace(absent, judge=name)
    if heard[0].score is not None:
        return replace(heard[0], judge=name, score=median(each.score or 0.0 for each in heard))
    items = majority_items([frozenset(each.violated or ()) for each in heard])
    return replace(heard[0], judge=name, violated=tuple(sorted(items)))


def panel_tables(issued: Issued, ground: Ground) -> Iterator[Table]:
    """Yield scores of judges and panel, pairwise agreement, tasks where judges part, and the panel's worth."""
    results = {suite.benchmark.name: _measure(issued, place, ground) for place, suite in enumerate(issued.suites)}
    labels = {each.judge: each.label for each in issued.certificates}
    yield _scores(issued, results, ground)
    rows = [
        Row((name, each.criterion, *each.judges, each.statistic.value, each.n, _value(each.value, each.reason)),
            _label([labels[judge] for judge in each.judges]))
        for name, panel in results.items() for each in panel.agreements
    ]  # fmt: skip
    yield Table("panel-agreement", "Do the judges agree with each other?", _AGREEMENT, tuple(rows))
    yield _parted(results, labels)
    yield _effective(issued)


def _label(labels: Iterable[str]) -> str:
    """Return what must stand beside a number that rests on several judges."""
    return "; ".join(dict.fromkeys(label for label in labels if label))


def _value(value: float | None, reason: str) -> Estimate:
    return Estimate(value, reason=reason if value is None else "")


def _verdicts(issued: Issued, place: int) -> list[Verdict]:
    name = issued.suites[place].benchmark.name
    return [verdict for by_suite in issued.asked.answers.values() for verdict in by_suite[name][0].verdicts]


def _measure(issued: Issued, place: int, ground: Ground) -> PanelResult:
    return measure_panel(
        issued.suites[place].benchmark,
        _verdicts(issued, place),
        metrics=METRICS,
        judges=tuple(issued.asked.answers),
        seed=ground.settings.seed,
    )


def _scores(issued: Issued, results: dict[str, PanelResult], ground: Ground) -> Table:
    rows = []
    for place, (name, panel) in enumerate(results.items()):
        alone = measure_metrics(
            issued.suites[place].benchmark,
            _verdicts(issued, place),
            metrics=METRICS,
            judges=panel.judges,
            seed=ground.settings.seed,
        )
        for score in (*alone, *panel.scores):
            if score.is_applicable:
                family = panel.family_by_judge.get(score.judge) or ""
                told = f"{family} (wrote the benchmark)" if score.judge in panel.same_family else family
                cells = (name, score.metric, score.judge, told, score.n_used, estimate_of(score))
                rows.append(Row(cells, trust_label(score.trust)))
    about = "The panel's value on a task is the median of its judges; items are those that more than half of them name."
    return Table("panel-scores", "Scores of each judge and of the panel", _SCORES, tuple(rows), about=about)


def _parted(results: dict[str, PanelResult], labels: dict[str, str]) -> Table:
    rows = []
    for name, panel in results.items():
        for task in panel.parted:
            answers = "; ".join(
                f"{judge}: {', '.join(task.violated_by_judge[judge]) or 'none'}"
                if task.violated_by_judge
                else f"{judge}: {value:g}"
                for judge, value in task.value_by_judge.items()
            )
            rows.append(Row((name, task.criterion, task.task_id, answers, task.spread), _label(labels.values())))
    about = "Three points or more apart, or other items; the widest first within a criterion."
    return Table("panel-parted", "Tasks on which judges part", _PARTED, tuple(rows), about=about, n_in_text=10)


def _effective(issued: Issued) -> Table:
    """The judges' errors on tasks that are known: each value less the judge's mean over tasks of its kind."""
    heard = [hear(judge, by_suite, key=issued.labels.key)[0] for judge, by_suite in issued.asked.answers.items()]
    known = [find_all_known(each) for each in heard]
    rows = []
    for number, first in enumerate(known[0]):
        own = [each[number] for each in known]
        errors = _errors([each.sound for each in own], [each.flawed for each in own])
        rows.append(
            Row((first.metric, len(own), len(errors[0]), estimate(lambda errors=errors: effective_judges(errors))),  # type: ignore[misc]
                _label(each.label for each in issued.certificates))
        )  # fmt: skip
    about = (
        "How many judges of independent error would average out as much. Errors are values on the sample's sound tasks "
        "and on planted ones, each less the judge's own mean of that kind."
    )
    return Table("panel-worth", "How many judges is the panel worth?", _EFFECTIVE, tuple(rows), about=about)


def _errors(*kinds: Sequence[Mapping[Any, float]]) -> list[list[float]]:
    """Return a row a judge, over the tasks of each kind that all judges have a value on."""
    rows: list[list[float]] = [[] for _ in kinds[0]]
    for by_judge in kinds:
        shared = [key for key in by_judge[0] if all(key in own for own in by_judge)]
        for row, own in zip(rows, by_judge, strict=True):
            values = [own[key] for key in shared]
            row += [value - fmean(values) for value in values]
    return rows

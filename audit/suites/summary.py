"""A suite's results → what they say side by side, in the form that studies have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from audit.prompts.keys import benchmark_hash
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.study import Cell, Column, ColumnKind, Estimate, Row, StudyResult, StudySubject, Table
from audit.records.suite import Member, Suite
from audit.reports import numbers
from audit.reports.certificate_words import head_notes
from audit.reports.challenges import Challenges, all_challenges, policy_rules
from audit.reports.labels import metric_label, short_judges, trust_label
from audit.reports.score_rows import is_headline
from audit.stats.rarefaction import coverage_of_draws
from audit.suites.loading import Loaded, policy_groups

KIND = "suite"
SCORES = "scores"
"""The table of all members and judges."""
KS = (1, 3, 5)
"""Tasks that make an item covered, in the table of common sizes."""
COMMON = (
    "Coverage is a union over tasks and grows with their number. This is what as many tasks of each as the smallest "
    "has would cover on average."
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A member of a suite and what came of its run."""

    loaded: Loaded
    result: RunResult

    @property
    def member(self) -> Member:
        """The member."""
        return self.loaded.member


def summarise_suite(suite: Suite, scored: Sequence[Scored]) -> StudyResult:
    """Return the scores of a suite's members side by side, judge by judge.

    Violations and coverage compare only between members with one policy and one set of items; a note says so where
    there are several. Coverage at a common number of tasks is there where sizes differ.
    """
    first = scored[0].result
    groups = policy_groups(each.loaded for each in scored)
    return StudyResult(
        kind=KIND,
        title=suite.title or f"{numbers.plural(len(scored), 'benchmark')} side by side",
        summary=(_about(scored, groups),),
        settings={
            "judges": first.settings.judges,
            "metrics": first.settings.metrics,
            "trials": first.settings.trials,
            "seed": first.settings.seed,
            "tiers": suite.tiers,
        },
        tables=tuple(_tables(suite, scored, groups)),
        subjects=tuple(_subject(each) for each in scored),
        prompts=tuple(dict.fromkeys(prompt for each in scored for prompt in each.result.prompts)),
        notes=(
            *_not_scored(suite, scored),
            *_notes(scored, groups),
            *head_notes(each.result for each in scored),
        ),
        stops=tuple(
            f"{stop.judge}, on {each.member.name}: {stop.message}" for each in scored for stop in each.result.stops
        ),
        tool_version=first.tool_version,
        created_at=max(each.result.created_at for each in scored),
    )


def _about(scored: Sequence[Scored], groups: Sequence[Sequence[str]]) -> str:
    n_tasks = sum(len(each.result.benchmark.tasks) for each in scored)
    under = "under one policy" if len(groups) == 1 else f"under {len(groups)} policies"
    items = len(policy_rules(scored[0].result.benchmark)) if len(groups) == 1 else None
    with_items = "" if items is None else f" with {numbers.plural(items, 'item')}"
    benchmarks = numbers.plural(len(scored), "benchmark")
    return f"{benchmarks} {under}{with_items}, {numbers.plural(n_tasks, 'task')} in all."


def _subject(each: Scored) -> StudySubject:
    benchmark = each.result.benchmark
    return StudySubject(each.member.name, len(benchmark.tasks), benchmark_hash(benchmark), benchmark.version)


def _not_scored(suite: Suite, scored: Sequence[Scored]) -> Iterable[str]:
    done = {each.member.name for each in scored}
    left = [member.name for member in suite.members if member.name not in done]
    if left:
        yield f"Not scored, for the run was interrupted: {', '.join(left)}. The same command goes on there."


def _notes(scored: Sequence[Scored], groups: Sequence[Sequence[str]]) -> Iterable[str]:
    """Yield what every reader must see: where numbers do not compare, and the notes of the runs, each once."""
    if len(groups) > 1:
        parts = " | ".join(", ".join(names) for names in groups)
        yield f"Violations and coverage compare only between benchmarks with the same policy and items: {parts}."
    told: dict[str, list[str]] = {}
    for each in scored:
        for note in each.result.notes:
            told.setdefault(note, []).append(each.member.name)
    for note, names in told.items():
        yield note if len(names) == len(scored) else f"{', '.join(names)}: {note}"


def _tables(suite: Suite, scored: Sequence[Scored], groups: Sequence[Sequence[str]]) -> Iterable[Table]:
    judges = list(dict.fromkeys(score.judge for each in scored for score in _scores(each) if score.is_applicable))
    yield _score_table(suite, scored, judges)
    if any(each.result.checked is not None for each in scored):
        yield _finding_table(suite, scored)
    for number, group in enumerate(groups, 1):
        members = [each for each in scored if each.member.name in group]
        yield from _common(members, judges, name=f"coverage-{number}")


def _scores(each: Scored) -> tuple[Score, ...]:
    panel = each.result.panel
    return (*(panel.scores if panel is not None else ()), *each.result.scores)


def _start(suite: Suite, scored: Sequence[Scored]) -> tuple[tuple[Column, ...], list[tuple[Cell, ...]]]:
    """Return the columns that say which benchmark a row is about, and their cells for each; none that says nothing."""
    columns = [
        Column("benchmark", "Benchmark"),
        Column("tier", "Tier"),
        Column("domain", "Domain"),
        Column("author", "Written by"),
        Column("n_tasks", "Tasks", ColumnKind.COUNT),
    ]
    rows = [
        (
            each.member.name,
            each.member.tier or numbers.NONE,
            each.member.domain or numbers.NONE,
            each.member.generator or each.result.benchmark.author_family or numbers.NONE,
            len(each.result.benchmark.tasks),
        )
        for each in scored
    ]
    says = {
        "tier": bool(suite.tiers),
        "domain": len(suite.domains) > 1,
        "author": any(row[3] != numbers.NONE for row in rows),
    }
    kept = [place for place, column in enumerate(columns) if says.get(column.key, True)]
    return tuple(columns[place] for place in kept), [tuple(row[place] for place in kept) for row in rows]


def _score_table(suite: Suite, scored: Sequence[Scored], judges: Sequence[str]) -> Table:
    names, (columns, starts) = short_judges(judges), _start(suite, scored)
    cells = [
        (start, judge, _by_metric(each, judge)) for judge in judges for start, each in zip(starts, scored, strict=True)
    ]
    metrics = list(dict.fromkeys(metric for _, _, found in cells for metric in found))
    return Table(
        name=SCORES,
        title="Scores",
        columns=(
            *columns,
            Column("judge", "Judge", ColumnKind.JUDGE),
            *(Column(metric.replace("@", "_"), metric_label(metric).short, _kind(metric)) for metric in metrics),
            Column("n_missing", "Missing", ColumnKind.COUNT),
        ),
        rows=tuple(
            Row(
                (
                    *start,
                    names[judge] or numbers.NONE,
                    *(_estimate(found[metric]) for metric in metrics),
                    _n_missing(found),
                ),
                label=next((trust_label(score.trust) for score in found.values()), ""),
            )
            for start, judge, found in cells
        ),
    )


def _by_metric(each: Scored, judge: str) -> dict[str, Score]:
    """Return the scores by metric that a judge can give, coverage for one K alone."""
    scores = (score for score in _scores(each) if score.judge == judge)
    return {score.metric: score for score in scores if score.is_applicable and is_headline(score)}


def _kind(metric: str) -> ColumnKind:
    return ColumnKind.SHARE if metric_label(metric).is_share else ColumnKind.NUMBER


def _estimate(score: Score) -> Estimate:
    return Estimate(score.value, score.interval, score.reason or ("" if score.value is not None else "undefined"))


def _n_missing(found: dict[str, Score]) -> int:
    """Return the verdicts that are missing; metrics of one criterion are measured from the same."""
    return sum({metric_label(metric).criterion: found[metric].n_verdicts_missing for metric in found}.values())


def _finding_table(suite: Suite, scored: Sequence[Scored]) -> Table:
    severities = ("error", "warning", "note")
    columns, starts = _start(suite, scored)
    rows = []
    for start, each in zip(starts, scored, strict=True):
        checked = each.result.checked
        counts = [
            0 if checked is None else sum(finding.severity.value == severity for finding in checked.findings)
            for severity in severities
        ]
        rows.append(Row((*start, *counts)))
    return Table(
        name="findings",
        title="Findings that need no judge",
        columns=(*columns, *(Column(f"n_{name}", f"{name.title()}s", ColumnKind.COUNT) for name in severities)),
        rows=tuple(rows),
    )


def _common(members: Sequence[Scored], judges: Sequence[str], *, name: str) -> Iterable[Table]:
    """Yield coverage at the size of the smallest member, where members of one policy differ in size."""
    for number, judge in enumerate(judges, 1):
        found = [(each, _challenges(each, judge)) for each in members]
        sizes = [len(challenge.answered) for _, challenge in found if challenge is not None]
        if len(sizes) < len(members) or len(set(sizes)) < 2 or not policy_rules(members[0].result.benchmark):  # noqa: PLR2004  # to differ, it takes two
            continue
        size = min(sizes)
        yield Table(
            name=f"{name}-{number}",
            title=f"Coverage with {numbers.plural(size, 'task')} each, by {judge}",
            columns=(
                Column("benchmark", "Benchmark"),
                Column("n_judged", "Tasks judged", ColumnKind.COUNT),
                *(Column(f"coverage_{k}", f"Coverage @{k}", ColumnKind.SHARE) for k in KS),
            ),
            rows=tuple(
                Row(
                    (
                        each.member.name,
                        len(challenge.answered),
                        *(coverage_of_draws(_matrix(each, challenge), k=k, n_tasks=size) for k in KS),
                    ),
                    label=trust_label(challenge.trust),
                )
                for each, challenge in found
                if challenge is not None
            ),
            about=COMMON,
        )


def _challenges(each: Scored, judge: str) -> Challenges | None:
    return next((found for found in all_challenges(each.result) if found.judge == judge and found.answered), None)


def _matrix(each: Scored, challenge: Challenges) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    hits = [set(challenge.tasks_of(rule.item.id)) for rule in policy_rules(each.result.benchmark)]
    return np.array([[task_id in tasks for tasks in hits] for task_id in sorted(challenge.answered)], dtype=np.bool_)

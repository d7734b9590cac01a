"""Do judges agree with people, and as well as people agree with each other?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.records.comparison import Snapshot
from audit.records.rating import VIOLATIONS, Rating, RatingFile
from audit.records.study import (
    Axis,
    Column,
    ColumnKind,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    Setting,
    StudyResult,
    StudySubject,
    Table,
)
from audit.reports import numbers
from audit.reports.study_cells import p_value
from audit.stats.multiple import holm
from audit.stats.rank import (
    kendall_test,
    spearman_interval,
    spearman_test,
    stratified_kendall_test,
    tau_b_interval,
)
from audit.studies.agreement_distance import distance_table, item_table
from audit.studies.agreement_people import PEOPLE, ceiling_table, group_table, rating_table
from audit.studies.agreement_scatter import scatter_figures, scatter_table
from audit.studies.ground import estimate
from audit.studies.ratings import Pairing, Task, count_tiers, gather_people, judges_of, unheard

CORRELATION_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("metric", "Metric", is_detail=True),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("tau", "τ_b", ColumnKind.NUMBER),
    Column("p", "p", ColumnKind.P_VALUE),
    Column("method", "How p", is_detail=True),
    Column("p_holm", "p, Holm", ColumnKind.P_VALUE),
    Column("within", "τ_b within tiers", ColumnKind.NUMBER),
    Column("p_within", "p within", ColumnKind.P_VALUE, is_detail=True),
    Column("spearman", "Spearman", ColumnKind.NUMBER),
)
LEVEL = 0.05


def study_agreement(
    placed: Sequence[tuple[Task, Rating]],
    targets: Sequence[Snapshot],
    *,
    files: Sequence[RatingFile],
    seed: int = 0,
    settings: dict[str, Setting] | None = None,
) -> StudyResult:
    """Hold judges' verdicts against people's ratings, and people's against each other.

    Parameters
    ----------
    placed
        Ratings, each with the task that it is of; from :func:`audit.studies.ratings.place_ratings`.
    targets
        Benchmarks with their verdicts.
    files
        Where the ratings are from.

    Returns
    -------
    StudyResult
        Without the account of calls, prompts and time.
    """
    people = gather_people(placed)
    pairings = tuple(
        Pairing(each, judge, tuple(task for task in each.tasks if task in judge.values), seed)
        for each in people
        for judge in judges_of(targets, each.criterion)
    )
    correlation = correlation_table(pairings)
    groups = group_table(people, pairings, seed=seed)
    tables = (
        correlation,
        distance_table(pairings),
        item_table([each for each in pairings if each.people.criterion == VIOLATIONS]),
        groups,
        ceiling_table(people, seed=seed),
        rating_table(people, pairings),
        scatter_table(pairings),
    )
    labels = tuple(dict.fromkeys(each.label for each in people if each.label))
    return StudyResult(
        kind="agreement",
        title="Do the judges agree with people?",
        summary=tuple(_summary(correlation, groups)),
        settings={
            "ratings": tuple(file.path for file in files),
            "targets": tuple(target.label for target in targets),
            **(settings or {"seed": seed}),
        },
        tables=tuple(table for table in tables if table.rows),
        figures=(*_figures(correlation, groups), *scatter_figures(pairings)),
        subjects=tuple(
            StudySubject(file.path, len({each.task_id for each in file.ratings}), file.sha256) for file in files
        ),
        notes=tuple(unheard(people, targets)),
        more_labels=labels,
    )


def correlation_table(pairings: Sequence[Pairing]) -> Table:
    """Return how each judge orders tasks as people do, with the tests' family adjusted by Holm."""
    rows = [_correlation_row(pairing) for pairing in pairings]
    p_values = [cell.value for row in rows if isinstance(cell := row.cells[5], Estimate) and cell.value is not None]
    adjusted = iter(holm(p_values))
    final = tuple(_adjust(row, adjusted) for row in rows)
    about = (
        "A judge's value against the mean of the raters, task by task. Within tiers: only pairs of tasks of the same "
        "tier, or of the same benchmark where no tier is named; pooled values are high where tiers differ in level, "
        f"whoever tells their tasks apart. Holm: adjusted for the family of all {len(p_values)} tests of τ_b here."
    )
    return Table("correlation", "Do judges order tasks as people do?", CORRELATION_COLUMNS, final, about=about)


def _adjust(row: Row, adjusted: Iterator[float]) -> Row:
    p = row.cells[5]
    assert isinstance(p, Estimate)
    own = Estimate(None, reason=p.reason) if p.value is None else Estimate(next(adjusted))
    return replace(row, cells=(*row.cells[:7], own, *row.cells[7:]))


def _correlation_row(pairing: Pairing) -> Row:
    """Return a row that still lacks Holm's p."""
    said, reference, strata = pairing.said, pairing.reference, pairing.strata
    tau = estimate(
        lambda: kendall_test(said, reference).value,
        lambda: tau_b_interval(said, reference, rng=pairing.rng("tau")),
    )
    method = kendall_test(said, reference).method if tau.value is not None else ""
    if count_tiers(pairing.people, pairing.tasks) < 2:
        within = p_within = Estimate(None, reason="there are no two tiers with two rated tasks each")
    else:
        within = estimate(
            lambda: stratified_kendall_test(said, reference, strata=strata).value,
            lambda: tau_b_interval(said, reference, rng=pairing.rng("within"), strata=strata),
        )
        p_within = estimate(lambda: stratified_kendall_test(said, reference, strata=strata).p)
    cells = (
        pairing.people.criterion,
        pairing.judge.name,
        pairing.judge.metric,
        len(pairing.tasks),
        tau,
        estimate(lambda: kendall_test(said, reference).p),
        method,
        within,
        p_within,
        estimate(
            lambda: spearman_test(said, reference).value,
            lambda: spearman_interval(said, reference, rng=pairing.rng("spearman")),
        ),
    )
    return Row(cells, pairing.label)


def _summary(correlation: Table, groups: Table) -> Iterator[str]:
    ceilings = {str(row.cells[0]): row.cells[4] for row in groups.rows if row.cells[1] == PEOPLE}
    for row in correlation.rows:
        criterion, judge, _, n, tau, _, _, p_holm, within, *_ = row.cells
        who = f"{criterion}, {judge}{f' [{row.label}]' if row.label else ''}"
        if not isinstance(tau, Estimate) or tau.value is None:
            why = tau.reason if isinstance(tau, Estimate) else ""
            yield f"{who}: agreement is undefined ({why})."
            continue
        ends = f" ({numbers.interval(tau.interval)})" if tau.interval else ""
        told = f"τ_b {numbers.fixed(tau.value)}{ends} over {n} tasks"
        if isinstance(p_holm, Estimate) and p_holm.value is not None:
            told += f", p {p_value(p_holm.value)} after Holm"
        if isinstance(within, Estimate) and within.value is not None:
            told += f"; within tiers {numbers.fixed(within.value)}"
        ceiling = ceilings.get(str(criterion))
        if isinstance(ceiling, Estimate) and ceiling.value is not None:
            told += f"; people among themselves {numbers.fixed(ceiling.value)}"
        yield f"{who}: {told}."


def _figures(correlation: Table, groups: Table) -> Iterator[Figure]:
    criteria = tuple(dict.fromkeys(str(row.cells[0]) for row in correlation.rows))
    lines: dict[tuple[str, str], list[Point]] = {}
    for row in correlation.rows:
        tau = row.cells[4]
        assert isinstance(tau, Estimate)
        lines.setdefault((f"{row.cells[1]} ({row.cells[2]})", row.label), []).append(
            Point(criteria.index(str(row.cells[0])), tau)
        )
    for row in groups.rows:
        tau = row.cells[4]
        if row.cells[1] == PEOPLE and row.cells[0] in criteria and isinstance(tau, Estimate):
            place = criteria.index(str(row.cells[0]))
            lines.setdefault(("people among themselves", row.label), []).append(Point(place, tau))
    if lines:
        yield Figure(
            name="agreement",
            title="Agreement with people",
            kind=FigureKind.DOTS,
            x=Axis("Kendall's τ_b", low=-1.0, high=1.0),
            y=Axis("", categories=criteria),
            series=tuple(Series(name, tuple(points), label) for (name, label), points in lines.items()),
            table="correlation",
            reference=0.0,
        )

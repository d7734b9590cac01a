"""How far people agree among themselves, and judges among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean

import numpy as np

from audit.errors import UndefinedScoreError
from audit.metrics.measure import spawn_rng
from audit.records.rating import SCALES, VIOLATIONS, Rating
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.stats.agreement import exact_match_share, mean_absolute_difference
from audit.stats.bootstrap import mean_interval
from audit.stats.item_sets import f1_interval, match_sets
from audit.stats.kappa import kappa_interval, weighted_kappa
from audit.stats.panel_size import effective_judges
from audit.stats.rank import kendall_test, tau_b_interval
from audit.stats.reliability import Ratings, ac2_interval, alpha_interval, gwet_ac2, krippendorff_alpha
from audit.studies.ground import estimate
from audit.studies.ratings import Judge, Pairing, People, Task, join_labels

PEOPLE, JUDGES = "people", "judges"
PANEL = "panel ("
"""How the name of a panel begins, which is no judge of its own."""
GROUP_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("group", "Among"),
    Column("n_raters", "Raters", ColumnKind.COUNT),
    Column("n_tasks", "Rated twice", ColumnKind.COUNT),
    Column("tau", "Mean τ_b of pairs", ColumnKind.NUMBER),
    Column("alpha", "Krippendorff's α", ColumnKind.NUMBER),
    Column("ac2", "Gwet's AC2", ColumnKind.NUMBER),
    Column("effective", "Effective judges", ColumnKind.NUMBER),
)
CEILING_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("first", "Rater"),
    Column("second", "Rater"),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("tau", "τ_b", ColumnKind.NUMBER),
    Column("kappa", "κ quadratic", ColumnKind.NUMBER),
    Column("exact", "Exact match", ColumnKind.SHARE),
    Column("mae", "Mean distance", ColumnKind.NUMBER),
    Column("f1", "F1 of items", ColumnKind.SHARE),
)

Values = Mapping[str, Mapping[Task, float]]


def group_table(people: Sequence[People], pairings: Sequence[Pairing], *, seed: int) -> Table:
    """Return reliability among the raters, and among the judges, criterion by criterion."""
    rows = []
    for each in people:
        own = {rater: {task: rating.value for task, rating in given.items()} for rater, given in each.by_rater.items()}
        rows.append(_complete(_group_row(each, PEOPLE, own, label=each.label, seed=seed), _NO_REFERENCE))
        own_pairings = [pairing for pairing in pairings if pairing.people is each and pairing.is_on_scale]
        judges = [pairing.judge for pairing in own_pairings if not pairing.judge.name.startswith(PANEL)]
        if len(judges) > 1:
            label = join_labels(*(judge.label for judge in judges))
            values = {judge.name: judge.values for judge in judges}
            row = _group_row(each, JUDGES, values, label=label, seed=seed)
            rows.append(_complete(row, _effective(each, judges)))
    about = (
        "Ordinal α and AC2 take several raters and gaps; tasks with one rating say nothing on agreement. Effective "
        "judges: how many judges of independent error would average out as much, by their distances from the raters' "
        "mean."
    )
    return Table("groups", "How far do people agree among themselves, and judges?", GROUP_COLUMNS, tuple(rows), about)


def _complete(row: Row, effective: Estimate) -> Row:
    return replace(row, cells=(*row.cells, effective))


_NO_REFERENCE = Estimate(None, reason="people are the reference")


def _group_row(people: People, group: str, values: Values, *, label: str, seed: int) -> Row:
    """Return a row that still lacks the number of effective judges."""
    tasks = list(dict.fromkeys(task for own in values.values() for task in own))
    table: Ratings = [[own.get(task) for own in values.values()] for task in tasks]
    n_twice = sum(sum(cell is not None for cell in row) > 1 for row in table)
    scale = _categories(people.criterion, table)

    def rng(name: str) -> np.random.Generator:
        return spawn_rng(seed, metric=f"{people.criterion}\0{name}", judge=group)

    cells = (
        people.criterion,
        group,
        len(values),
        n_twice,
        estimate(lambda: _mean_tau(values)),
        estimate(lambda: krippendorff_alpha(table), lambda: alpha_interval(table, rng=rng("alpha"))),
        estimate(
            lambda: gwet_ac2(table, categories=scale), lambda: ac2_interval(table, categories=scale, rng=rng("ac2"))
        ),
    )
    return Row(cells, label)


def _categories(criterion: str, table: Ratings) -> list[float] | None:
    """Return the whole scale where the ratings are whole numbers of it; else only what occurs is known."""
    low, high = SCALES.get(criterion, (0.0, None))
    given = {cell for row in table for cell in row if cell is not None}
    if high is None or any(cell != int(cell) for cell in given):
        return None
    return [float(step) for step in range(int(low), int(high) + 1)]


def _mean_tau(values: Values) -> float:
    """Return the mean over the pairs of raters for whom it is defined."""
    taus, problem = [], "one rater; agreement needs two"
    for first, second in combinations(values.values(), 2):
        shared = [task for task in first if task in second]
        try:
            taus.append(kendall_test([first[task] for task in shared], [second[task] for task in shared]).value)
        except UndefinedScoreError as error:
            problem = error.what
    if not taus:
        raise UndefinedScoreError(problem)
    return fmean(taus)


def _effective(people: People, judges: Sequence[Judge]) -> Estimate:
    shared = [task for task in people.tasks if all(task in judge.values for judge in judges)]
    return estimate(
        lambda: effective_judges([[judge.values[task] - people.mean(task) for task in shared] for judge in judges])
    )


def ceiling_table(people: Sequence[People], *, seed: int) -> Table:
    """Return the agreement of each pair of raters: what a judge can at best be asked for."""
    rows = tuple(_ceiling_row(each, pair, seed) for each in people for pair in combinations(each.by_rater, 2))
    about = "Each pair of raters, on the tasks that both rated."
    return Table("raters", "Agreement of each pair of raters", CEILING_COLUMNS, rows, about=about, n_in_text=15)


def _ceiling_row(people: People, pair: tuple[str, str], seed: int) -> Row:
    own, other = (people.by_rater[rater] for rater in pair)
    shared = [task for task in own if task in other]
    a, b = [own[task].value for task in shared], [other[task].value for task in shared]

    def rng(name: str) -> np.random.Generator:
        return spawn_rng(seed, metric=f"{people.criterion}\0{name}", judge="\0".join(pair))

    f1 = Estimate(None, reason="only ratings of violated items are sets")
    if people.criterion == VIOLATIONS:
        sets = (_sets_of(own, shared), _sets_of(other, shared))
        f1 = estimate(lambda: match_sets(*sets).f1, lambda: f1_interval(*sets, rng=rng("f1")))
    cells = (
        people.criterion,
        *pair,
        len(shared),
        estimate(lambda: kendall_test(a, b).value, lambda: tau_b_interval(a, b, rng=rng("tau"))),
        estimate(lambda: weighted_kappa(a, b), lambda: kappa_interval(a, b, rng=rng("kappa"))),
        estimate(
            lambda: exact_match_share(a, b),
            lambda: mean_interval([float(x == y) for x, y in zip(a, b, strict=True)], rng=rng("exact")),
        ),
        estimate(
            lambda: mean_absolute_difference(a, b),
            lambda: mean_interval([abs(x - y) for x, y in zip(a, b, strict=True)], rng=rng("mae")),
        ),
        f1,
    )
    return Row(cells, people.label)


def _sets_of(own: Mapping[Task, Rating], tasks: Sequence[Task]) -> list[frozenset[str]]:
    return [frozenset(own[task].items or ()) for task in tasks]


def rating_table(people: Sequence[People], pairings: Sequence[Pairing]) -> Table:
    """Return every rated task with what raters and judges say of it."""
    columns = (
        Column("criterion", "Criterion"),
        Column("benchmark", "Benchmark"),
        Column("task", "Task"),
        Column("tier", "Tier"),
        Column("voice", "Voice", ColumnKind.JUDGE),
        Column("value", "Value", ColumnKind.NUMBER),
    )
    rows = []
    for each in people:
        own = [pairing for pairing in pairings if pairing.people is each]
        for task in each.tasks:
            head = (each.criterion, *task, each.tiers[task])
            rows += [Row((*head, rating.rater, rating.value), each.label) for rating in each.given(task)]
            for pairing in own:
                if task in pairing.judge.values:
                    voice = f"{pairing.judge.name} ({pairing.judge.metric})"
                    rows.append(Row((*head, voice, pairing.judge.values[task]), pairing.judge.label))
    return Table("ratings", "Every rating and verdict", columns, tuple(rows), n_in_text=0)

"""How far judges' values and sets lie from people's."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from audit.errors import UndefinedScoreError
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.stats.agreement import MIN_TASKS, exact_match_share, mean_jaccard
from audit.stats.bootstrap import mean_interval
from audit.stats.item_sets import (
    f1_interval,
    jaccard_interval,
    match_sets,
    precision_interval,
    recall_interval,
)
from audit.stats.kappa import LINEAR, QUADRATIC, kappa_interval, weighted_kappa
from audit.studies.ground import estimate
from audit.studies.ratings import Pairing

DISTANCE_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("exact", "Exact match", ColumnKind.SHARE),
    Column("mae", "Mean distance", ColumnKind.NUMBER),
    Column("bias", "Bias", ColumnKind.NUMBER),
    Column("kappa_linear", "κ linear", ColumnKind.NUMBER),
    Column("kappa_quadratic", "κ quadratic", ColumnKind.NUMBER),
    Column("mean_judge", "Judge's mean", ColumnKind.NUMBER, is_detail=True),
    Column("mean_people", "People's mean", ColumnKind.NUMBER, is_detail=True),
)
ITEM_COLUMNS = (
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n", "Tasks", ColumnKind.COUNT),
    Column("precision", "Precision", ColumnKind.SHARE),
    Column("recall", "Recall", ColumnKind.SHARE),
    Column("f1", "F1", ColumnKind.SHARE),
    Column("jaccard", "Jaccard", ColumnKind.SHARE),
    Column("exact", "Same set", ColumnKind.SHARE),
)
_SAME = 1e-9


def distance_table(pairings: Sequence[Pairing]) -> Table:
    """Return how often a judge gives people's very rating, and how far off it is; for judges on the raters' scale."""
    about = (
        "Exact match and mean distance are averaged over a task's raters; bias is the judge's value less their mean, "
        "positive where the judge is kinder. κ: against their mean."
    )
    own = [each for each in pairings if each.is_on_scale]
    return Table("distance", "How far are judges from people?", DISTANCE_COLUMNS, tuple(map(_row, own)), about=about)


def _row(pairing: Pairing) -> Row:
    said, reference = pairing.said, pairing.reference
    given = [[rating.value for rating in pairing.people.given(task)] for task in pairing.tasks]
    exact = [fmean(abs(value - own) <= _SAME for value in values) for own, values in zip(said, given, strict=True)]
    apart = [fmean(abs(value - own) for value in values) for own, values in zip(said, given, strict=True)]
    bias = [own - mean for own, mean in zip(said, reference, strict=True)]
    cells = (
        pairing.people.criterion,
        pairing.judge.name,
        len(pairing.tasks),
        _mean(pairing, exact, "exact"),
        _mean(pairing, apart, "mae"),
        _mean(pairing, bias, "bias"),
        _kappa(pairing, LINEAR),
        _kappa(pairing, QUADRATIC),
        _mean(pairing, said, "judge"),
        _mean(pairing, reference, "people"),
    )
    return Row(cells, pairing.label)


def _kappa(pairing: Pairing, power: int) -> Estimate:
    said, reference = pairing.said, pairing.reference
    return estimate(
        lambda: weighted_kappa(said, reference, power=power),
        lambda: kappa_interval(said, reference, power=power, rng=pairing.rng(f"kappa{power}")),
    )


def _mean(pairing: Pairing, values: Sequence[float], name: str) -> Estimate:
    def mean() -> float:
        if len(values) < MIN_TASKS:
            raise UndefinedScoreError(f"{len(values)} tasks rated by both; agreement needs {MIN_TASKS}")
        return fmean(values)

    return estimate(mean, lambda: mean_interval(values, rng=pairing.rng(name)))


def item_table(pairings: Sequence[Pairing]) -> Table:
    """Return how well a judge's violated items match those that more than half of the raters name."""
    about = (
        "Items summed over tasks; the reference is what more than half of a task's raters name. Jaccard: mean over "
        "tasks."
    )
    rows = tuple(_item_row(each) for each in pairings if each.judge.items)
    return Table("items", "Do judges name the items that people name?", ITEM_COLUMNS, rows, about=about)


def _item_row(pairing: Pairing) -> Row:
    tasks = [task for task in pairing.tasks if task in pairing.judge.items]
    said = [pairing.judge.items[task] for task in tasks]
    reference = [pairing.people.majority(task) for task in tasks]
    same = [float(own == other) for own, other in zip(said, reference, strict=True)]
    cells = (
        pairing.judge.name,
        len(tasks),
        estimate(
            lambda: match_sets(said, reference).precision,
            lambda: precision_interval(said, reference, rng=pairing.rng("precision")),
        ),
        estimate(
            lambda: match_sets(said, reference).recall,
            lambda: recall_interval(said, reference, rng=pairing.rng("recall")),
        ),
        estimate(lambda: match_sets(said, reference).f1, lambda: f1_interval(said, reference, rng=pairing.rng("f1"))),
        estimate(
            lambda: mean_jaccard(said, reference),
            lambda: jaccard_interval(said, reference, rng=pairing.rng("jaccard")),
        ),
        estimate(lambda: exact_match_share(said, reference), lambda: mean_interval(same, rng=pairing.rng("same"))),
    )
    return Row(cells, pairing.label)

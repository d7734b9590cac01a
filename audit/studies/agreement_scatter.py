"""Each judge's values against people's, task by task, ties counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from audit.records.rating import VIOLATIONS
from audit.records.study import Axis, Column, ColumnKind, Estimate, Figure, FigureKind, Point, Row, Series, Table
from audit.studies.ground import slug
from audit.studies.ratings import Pairing

SCATTER = "scatter"
_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("metric", "Metric", is_detail=True),
    Column("people", "People, mean", ColumnKind.NUMBER),
    Column("said", "Judge's value", ColumnKind.NUMBER),
    Column("n", "Tasks", ColumnKind.COUNT),
)


def count_ties(pairing: Pairing) -> dict[tuple[float, float], int]:
    """Return how many tasks have which mean of people and which value of the judge, the lowest first."""
    return dict(sorted(Counter(zip(pairing.reference, pairing.said, strict=True)).items()))


def scatter_table(pairings: Sequence[Pairing]) -> Table:
    """Return the points of every scatter plot with the tasks that are tied there."""
    rows = tuple(
        Row((each.people.criterion, each.judge.name, each.judge.metric, people, said, n), each.label)
        for each in pairings
        for (people, said), n in count_ties(each).items()
    )
    about = "Tasks to which people and a judge give the same pair of values stand at one point."
    return Table(SCATTER, "Judges against people, task by task", _COLUMNS, rows, about, n_in_text=0)


def scatter_figures(pairings: Sequence[Pairing]) -> Iterator[Figure]:
    """Yield a scatter plot for each judge and criterion."""
    names: Counter[str] = Counter()
    for each in pairings:
        points = tuple(Point(people, Estimate(said), n) for (people, said), n in count_ties(each).items())
        if not points:
            continue
        name = f"scatter-{slug(each.people.criterion)}"
        names[name] += 1
        low, high = _ends(each)
        yield Figure(
            name=name if names[name] == 1 else f"{name}-{names[name]}",
            title=f"{each.people.criterion}: {each.judge.name}",
            kind=FigureKind.SCATTER,
            x=Axis("mean of people", low=low, high=high),
            y=Axis(each.judge.metric, low=low, high=high) if each.is_on_scale else Axis(each.judge.metric),
            series=(Series(each.judge.name, points, each.label),),
            table=SCATTER,
        )


def _ends(pairing: Pairing) -> tuple[float, float]:
    if pairing.people.criterion != VIOLATIONS:
        return 1.0, 10.0
    values = [*pairing.reference, *(pairing.said if pairing.is_on_scale else ())]
    return 0.0, max(3.0, *values)

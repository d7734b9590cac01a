"""More than two sides: a table of metrics, and each side against the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase

from audit.compare.scores import Pair, chance, pair_scores
from audit.compare.sides import compare, side_notes
from audit.records.comparison import Comparison, Snapshot
from audit.records.lineup import Lineup, LineupCell, LineupRow, SideChange
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.stats.multiple import holm

MOST_SIDES = 12
"""Beyond it a table is read by nobody, and a difference is found by chance in some place."""


def line_up(sides: Sequence[Snapshot], *, baseline: int = 0, seed: int = 0) -> Lineup:
    """Return what changed from the baseline to each other side.

    Parameters
    ----------
    sides
        From 2 to :data:`MOST_SIDES`.
    baseline
        Which of them the others are held against, from 0.
    seed
        Of the bootstrap over tasks.

    Notes
    -----
    Scores are matched by metric and judge. Where every side has one judge of a metric, and not all the same one, they
    take each other's place: the differences are then between judges. Every difference that has three tasks or more is
    tested, and the p-values are adjusted by Holm for all of them together.
    """
    names = tuple(ascii_uppercase[: len(sides)])
    against = [
        None if place == baseline else compare(sides[baseline], side, seed=seed, names=(names[baseline], names[place]))
        for place, side in enumerate(sides)
    ]
    pairs = [
        Pair(sides[baseline], side, (names[baseline], name), seed) for name, side in zip(names, sides, strict=True)
    ]
    rows = _adjusted([_row(scores, pairs, baseline=baseline) for scores in _matched(sides, baseline)])
    tested = [cell for row in rows for cell in row.cells if cell.change is not None and cell.change.p is not None]
    return Lineup(
        sides=tuple(sides),
        names=names,
        baseline=baseline,
        comparisons=tuple(against),
        rows=tuple(rows),
        n_tests=len(tested),
        notes=tuple(dict.fromkeys(_notes(sides, names, against, rows=rows))),
    )


def _matched(sides: Sequence[Snapshot], baseline: int) -> Iterator[tuple[Score | None, ...]]:
    """Yield the scores of each row, one a side, the baseline's metrics and judges first."""
    ordered = [sides[baseline], *sides]
    for metric in dict.fromkeys(score.metric for side in ordered for score in side.scores):
        own = [[score for score in side.scores if score.metric == metric] for side in sides]
        judges = dict.fromkeys(score.judge for scores in (own[baseline], *own) for score in scores)
        if len(judges) > 1 and all(len(scores) <= 1 for scores in own):
            yield tuple(scores[0] if scores else None for scores in own)
            continue
        for judge in judges:
            yield tuple(next((score for score in scores if score.judge == judge), None) for scores in own)


def _row(scores: Sequence[Score | None], pairs: Sequence[Pair], *, baseline: int) -> LineupRow:
    present = [score for score in scores if score is not None]
    judges = {score.judge for score in present}
    cells = [
        LineupCell(score, None if place == baseline else _change(pairs[place], scores[baseline], score))
        for place, score in enumerate(scores)
    ]
    trust = next((each for each in (Trust.SCRIPTED, Trust.OFFLINE) if each in {score.trust for score in present}), None)
    judge = present[0].judge if len(judges) == 1 else ""
    return LineupRow(present[0].metric, judge, trust or Trust.MODEL, tuple(cells))


def _change(pair: Pair, before: Score | None, after: Score | None) -> SideChange | None:
    if before is None or after is None:
        return None
    change = pair_scores(pair, before, after=after)
    return SideChange(change, None if change.difference is None else chance(pair, before, after=after))


def _adjusted(rows: Sequence[LineupRow]) -> list[LineupRow]:
    tested = [cell.change.p for row in rows for cell in row.cells if cell.change and cell.change.p is not None]
    adjusted = iter(holm(tested))
    return [replace(row, cells=tuple(_with_holm(cell, adjusted) for cell in row.cells)) for row in rows]


def _with_holm(cell: LineupCell, adjusted: Iterator[float]) -> LineupCell:
    if cell.change is None or cell.change.p is None:
        return cell
    return replace(cell, change=replace(cell.change, p_holm=next(adjusted)))


def _notes(
    sides: Sequence[Snapshot],
    names: Sequence[str],
    against: Sequence[Comparison | None],
    *,
    rows: Sequence[LineupRow],
) -> Iterator[str]:
    if across := [row.metric for row in rows if row.is_across_judges]:
        listed = ", ".join(across)
        yield f"Each side has a judge of its own, so that these differences are between judges: {listed}."
    base = against.index(None)
    if len({side.benchmark for side in sides}) > 1:
        told = ", ".join(f"{name} {side.benchmark}" for name, side in zip(names, sides, strict=True))
        yield f"Not every side is of the same benchmark ({told}); tasks are matched by id."
    for name, comparison in zip(names, against, strict=True):
        if comparison is not None and len(comparison.added) == len(comparison.new.tasks):
            yield f"{name} shares no task with {names[base]}: {_apart(comparison)}"
    for name, side in zip(names, sides, strict=True):
        yield from side_notes(side, name=name)
    for comparison in against:
        if comparison is not None and len(comparison.added) < len(comparison.new.tasks):
            yield from comparison.notes[_n_name_notes(comparison) :]


def _apart(comparison: Comparison) -> str:
    alone = "nothing is paired, and its values stand for themselves."
    if not comparison.old.tasks.keys() & comparison.new.tasks.keys():
        return alone
    return f"the ids that both have name other tasks. So {alone} If they are versions, give both one name."


def _n_name_notes(comparison: Comparison) -> int:
    """How many notes of a comparison say what is told here of all sides together."""
    return int(comparison.old.benchmark != comparison.new.benchmark)

"""Which tasks' scores moved most between two runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.records.comparison import Comparison, ScoreChange
from audit.records.verdict import Trust


@dataclass(frozen=True, slots=True)
class Move:
    """One task's value on both sides."""

    task_id: str
    metric: str
    judge: str
    trust: Trust
    old: float
    new: float
    difference: float


def moves(comparison: Comparison) -> tuple[Move, ...]:
    """Return every task whose value moved, of the scores that can be compared, metric by metric, the widest first."""
    found: list[Move] = []
    for change in comparison.scores:
        if change.difference is not None:
            found += sorted(_moves(comparison, change), key=lambda move: (-abs(move.difference), move.task_id))
    return tuple(found)


def _moves(comparison: Comparison, change: ScoreChange) -> Iterator[Move]:
    key = (change.metric, change.judge)
    sides = [
        next(score.by_task for score in side.scores if (score.metric, score.judge) == key)
        for side in (comparison.old, comparison.new)
    ]
    for task_id, old in sides[0].items():
        if task_id in sides[1] and sides[1][task_id] != old:
            new = sides[1][task_id]
            yield Move(task_id, *key, change.trust, old, new, new - old)

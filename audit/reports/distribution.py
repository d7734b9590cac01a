"""A score's values by task, counted into bins."""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit.records.score import Score
from audit.reports import numbers
from audit.reports.ranking import band_of, is_ten_point


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar: its centre, its label and how many tasks fall into it."""

    centre: float
    label: str
    n_tasks: int
    band: str


@dataclass(frozen=True, slots=True)
class Distribution:
    """All bars of one score; ``width`` is a bar's width on the value axis."""

    bins: tuple[Bin, ...]
    width: float
    is_rounded: bool
    """Whether some values are no whole numbers (means over trials) and were counted at the nearest one."""


def distribute(score: Score) -> Distribution | None:
    """Count the tasks by value; ``None`` for scores that have no values by task."""
    if not score.by_task or score.value is None:
        return None
    return _in_tenths(score) if score.scale == (0, 1) else _in_wholes(score)


def _in_tenths(score: Score) -> Distribution:
    counts = [0] * 10
    for value in score.by_task.values():
        counts[min(9, max(0, math.floor(value * 10)))] += 1
    bins = tuple(
        Bin((tenth + 0.5) / 10, f"{numbers.fixed(tenth / 10, 1)} to {numbers.fixed((tenth + 1) / 10, 1)}", n, "high")
        for tenth, n in enumerate(counts)
    )
    return Distribution(bins, 0.1, is_rounded=False)


def _in_wholes(score: Score) -> Distribution:
    low, high = score.scale
    values = list(score.by_task.values())
    first, last = math.floor(low), math.ceil(high if high is not None else max(3, *values))
    counts = dict.fromkeys(range(first, last + 1), 0)
    for value in values:
        counts[min(last, max(first, math.floor(value + 0.5)))] += 1
    ten = is_ten_point(score.metric)
    bins = tuple(Bin(whole, str(whole), n, band_of(whole) if ten else "high") for whole, n in counts.items())
    return Distribution(bins, 1.0, is_rounded=any(value != math.floor(value) for value in values))

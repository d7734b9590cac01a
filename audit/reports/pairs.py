"""The scores of each pair of judges against each other, ties counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from audit.records.panel import PanelResult
from audit.reports.ranking import is_ten_point


@dataclass(frozen=True, slots=True)
class ScorePair:
    """How many tasks two judges give which pair of scores, means over trials counted as they are."""

    criterion: str
    judges: tuple[str, str]
    n_tasks: Mapping[tuple[float, float], int]


def score_pairs(panel: PanelResult) -> tuple[ScorePair, ...]:
    """Return every pair of judges on each criterion of 1 to 10 on which they share a task, low scores first."""
    made = []
    for criterion in dict.fromkeys(task.criterion for task in panel.tasks if is_ten_point(task.criterion)):
        for one, other in combinations(panel.judges, 2):
            counts = Counter(
                (task.value_by_judge[one], task.value_by_judge[other])
                for task in panel.tasks
                if task.criterion == criterion and {one, other} <= task.value_by_judge.keys()
            )
            if counts:
                made.append(ScorePair(criterion, (one, other), dict(sorted(counts.items()))))
    return tuple(made)

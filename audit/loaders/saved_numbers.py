"""What the numbers of a saved run or study may be, so that anything can be drawn from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from audit.records.panel import PanelResult
from audit.records.score import Score

_MOST = 1e15
"""No number that we measure comes near it: tokens, dollars, seconds, scores."""
_MOST_OF_A_TASK = 10_000
"""Policy items that a task may violate."""
_OWN_SIZE = frozenset({"material", "seed"})
"""The benchmark's own values, and what may be any number."""


class SavedPart(BaseModel):
    """A part of a saved run or study, whose numbers are finite; what later versions add to it is left aside."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


def find_excess(value: object, place: str = "") -> str:
    """Return where a number stands that is too great for any run of ours; empty where none does.

    Examples
    --------
    >>> find_excess({"scores": [{"value": 3.5}, {"value": 1e300}]})
    'scores.1.value'
    """
    if isinstance(value, int | float):
        return "" if abs(value) <= _MOST else place or "it"
    for key, each in _members(value):
        if found := find_excess(each, f"{place}.{key}" if place else key):
            return found
    return ""


def _members(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        return ((key, each) for key, each in value.items() if key not in _OWN_SIZE)
    if isinstance(value, list):
        return ((str(at), each) for at, each in enumerate(value))
    return iter(())


def score_fault(scores: Sequence[Score]) -> str:
    """Return what is wrong with the values of scores; empty where nothing is."""
    for score in scores:
        low, high = score.scale
        if (high is not None and high <= low) or max(abs(low), abs(high or 0)) > _MOST_OF_A_TASK:
            return f"{score.metric} by {score.judge} has the scale {low:g} to {high}"
        most = _MOST_OF_A_TASK if high is None else high
        for task_id, value in score.by_task.items():
            if not low <= value <= most:
                return f"task {task_id} has {value:g} on {score.metric}, which is off its scale"
    return ""


def panel_fault(panel: PanelResult) -> str:
    """Return what is wrong with a panel: judges that are none of its own; empty where nothing is."""
    named = {judge for each in panel.agreements for judge in each.judges}
    named.update(judge for task in panel.tasks for judge in task.value_by_judge)
    strangers = sorted(named - set(panel.judges))
    return f"its panel has no judge {strangers[0]}" if strangers else ""

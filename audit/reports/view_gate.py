"""What a gate says, as strings for the template."""

from __future__ import annotations

from dataclasses import dataclass

from audit.records.gate import GRAVITY, GateResult, Level
from audit.reports.gate_words import TITLES, name_of, summary_of, why_of
from audit.reports.visible import line


@dataclass(frozen=True, slots=True)
class CriterionView:
    """One thing that the gate looked at."""

    level: str
    title: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class GateView:
    """The gate's result: what is not passed, then what is."""

    level: str
    title: str
    sentence: str
    open: tuple[CriterionView, ...]
    passed: tuple[CriterionView, ...]
    notes: tuple[str, ...]


def gate_view(result: GateResult) -> GateView:
    """Return the part of the page that shows the gate."""
    ordered = sorted(result.criteria, key=lambda criterion: GRAVITY.index(criterion.level))
    views = [
        CriterionView(one.level.value, TITLES[one.level], name_of(one), line(why_of(one), limit=600)) for one in ordered
    ]
    return GateView(
        level=result.level.value,
        title=TITLES[result.level],
        sentence=f"{summary_of(result)}; waivers as of {result.today}",
        open=tuple(view for view in views if view.level != Level.PASS.value),
        passed=tuple(view for view in views if view.level == Level.PASS.value),
        notes=tuple(line(note, limit=600) for note in result.notes),
    )

"""How far a plan bears out a tag."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Support(StrEnum):
    """How far a plan bears out a tag."""

    FOUND = "found"
    REFERENCES_ONLY = "only if texts for later results count"
    EXECUTED_ONLY = "only in calls that have run"
    UNNAMED_ONLY = "only if values without names count"
    UNDECIDED = "undecided"
    UNLIKELY = "unlikely"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for or against a tag, as one clause, and the field where it stands."""

    support: Support
    why: str = ""
    field: str = "plan"


UNDECIDED = Evidence(Support.UNDECIDED)


def found(why: str, field: str = "plan") -> Evidence:
    """Return evidence for a tag."""
    return Evidence(Support.FOUND, why, field)


def against(why: str, field: str = "plan", *, is_proved: bool = True) -> Evidence:
    """Return evidence against a tag."""
    return Evidence(Support.CONTRADICTED if is_proved else Support.UNLIKELY, why, field)

"""Groups of judges' reasons: a codebook, and what a reviewer made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CodeOrigin(StrEnum):
    """Where a group comes from."""

    START = "start"
    """The codebook that a study begins with."""
    FOUND = "found"
    """Reasons that fit no other group and are like each other."""
    REVIEWED = "codebook"
    """A file that somebody has gone through, or could have."""


@dataclass(frozen=True, slots=True)
class Code:
    """A group of reasons.

    Parameters
    ----------
    id
        Lower case letters, digits and hyphens; stays when the name changes.
    about
        What belongs in it; its words draw reasons that nobody has placed.
    named_by
        The model that named it; empty where nobody did, or a person.
    """

    id: str
    name: str
    about: str = ""
    origin: CodeOrigin = CodeOrigin.START
    named_by: str = ""


@dataclass(frozen=True, slots=True)
class LowReason:
    """One reason of a low score, untrusted text."""

    text: str
    task_id: str
    judge: str
    criterion: str
    score: float | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A reason and the group that it is in."""

    reason: LowReason
    code: str


@dataclass(frozen=True, slots=True)
class Codebook:
    """Groups, and the reasons that stand in them for good."""

    codes: tuple[Code, ...]
    placed: tuple[Placed, ...] = ()

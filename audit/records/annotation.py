"""Sheets on which people rate tasks, and what they wrote there."""

from __future__ import annotations

from dataclasses import dataclass

VIOLATIONS = "policy_violations"
"""The question whose answers are sets of items; the others are answered on a scale."""
SCALE = tuple(range(1, 11))
ADJUDICATED = "adjudicated"
"""The rater of what was settled."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One labelled text of a task, with what is unseen in it written out."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetItem:
    """A policy item that can be ticked."""

    id: str
    title: str
    quote: str


@dataclass(frozen=True, slots=True)
class SheetPolicy:
    """A policy document as judges see it, items marked."""

    name: str
    text: str
    items: tuple[SheetItem, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of a sheet.

    Parameters
    ----------
    rubric
        Markdown: the words of the judge's own prompt.
    sees
        The blocks that a judge of this criterion sees, and that the answer has to rest on.
    """

    criterion: str
    title: str
    rubric: str
    sees: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetTask:
    """A task under a code that tells nothing.

    Parameters
    ----------
    code
        Such as ``T07``; unique in its sheet.
    criteria
        The questions that can be put about it.
    policy
        Number of its policy in the sheet.
    given
        Criterion and what raters answered before, as texts; for sheets that settle a disagreement.
    """

    code: str
    task_id: str
    criteria: tuple[str, ...]
    description: tuple[Piece, ...]
    behavior: tuple[Piece, ...]
    rows: tuple[Piece, ...]
    policy: int = 0
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Stratum:
    """A group of like tasks, and how many of them were drawn."""

    name: str
    n_available: int
    n_drawn: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """What raters are asked.

    Parameters
    ----------
    id
        Hash of what it asks; stands in every answer.
    tasks
        In the order in which they were drawn; a rater's copy has an order of its own.
    raters
        For whom copies were made; empty where it was left open.
    """

    id: str
    benchmark: str
    benchmark_sha256: str
    asks: tuple[Ask, ...]
    policies: tuple[SheetPolicy, ...]
    tasks: tuple[SheetTask, ...]
    seed: int
    strata: tuple[Stratum, ...] = ()
    raters: tuple[str, ...] = ()
    stratified_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One rater's answer to one question, and where it was read."""

    task_id: str
    rater: str
    criterion: str
    value: str
    comment: str
    benchmark: str
    where: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A question that raters answered differently.

    Parameters
    ----------
    answers
        Rater and answer, as text.
    gap
        In [0, 1]: the range of scores as a share of the scale, or one minus the mean Jaccard similarity of the sets.
    """

    benchmark: str
    task_id: str
    criterion: str
    answers: tuple[tuple[str, str], ...]
    gap: float

"""Verdicts that were frozen, to be held against those of another day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrozenVerdict:
    """A verdict as far as a drift needs it."""

    judge: str
    criterion: str
    task_id: str
    trial: int
    score: float | None
    violated: tuple[str, ...] | None
    model: str
    prompt_hash: str
    asked_at: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """The verdicts of one run that are there.

    Parameters
    ----------
    tasks
        Task id to a digest of what the judges were shown of it: a task that changed since is not compared.
    where
        The file, for messages.
    """

    benchmark: str
    created_at: str
    tasks: Mapping[str, str]
    verdicts: tuple[FrozenVerdict, ...]
    where: str = ""

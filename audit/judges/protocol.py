"""The seam to criteria: a judge renders a prompt for a task and reads a verdict out of a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import PartKind, Task


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a readable reply says: a score or violated ids, and the reasons."""

    score: float | None
    violated: tuple[str, ...] | None
    reasons: tuple[str, ...]


class Judge(Protocol):
    """One criterion."""

    criterion: str

    def undefined_reason(self, task: Task, policy: Policy) -> str:
        """Return why the question can't be put for ``task``, or an empty string."""
        ...

    def prompt(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> Prompt:
        """Render the question; the prefix is byte-identical over the tasks of one policy."""
        ...

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:
        """Read a complete reply's text; raise :class:`audit.errors.UnreadableReplyError` if it holds no verdict."""
        ...

"""The seams of judging: a criterion renders a prompt and reads a reply; a store keeps verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from audit.prompts.render import Segment
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import PartKind, Task
from audit.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a readable reply says: a score or violated ids, and the reasons."""

    score: float | None
    violated: tuple[str, ...] | None
    reasons: tuple[str, ...]


class Judge(Protocol):
    """One criterion."""

    @property
    def criterion(self) -> str:
        """Its name, such as ``desc_alignment``."""
        ...

    def undefined_reason(self, task: Task, policy: Policy, *, behavior: frozenset[PartKind]) -> str:
        """Return why the question can't be put for ``task``, or an empty string."""
        ...

    def segments(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> tuple[Segment, ...]:
        """Return what the judge sees, piece by piece with origins; joined, it is the prompt."""
        ...

    def prompt(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> Prompt:
        """Render the question; the prefix is byte-identical over the tasks of one policy."""
        ...

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:
        """Read a complete reply's text; raise :class:`audit.errors.UnreadableReplyError` if it holds no verdict."""
        ...


class VerdictStore(Protocol):
    """Where verdicts are kept and looked up; called from one thread at a time."""

    def find(self, keys: Sequence[str]) -> Mapping[str, Verdict]:
        """Return the verdicts that count for ``keys``; keys without one are absent."""
        ...

    def append_all(self, entries: Sequence[tuple[Verdict, bool]]) -> None:
        """Keep verdicts for good before returning, all or none; each with whether a repair request follows it."""
        ...

"""Policy violations: which items of the policy do the user's requests violate?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from audit.judges.protocol import Judgement
from audit.judges.reply import read_object, read_texts, read_violations
from audit.prompts.render import (
    Segment,
    closing_segment,
    instruction_segment,
    join_segments,
    part_segments,
    policy_segment,
    row_segments,
)
from audit.prompts.templates import load_template, with_item_ids
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import Json, PartKind, Task

_NAME = "policy_violations"


@lru_cache(maxsize=64)
def _schema(style: str, item_ids: tuple[str, ...]) -> Mapping[str, Json]:
    return with_item_ids(load_template(_NAME, style, schema=_NAME).schema, item_ids)


@dataclass(frozen=True, slots=True)
class PolicyViolationsJudge:
    """Names violated items; sees the annotated policy, the description and the rows, not the expected behavior."""

    criterion: str = _NAME

    def undefined_reason(
        self,
        task: Task,
        policy: Policy,
        *,
        behavior: frozenset[PartKind],  # noqa: ARG002  # the seam's signature
    ) -> str:
        """Return why no item can be named, or an empty string."""
        if not policy.items:
            return policy.no_items_reason or "the policy has no items"
        return "" if task.description_text.strip() else "the task has no description"

    def segments(
        self,
        task: Task,
        policy: Policy,
        *,
        style: str,
        behavior: frozenset[PartKind],  # noqa: ARG002  # the seam's signature
    ) -> tuple[Segment, ...]:
        """Return the instructions, the annotated policy, the description and the rows."""
        template = load_template(_NAME, style, schema=_NAME)
        return (
            instruction_segment(template),
            policy_segment(policy, with_marks=True),
            *part_segments("description", task.description),
            *row_segments(task.rows),
            closing_segment(template),
        )

    def prompt(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> Prompt:
        """Render the question; the schema allows the ids of ``policy`` alone."""
        template = load_template(_NAME, style, schema=_NAME)
        prefix, suffix = join_segments(self.segments(task, policy, style=style, behavior=behavior))
        schema = _schema(style, tuple(item.id for item in policy.items))
        return Prompt(prefix, suffix, schema, _NAME, template.sha256)

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:
        """Read the violated items, in the policy's order, each once.

        The reasons are the reply's, each after the id that it is for, then the requests that the judge considered.
        An item named twice counts once and keeps both reasons. An id that the policy doesn't have makes the whole
        reply unreadable.
        """
        fields = read_object(text, where=where)
        considered = read_texts(fields, "requests", where=where)
        found = read_violations(fields, "violations", item_ids=policy.item_ids, where=where)
        named = {item for item, _ in found}
        return Judgement(
            score=None,
            violated=tuple(item.id for item in policy.items if item.id in named),
            reasons=(*(f"{item}: {reason}" for item, reason in found), *(f"Considered: {text}" for text in considered)),
        )


POLICY_VIOLATIONS = PolicyViolationsJudge()

"""What the two judges of alignment share: a score from 1 to 10 with reasons."""

from __future__ import annotations

from dataclasses import dataclass

from audit.judges.protocol import Judgement
from audit.judges.reply import read_object, read_reasons, read_score
from audit.prompts.render import (
    Segment,
    closing_segment,
    instruction_segment,
    join_segments,
    part_segments,
    policy_segment,
    row_segments,
    select_behavior,
)
from audit.prompts.templates import STATE_IS_JUDGED, load_template
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import PartKind, Task


@dataclass(frozen=True, slots=True)
class AlignmentJudge:
    """Scores the expected behavior against the description, or against the policy.

    Parameters
    ----------
    sees_policy
        Whether the policy document is shown.
    """

    criterion: str
    sees_policy: bool

    def undefined_reason(self, task: Task, policy: Policy, *, behavior: frozenset[PartKind]) -> str:
        """Return why there is nothing to score, or an empty string."""
        if not task.description_text.strip():
            return "the task has no description"
        if not any(part.text.strip() for part in select_behavior(task, behavior)):
            return "the task has no expected behavior of the selected kinds"
        if self.sees_policy and not policy.text.strip():
            return "there is no policy document"
        return ""

    def segments(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> tuple[Segment, ...]:
        """Return the instructions, the policy if it is seen, the description and the expected behavior.

        Where the expected behavior is about the initial state itself, the rows come before it.
        """
        template = load_template(self.criterion, style, schema="alignment")
        return (
            instruction_segment(template),
            *((policy_segment(policy, with_marks=False),) if self.sees_policy else ()),
            *part_segments("description", task.description),
            *(row_segments(task.rows) if style in STATE_IS_JUDGED else ()),
            *part_segments("expected behavior", select_behavior(task, behavior)),
            closing_segment(template),
        )

    def prompt(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> Prompt:
        """Render the question."""
        template = load_template(self.criterion, style, schema="alignment")
        prefix, suffix = join_segments(self.segments(task, policy, style=style, behavior=behavior))
        return Prompt(prefix, suffix, template.schema, self.criterion, template.sha256)

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:  # noqa: ARG002  # the seam's signature
        """Read the score, a whole number from 1 to 10, and the reasons."""
        fields = read_object(text, where=where)
        reasons = read_reasons(fields, "reasons", where=where)
        return Judgement(read_score(fields, "score", where=where), None, reasons)

"""Questions about a text that is no task: it stands, fenced, in the place of a task's description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from audit.judges.protocol import Judgement
from audit.prompts.render import Segment, closing_segment, instruction_segment, join_segments, part_segments
from audit.prompts.templates import DOCUMENT_STYLE, load_template
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import PartKind, Task


@dataclass(frozen=True, slots=True)
class DocumentJudge:
    """Asks about one text; the prefix of its prompts is the same for every text.

    Parameters
    ----------
    criterion
        Names the prompt, its schema and the answers in the store.
    nothing
        Why an empty text is not asked about.
    read_reasons
        Reads a complete reply, given with ``where`` for messages, and returns what it says in texts; raises
        :class:`audit.errors.UnreadableReplyError`.
    """

    criterion: str
    nothing: str
    read_reasons: Callable[[str, str], tuple[str, ...]]

    def undefined_reason(
        self,
        task: Task,
        policy: Policy,  # noqa: ARG002  # the seam's signature
        *,
        behavior: frozenset[PartKind],  # noqa: ARG002  # the seam's signature
    ) -> str:
        """Return why there is nothing to ask, or an empty string."""
        return "" if task.description_text.strip() else self.nothing

    def segments(
        self,
        task: Task,
        policy: Policy,  # noqa: ARG002  # the seam's signature
        *,
        style: str,  # noqa: ARG002  # the seam's signature
        behavior: frozenset[PartKind],  # noqa: ARG002  # the seam's signature
    ) -> tuple[Segment, ...]:
        """Return the instructions and the fenced text."""
        template = load_template(self.criterion, DOCUMENT_STYLE, schema=self.criterion)
        return (
            instruction_segment(template),
            *part_segments("document", task.description),
            closing_segment(template),
        )

    def prompt(self, task: Task, policy: Policy, *, style: str, behavior: frozenset[PartKind]) -> Prompt:
        """Render the question."""
        template = load_template(self.criterion, DOCUMENT_STYLE, schema=self.criterion)
        prefix, suffix = join_segments(self.segments(task, policy, style=style, behavior=behavior))
        return Prompt(prefix, suffix, template.schema, self.criterion, template.sha256)

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:  # noqa: ARG002  # the seam's signature
        """Read a reply; it names no item of a policy."""
        return Judgement(None, (), self.read_reasons(text, where))

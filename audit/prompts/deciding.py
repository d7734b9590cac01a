"""A task and what a decisions endpoint is asked about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from audit.errors import UsageError
from audit.prompts.decisions import DECIDED, DecisionTemplate, load_decision
from audit.prompts.fence import visible_line
from audit.prompts.render import Segment, join_segments, part_segments, policy_segment, row_segments, select_behavior
from audit.records.policy import Policy
from audit.records.prompt import Decision, Prompt
from audit.records.task import Json, PartKind, Task


def decision_prompts(
    task: Task, policy: Policy, *, criteria: Collection[str], style: str, behavior: frozenset[PartKind]
) -> dict[str, Prompt]:
    """Return a prompt for each criterion, all of the same text: the whole task, whatever the criteria are.

    So the answer to a question does not hang on what else a run asks. Each prompt has its own criterion's questions;
    those of several can be put in one call.

    Raises
    ------
    UsageError
        If a criterion asks for words.
    """
    if asks_words := [criterion for criterion in criteria if criterion not in DECIDED]:
        what = f"{asks_words[0]} asks for words, which a decisions endpoint does not give"
        raise UsageError(what, where="--mode decisions", mend="Leave out --mode")
    templates = {criterion: load_decision(criterion, style) for criterion in criteria}
    shared = next(iter(templates.values()), None)
    prefix, suffix = ("", "") if shared is None else join_segments(_segments(shared, task, policy, behavior))
    return {
        criterion: _prompt(criterion, template, (prefix, suffix), policy) for criterion, template in templates.items()
    }


def _segments(
    template: DecisionTemplate, task: Task, policy: Policy, behavior: frozenset[PartKind]
) -> tuple[Segment, ...]:
    return (
        Segment("instructions", f"{template.instructions}\n\n", template.file, is_prefix=True),
        policy_segment(policy, with_marks=True),
        *part_segments("description", task.description),
        *row_segments(task.rows),
        *part_segments("expected behavior", select_behavior(task, behavior)),
        Segment("closing", f"{template.closing}\n", template.file),
    )


def _prompt(criterion: str, template: DecisionTemplate, text: tuple[str, str], policy: Policy) -> Prompt:
    decisions = _decisions(criterion, template, tuple(item.id for item in policy.items))
    return Prompt(*text, _as_json(decisions), criterion, template.sha256, decisions=decisions)


@lru_cache(maxsize=64)
def _decisions(criterion: str, template: DecisionTemplate, item_ids: tuple[str, ...]) -> tuple[Decision, ...]:
    """Return a question for the score, or a statement for each item in the policy's order."""
    if template.levels:
        return (Decision(criterion, template.question, template.levels),)
    return tuple(
        Decision(f"item_{number}", f"{template.question} {visible_line(item_id)}")
        for number, item_id in enumerate(item_ids, 1)
    )


@lru_cache(maxsize=64)
def _as_json(decisions: tuple[Decision, ...]) -> Mapping[str, Json]:
    return {"decisions": [[each.name, each.text, list(each.levels)] for each in decisions]}

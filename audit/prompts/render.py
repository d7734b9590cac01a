"""Tasks and policies as prompt text, in segments that know where they come from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audit.prompts.annotate import annotate
from audit.prompts.fence import barred, borders, label_line, visible
from audit.prompts.templates import Template
from audit.records.policy import Policy
from audit.records.same import Same
from audit.records.task import Json, Part, PartKind, Row, Task


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of a prompt's text. All segments of a prompt, joined, are the prompt.

    Parameters
    ----------
    label
        What it is, such as ``policy`` or ``description 2: Known facts``.
    text
        Exactly what the judge sees.
    origin
        The file and field that it was read from, or the prompt file that it belongs to.
    is_prefix
        Whether it is the same for every task of the policy.
    """

    label: str
    text: str
    origin: str
    is_prefix: bool = False


def select_behavior(task: Task, behavior: frozenset[PartKind]) -> tuple[Part, ...]:
    """Return the parts of the expected behavior that ``behavior`` selects; ``no_write`` comes with ``actions``."""
    wanted = behavior | {PartKind.NO_WRITE} if PartKind.ACTION in behavior else behavior - {PartKind.NO_WRITE}
    return tuple(part for part in task.behavior if part.kind in wanted)


def instruction_segment(template: Template) -> Segment:
    """Return the instructions that every prompt of a criterion begins with."""
    return Segment("instructions", f"{template.instructions}\n\n", template.file, is_prefix=True)


def closing_segment(template: Template) -> Segment:
    """Return the reminder that ends a prompt."""
    return Segment("closing", f"{template.closing}\n", template.file)


@lru_cache(maxsize=64)
def policy_segment(policy: Policy, *, with_marks: bool) -> Segment:
    """Return the fenced policy document, with its items marked or as it is."""
    content = barred(annotate(policy) if with_marks else visible(policy.text))
    first, last = borders("policy", content)
    return Segment("policy", f"{first}{content}{last}\n", ", ".join(policy.files) or policy.name, is_prefix=True)


def part_segments(name: str, parts: Sequence[Part]) -> tuple[Segment, ...]:
    """Return a fenced block of a task's parts, one segment a part."""
    return _block(
        name,
        (
            Segment(
                f"{name} {number}: {part.label}",
                label_line(f"{number} {part.kind.value}: {part.label}") + barred(visible(part.text)),
                str(part.origin),
            )
            for number, part in enumerate(parts, 1)
        ),
    )


def row_segments(rows: Sequence[Row]) -> tuple[Segment, ...]:
    """Return a fenced block of database rows as compact JSON, one segment a row."""
    return _block(
        "rows",
        (_row_segment(Same(row)) for row in rows),
    )


@lru_cache(maxsize=2048)
def _row_segment(held: Same[Row]) -> Segment:
    """Return a row's segment; tasks of the same person share their rows."""
    row = held.value
    text = label_line(f"{row.table} {row.key}") + barred(visible(_compact(row.value)))
    return Segment(f"row {row.table} {row.key}", text, str(row.origin))


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _block(name: str, segments: Iterable[Segment]) -> tuple[Segment, ...]:
    inner = tuple(segments) or (Segment(f"{name}: none", label_line("none"), ""),)
    first, last = borders(name, "".join(segment.text for segment in inner))
    return Segment(f"{name} begins", first, ""), *inner, Segment(f"{name} ends", f"{last}\n", "")


def join_segments(segments: Sequence[Segment]) -> tuple[str, str]:
    """Return a prompt's prefix and suffix; the segments of the prefix come first."""
    prefix = tuple(segment for segment in segments if segment.is_prefix)
    return _join(prefix), "".join(segment.text for segment in segments[len(prefix) :])


@lru_cache(maxsize=64)
def _join(segments: tuple[Segment, ...]) -> str:
    return "".join(segment.text for segment in segments)

"""A task's texts as a report shows them, each with what the checks found in it and what its gold action does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audit.records.finding import Finding
from audit.records.replay import ReplayedCall
from audit.records.same import Same
from audit.records.task import Part, PartKind, Row, Task
from audit.reports.plain import pretty
from audit.reports.visible import block, line

_ROW_LIMIT = 8_000
_RESULT_LIMIT = 800


@dataclass(frozen=True, slots=True)
class Source:
    """One text of a task, and what belongs to its place.

    Parameters
    ----------
    is_used
        Whether the judges of this run saw it.
    call
        What the gold action that it states does; ``None`` where it states none or nothing was replayed.
    findings
        What was found at this place.
    """

    label: str
    text: str
    origin: str
    is_used: bool = True
    call: ReplayedCall | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskTexts:
    """All texts of a task, and the findings that have no place among them."""

    description: tuple[Source, ...]
    behavior: tuple[Source, ...]
    rows: tuple[Source, ...]
    unplaced: tuple[Finding, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every text."""
        return (*self.description, *self.behavior, *self.rows)


def task_texts(
    task: Task, findings: Sequence[Finding], *, calls: Sequence[ReplayedCall], selected: frozenset[str]
) -> TaskTexts:
    """Return a task's texts, each with its findings and its call.

    Parameters
    ----------
    calls
        One for each of the task's gold actions, or none.
    selected
        Parts of the expected behavior that the judges saw.
    """
    fields = [part.origin.field for part in (*task.description, *task.behavior)]
    places = [_place(finding, fields) for finding in findings]
    by_call = {action.origin.field: call for action, call in zip(task.actions or (), calls, strict=False)}

    def source(number: int, part: Part) -> Source:
        here = tuple(finding for finding, place in zip(findings, places, strict=True) if place == number)
        call = by_call.get(part.origin.field) if part.kind is PartKind.ACTION else None
        is_used = number < len(task.description) or _is_used(part, selected)
        return Source(line(part.label), block(part.text), line(str(part.origin), limit=200), is_used, call, here)

    parts = [source(number, part) for number, part in enumerate((*task.description, *task.behavior))]
    return TaskTexts(
        description=tuple(parts[: len(task.description)]),
        behavior=tuple(parts[len(task.description) :]),
        rows=tuple(_row(Same(row)) for row in task.rows),
        unplaced=tuple(finding for finding, place in zip(findings, places, strict=True) if place is None),
    )


def result_text(call: ReplayedCall) -> str:
    """Return what a call returned, as a text."""
    return _result_text(Same(call))


@lru_cache(maxsize=256)
def _result_text(held: Same[ReplayedCall]) -> str:
    call = held.value
    return block(call.result if isinstance(call.result, str) else pretty(call.result), limit=_RESULT_LIMIT)


def verdict_sources(texts: TaskTexts, *, policy_text: str, calls: Iterable[ReplayedCall]) -> Mapping[str, str]:
    """Return everything that a judge may have quoted: the task's texts, the policy, what the gold actions returned."""
    own = {f"{number}": f"{source.label}\n{source.text}" for number, source in enumerate(texts.sources)}
    returned = {f"call {number}": result_text(call) for number, call in enumerate(calls)}
    return {**own, **returned, "policy": policy_text}


def _place(finding: Finding, fields: Sequence[str]) -> int | None:
    """The part that a finding is about: the one whose field is the longest start of the finding's."""
    where = finding.origin.field
    held = [number for number, field in enumerate(fields) if field and _lies_in(where, field)]
    return max(held, key=lambda number: (len(fields[number]), -number), default=None)


def _lies_in(where: str, field: str) -> bool:
    return where == field or where.startswith((f"{field}.", f"{field}["))


def _is_used(part: Part, selected: frozenset[str]) -> bool:
    kind = PartKind.ACTION if part.kind is PartKind.NO_WRITE else part.kind
    return kind.value in selected


@lru_cache(maxsize=1024)
def _row(held: Same[Row]) -> Source:
    """Return a row's text; tasks of the same person share their rows."""
    row = held.value
    text = block(pretty(row.value), limit=_ROW_LIMIT)
    return Source(line(f"{row.table} · {row.key}"), text, line(str(row.origin), limit=200))

"""Records with defaults, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.loaders.policy import make_policy
from audit.records.policy import ItemKind, Policy, PolicyItem
from audit.records.task import Action, Benchmark, Origin, Part, PartKind, Row, Task
from audit.records.verdict import Verdict, VerdictState


def part(text: str, kind: PartKind = PartKind.SCENARIO, *, label: str = "Scenario", field: str = "field") -> Part:
    return Part(kind, label, text, Origin("tasks.json", field, "t1"))


def task(
    id: str = "t1",
    *,
    description: str = "You want to cancel booking B1.",
    behavior: str = "The agent cancels booking B1.",
    rows: Sequence[Row] = (),
    actions: tuple[Action, ...] | None = (),
) -> Task:
    return Task(
        id=id,
        description=(part(description),),
        behavior=(part(behavior, PartKind.ASSERTION, label="The agent must"),),
        rows=tuple(rows),
        actions=actions,
        origin=Origin("tasks.json", "", id),
    )


def policy(text: str = "Bookings can't be cancelled.\nAsk for the id.", *, n_items: int = 1) -> Policy:
    lines = text.split("\n")[:n_items]
    items, start = [], 0
    for number, line in enumerate(lines, 1):
        items.append(PolicyItem(f"P{number:02d}", line[:30], ItemKind.PROHIBITION, start, start + len(line)))
        start += len(line) + 1
    return make_policy(text, name="test", items=tuple(items))


def benchmark(*tasks: Task, **fields: Any) -> Benchmark:  # noqa: ANN401  # any field of the record
    fields.setdefault("policy", policy())
    return Benchmark(name=fields.pop("name", "test/domain"), tasks=tasks or (task(),), **fields)


def verdict(
    task_id: str = "t1",
    *,
    score: float | None = None,
    violated: Sequence[str] | None = None,
    state: VerdictState = VerdictState.OK,
    **fields: Any,  # noqa: ANN401  # any field of the record
) -> Verdict:
    fields.setdefault("criterion", "policy_violations" if violated is not None else "desc_alignment")
    fields.setdefault("judge", "scripted:test")
    fields.setdefault("trial", 0)
    return Verdict(
        task_id=task_id, state=state, score=score, violated=None if violated is None else tuple(violated), **fields
    )

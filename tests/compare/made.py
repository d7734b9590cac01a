"""Snapshots with defaults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.records.comparison import SavedFinding, Snapshot
from audit.records.score import Interval, Score

JUDGE = "openai:gpt-5.4"


def snapshot(**fields: Any) -> Snapshot:  # noqa: ANN401  # any field of the record
    made = Snapshot(
        label="side",
        benchmark="test/domain",
        policy_sha256="ab",
        items={"P1": "0-5", "P2": "6-9"},
        tasks={f"t{n}": {"description": "a", "actions": "b"} for n in range(1, 5)},
        findings=(),
        rules=frozenset({"gold-unknown-id"}),
        scores=(score(),),
        behavior=frozenset({"nl", "actions"}),
        prompts={"desc_alignment": "p1", "policy_alignment": "p2", "policy_violations": "p3"},
        models={JUDGE: ("gpt-5.4-2026-01-01",)},
    )
    return replace(made, **fields)


def score(metric: str = "desc_alignment", *values: float, judge: str = JUDGE, **fields: Any) -> Score:  # noqa: ANN401
    listed = values or (8.0, 7.0, 9.0, 6.0)
    fields.setdefault("by_task", {f"t{n}": value for n, value in enumerate(listed, 1)})
    fields.setdefault("value", sum(listed) / len(listed))
    return Score(metric, judge, scale=(1, 10), interval=Interval(1, 10, 0.95), **fields)


def found(fingerprint: str, *, rule: str = "gold-unknown-id", task_id: str | None = "t1") -> SavedFinding:
    return SavedFinding(fingerprint, rule, "error", task_id, "The id B9 is nowhere.")

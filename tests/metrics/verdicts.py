"""Benchmarks and verdicts for the tests of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.records.task import Benchmark
from audit.records.verdict import Verdict, VerdictState
from tests.builders import benchmark, policy, task, verdict

ITEMS = tuple(f"P{number:02d}" for number in range(1, 11))
RULES = policy("\n".join(f"Rule number {number}." for number in range(1, 11)), n_items=10)


def tasks_of(n: int) -> Benchmark:
    """A benchmark of tasks t1 to tn under a policy of ten items."""
    return benchmark(*(task(f"t{number}") for number in range(1, n + 1)), policy=RULES)


def scored(
    scores: Mapping[str, float], *, judge: str = "openai:gpt-5", trial: int = 0, criterion: str = "desc_alignment"
) -> list[Verdict]:
    return [verdict(id_, score=score, judge=judge, trial=trial, criterion=criterion) for id_, score in scores.items()]


def violating(sets: Mapping[str, Sequence[str]], *, judge: str = "openai:gpt-5", trial: int = 0) -> list[Verdict]:
    return [verdict(id_, violated=items, judge=judge, trial=trial) for id_, items in sets.items()]


def lost(
    *ids: str,
    state: VerdictState = VerdictState.TIMEOUT,
    judge: str = "openai:gpt-5",
    trial: int = 0,
    criterion: str = "desc_alignment",
    problem: str = "",
) -> list[Verdict]:
    return [verdict(id_, state=state, judge=judge, trial=trial, criterion=criterion, problem=problem) for id_ in ids]

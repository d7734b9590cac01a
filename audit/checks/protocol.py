"""The seam of the free layer: a check looks at a benchmark and reports findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from audit.environments.protocol import Environment
from audit.records.finding import Finding, Rule
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Subject:
    """What checks look at: a benchmark and, where its tools' semantics are known, an environment to replay in."""

    benchmark: Benchmark
    environment: Environment | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A group of rules that are decided together.

    Parameters
    ----------
    name
        Its module's name.
    rules
        Every rule that ``inspect`` may report.
    inspect
        Yields findings; no effects, never raises on any benchmark that a loader let through.
    """

    name: str
    rules: tuple[Rule, ...]
    inspect: Callable[[Subject], Iterator[Finding]]

"""The seam of the free layer: a check looks at a benchmark and reports findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from audit.environments.protocol import Environment
from audit.records.finding import Finding, Rule
from audit.records.policy_rule import PolicyRules
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Subject:
    """What checks look at.

    Parameters
    ----------
    environment
        To replay gold actions in, where the tools' semantics are known.
    rules
        Of the benchmark's policy, where somebody wrote them down.
    """

    benchmark: Benchmark
    environment: Environment | None = None
    rules: PolicyRules | None = None


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

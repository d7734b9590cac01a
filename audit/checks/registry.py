"""Every check by name, every rule by id, and all of their findings in one call."""

from __future__ import annotations

from collections.abc import Iterable

from audit.checks import (
    assertions,
    balance,
    baselines,
    contradictions,
    criteria,
    dates,
    derivability,
    detours,
    duplicates,
    foreign_rows,
    headings,
    hidden_text,
    injection,
    intellagent,
    invented,
    leakage,
    leaks,
    pararecover,
    persons,
    policy_rules,
    references,
    replay,
    script_dates,
    signatures,
    structure,
    twins,
    unknown_keys,
    unused_tools,
    wishes,
)
from audit.checks.protocol import Check, Subject
from audit.records.finding import SEVERITY_ORDER, Finding, Rule
from audit.records.task import Benchmark

CHECKS: tuple[Check, ...] = (
    replay.CHECK,
    signatures.CHECK,
    references.CHECK,
    foreign_rows.CHECK,
    persons.CHECK,
    invented.CHECK,
    derivability.CHECK,
    contradictions.CHECK,
    assertions.CHECK,
    dates.CHECK,
    script_dates.CHECK,
    duplicates.CHECK,
    leakage.CHECK,
    twins.CHECK,
    unknown_keys.CHECK,
    structure.CHECK,
    hidden_text.CHECK,
    injection.CHECK,
    leaks.CHECK,
    balance.CHECK,
    policy_rules.CHECK,
    criteria.CHECK,
    baselines.CHECK,
    intellagent.CHECK,
    detours.CHECK,
    headings.CHECK,
    unused_tools.CHECK,
    wishes.CHECK,
    pararecover.CHECK,
)
RULES: dict[str, Rule] = {rule.id: rule for check in CHECKS for rule in check.rules}


def inspect_all(subject: Subject) -> tuple[Finding, ...]:
    """Return the findings of every check, the gravest first.

    Parameters
    ----------
    subject
        The benchmark, and the environment to replay in if there is one.

    Returns
    -------
    tuple of Finding
        By severity, then in task order with those of the whole set first, then by rule and subject.
    """
    return order_findings((found for check in CHECKS for found in check.inspect(subject)), subject.benchmark)


def order_findings(findings: Iterable[Finding], benchmark: Benchmark) -> tuple[Finding, ...]:
    """Return ``findings`` without repeats, sorted as :func:`inspect_all` does."""
    place: dict[str | None, int] = {task.id: n for n, task in enumerate(benchmark.tasks)}
    unique = {finding.fingerprint: finding for finding in reversed(list(findings))}
    return tuple(
        sorted(
            unique.values(),
            key=lambda found: (
                SEVERITY_ORDER.index(found.severity),
                place.get(found.task_id, -1),
                found.rule,
                found.subject,
                found.what,
            ),
        )
    )

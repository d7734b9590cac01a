"""Every check, every rule by id, and the order of what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from audit.checks import (
    ages,
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
    given_back,
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
from audit.checks.protocol import Check
from audit.checks.raw import show
from audit.records.finding import SEVERITY_ORDER, Finding, Rule
from audit.records.task import Benchmark

_PLACES = 4
"""Further places that a finding names; the rest is counted."""

CHECKS: tuple[Check, ...] = (
    replay.CHECK,
    signatures.CHECK,
    references.CHECK,
    foreign_rows.CHECK,
    persons.CHECK,
    invented.CHECK,
    derivability.CHECK,
    given_back.CHECK,
    contradictions.CHECK,
    assertions.CHECK,
    dates.CHECK,
    script_dates.CHECK,
    ages.CHECK,
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


def order_findings(findings: Iterable[Finding], benchmark: Benchmark) -> tuple[Finding, ...]:
    """Return ``findings``, the gravest first; what holds at several places is told once, with them.

    By severity, then in task order with those of the whole set first, then by rule and subject.
    """
    place: dict[str | None, int] = {task.id: n for n, task in enumerate(benchmark.tasks)}
    by_fingerprint: dict[str, list[Finding]] = {}
    for finding in findings:
        by_fingerprint.setdefault(finding.fingerprint, []).append(finding)
    return tuple(
        sorted(
            map(_once, by_fingerprint.values()),
            key=lambda found: (
                SEVERITY_ORDER.index(found.severity),
                place.get(found.task_id, -1),
                found.rule,
                found.subject,
                found.what,
            ),
        )
    )


def _once(same: Sequence[Finding]) -> Finding:
    """Return the first of findings that say the same, with the other places where it holds."""
    first = same[0]
    others = [origin for origin in dict.fromkeys(finding.origin for finding in same) if origin != first.origin]
    if not others:
        return first
    named = [
        origin.field if origin.file == first.origin.file else f"{origin.file} {origin.field}".rstrip()
        for origin in others[:_PLACES]
    ]
    rest = f" and {len(others) - _PLACES} more" if len(others) > _PLACES else ""
    places = (f"also at {len(others)} other places" if len(others) > 1 else "also at", show(", ".join(named) + rest))
    return replace(first, evidence=(*first.evidence, places))

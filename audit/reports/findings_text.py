"""Findings as plain text: counts first, then findings by severity and task, then what nobody looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from audit.records.check import CheckResult
from audit.records.finding import SEVERITY_ORDER, Finding, Rule, Severity
from audit.reports import numbers
from audit.reports.finding_words import MEANINGS, TITLES, count_severities, evidence_of, is_shaky, place_of, title_of
from audit.reports.visible import plain

LIMIT = 400
"""Characters of one sentence."""


def render(result: CheckResult) -> bytes:
    """Return the text; the same result gives the same bytes."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(result)).encode("utf-8", errors="backslashreplace")


def _lines(result: CheckResult) -> Iterator[str]:
    yield from _heading(result)
    for severity in SEVERITY_ORDER:
        yield from _group(severity, result)
    yield ""
    yield "Not checked"
    for gap in result.unchecked:
        yield f"  - {plain(gap.what, limit=LIMIT)}: {plain(gap.reason, limit=LIMIT)}"
    yield ""
    yield "No finding is no proof: these rules find what a program can read off the files, and nothing else."
    yield "What a rule means and when it is wrong: bench-audit check --explain RULE"


def _heading(result: CheckResult) -> Iterator[str]:
    benchmark = result.benchmark
    n_tasks = numbers.plural(len(benchmark.tasks), "task")
    concerned = {finding.task_id for finding in result.findings} - {None}
    yield f"{plain(benchmark.name)}: {n_tasks}, {numbers.plural(len(result.rules), 'rule')}"
    yield f"{count_severities(result.findings)} in {numbers.plural(len(concerned), 'task')}"
    replayed = f"in {plain(result.environment)}" if result.environment else "not at all, there is no environment"
    yield f"gold actions replayed {replayed}"
    rows = [(rule, found) for rule, found in _by_rule(result).items() if found]
    if rows:
        yield ""
    width = max((len(plain(rule)) for rule, _ in rows), default=0)
    for rule, found in rows:
        yield f"  {plain(rule):<{width}}  {plain(title_of(rule, result), limit=LIMIT)}: {count_severities(found)}"


def _by_rule(result: CheckResult) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {rule.id: [] for rule in result.rules}
    for finding in result.findings:
        found.setdefault(finding.rule, []).append(finding)
    return found


def _group(severity: Severity, result: CheckResult) -> Iterator[str]:
    found = [finding for finding in result.findings if finding.severity is severity]
    if not found:
        return
    yield ""
    yield f"{TITLES[severity]} ({numbers.count(len(found))}): {MEANINGS[severity]}"
    for task_id, of_task in groupby(found, key=lambda finding: finding.task_id):
        yield f"  {'the set as a whole' if task_id is None else f'task {plain(task_id)}'}"
        for finding in of_task:
            yield from _finding(finding, result)


def _finding(finding: Finding, result: CheckResult) -> Iterator[str]:
    certainty = f"{finding.certainty.value}, not repeated" if is_shaky(finding) else finding.certainty.value
    yield f"    {plain(finding.rule)} [{certainty}]  {plain(place_of(finding, result), limit=LIMIT)}"
    evidence = evidence_of(finding)
    shown = f" ({plain(evidence, limit=LIMIT)})" if evidence else ""
    item = f" Policy item {plain(finding.policy_item)}." if finding.policy_item else ""
    yield f"      {plain(finding.what, limit=LIMIT)}{shown}{item} To mend: {plain(finding.mend, limit=LIMIT)}"


def explain(rule: Rule) -> str:
    """Return everything that is known of a rule, for a terminal."""
    return (
        f"{rule.id}: {rule.title}\n"
        f"severity {rule.severity.value}, certainty {rule.certainty.value}, unless a finding says otherwise\n\n"
        f"{rule.explanation}\n\n"
        f"To mend: {rule.mend}\n"
    )


def list_rules(rules: Sequence[Rule]) -> str:
    """Return one line a rule, for a terminal."""
    width = max(len(rule.id) for rule in rules)
    rows = (f"{rule.id:<{width}}  {rule.severity.value:<7}  {rule.certainty.value:<6}  {rule.title}" for rule in rules)
    return "".join(f"{row}\n" for row in rows)

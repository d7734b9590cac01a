"""Findings as Markdown for a pull request: a table of counts, then the findings folded away.

Everything that comes from a benchmark stands in code spans: there neither HTML nor links nor mentions mean anything.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from audit.records.check import CheckResult
from audit.records.finding import SEVERITY_ORDER, Finding, Severity
from audit.reports import numbers
from audit.reports.finding_words import (
    MEANINGS,
    TITLES,
    count_severities,
    evidence_of,
    is_shaky,
    place_of,
    title_of,
)
from audit.reports.visible import line

LIMIT = 60_000
"""Characters of the whole text: forges refuse comments that are not much longer."""


def render(result: CheckResult) -> bytes:
    """Return the text, UTF-8; the same result gives the same bytes."""
    return to_markdown(result).encode("utf-8", errors="backslashreplace")


def to_markdown(result: CheckResult) -> str:
    """Return the text, cut between findings where it would grow too long."""
    head = "\n".join(_heading(result))
    tail = "\n".join(_closing(result))
    room = LIMIT - len(head) - len(tail)
    parts = [head]
    for severity in SEVERITY_ORDER:
        found = [finding for finding in result.findings if finding.severity is severity]
        part = _details(severity, found, result, room=room)
        room -= len(part)
        parts.append(part)
    return "\n".join([*(part for part in parts if part), tail]) + "\n"


def _heading(result: CheckResult) -> Iterator[str]:
    n_tasks = numbers.plural(len(result.benchmark.tasks), "task")
    yield f"## bench-audit: {code(result.benchmark.name)}"
    yield ""
    failing = f" **{numbers.count(len(result.failing))} of them fail this check.**" if result.failing else ""
    yield f"{n_tasks}, {numbers.plural(len(result.rules), 'rule')}: {count_severities(result.findings)}.{failing}"
    yield ""
    rows = [(rule, n) for rule, n in result.n_by_rule.items() if n]
    if not rows:
        return
    yield "| Rule | What | Errors | Warnings | Notes |"
    yield "|---|---|--:|--:|--:|"
    for rule, _ in rows:
        found = [finding.severity for finding in result.findings if finding.rule == rule]
        counts = " | ".join(numbers.count(found.count(severity)) for severity in SEVERITY_ORDER)
        yield f"| {code(rule)} | {ours(title_of(rule, result))} | {counts} |"
    yield ""


def _details(severity: Severity, found: Sequence[Finding], result: CheckResult, *, room: int) -> str:
    if not found:
        return ""
    is_open = " open" if severity is Severity.ERROR else ""
    title = f"{TITLES[severity]} ({numbers.count(len(found))}): {MEANINGS[severity]}"
    lines = [f"<details{is_open}><summary>{title}</summary>", ""]
    size = len(title) + 200
    for n, finding in enumerate(found):
        entry = _entry(finding, result)
        size += len(entry) + 1
        if size > room:
            lines.append(f"- … and {numbers.count(len(found) - n)} more: run `bench-audit check` to see them all")
            break
        lines.append(entry)
    return "\n".join([*lines, "", "</details>", ""])


def _entry(finding: Finding, result: CheckResult) -> str:
    certainty = f"{finding.certainty.value}, not repeated" if is_shaky(finding) else finding.certainty.value
    evidence = evidence_of(finding)
    item = f", policy item {code(finding.policy_item)}" if finding.policy_item else ""
    rule = result.rule_by_id.get(finding.rule)
    is_ours = rule is not None and rule.mend == finding.mend
    lines = (
        f"- {code(finding.rule)} ({certainty}) at {code(place_of(finding, result))}{item}",
        code(finding.what, limit=400),
        code(evidence, limit=400) if evidence else "",
        f"To mend: {ours(finding.mend) if is_ours else code(finding.mend, limit=400)}",
    )
    return "\n  ".join(text for text in lines if text)


def _closing(result: CheckResult) -> Iterator[str]:
    yield "<details><summary>Not checked</summary>"
    yield ""
    for gap in result.unchecked:
        yield f"- {ours(gap.what)}: {ours(gap.reason)}"
    yield ""
    yield "</details>"


def ours(text: str) -> str:
    """Return a sentence of a rule, which is ours, so that it can't end a table's cell or be taken for HTML."""
    return html.escape(line(text, limit=400), quote=False).replace("|", "\\|")


def code(text: str, *, limit: int = 160) -> str:
    """Return one line of text as a code span, in which nothing has a meaning but its end.

    Examples
    --------
    >>> code("a `b`"), code("")
    ('`` a `b` ``', '` `')
    """
    shown = line(text, limit=limit)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if not shown or "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{pad}{shown}{pad if shown else ''}{fence}"

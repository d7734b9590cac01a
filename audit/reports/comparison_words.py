"""The words for a comparison that the formats share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.records.comparison import Comparison, FindingChanges, SavedFinding, ScoreChange
from audit.reports import numbers
from audit.reports.labels import labelled
from audit.reports.visible import plain

N_LISTED = 20
"""Ids or findings that are listed of each kind."""

GROUPS = (
    ("new", "new"),
    ("fixed", "fixed"),
    ("gone", "gone with their task, or not looked for again"),
    ("unchanged", "unchanged"),
)
"""Field of the findings' changes to its words, in the order in which they are shown."""


def task_lines(comparison: Comparison) -> Iterator[str]:
    """Yield what changed of the tasks and of the policy, one clause a line."""
    yield f"{numbers.plural(comparison.n_same, 'task')} unchanged"
    for ids, word in ((comparison.added, "added"), (comparison.removed, "removed")):
        if ids:
            yield f"{numbers.plural(len(ids), 'task')} {word}: {_some([plain(task_id) for task_id in ids])}"
    changed = [f"{plain(each.task_id)} ({', '.join(each.components)})" for each in comparison.changed]
    if changed:
        yield f"{numbers.plural(len(changed), 'task')} changed: {_some(changed)}"
    if comparison.policy_changed:
        yield "the policy is another text"
    if comparison.items_changed:
        yield f"policy items changed: {_some([plain(item) for item in comparison.items_changed])}"


def finding_groups(changes: FindingChanges) -> Iterator[tuple[str, Sequence[SavedFinding]]]:
    """Yield a heading and the findings below it; those that are unchanged are only counted."""
    for name, words in GROUPS:
        found: tuple[SavedFinding, ...] = getattr(changes, name)
        if found:
            yield f"{numbers.plural(len(found), 'finding')} {words}", () if name == "unchanged" else found


def describe(finding: SavedFinding) -> str:
    """Return a finding in one line fit to be shown."""
    task = "the set as a whole" if finding.task_id is None else f"task {plain(finding.task_id)}"
    return f"{plain(finding.severity)} {plain(finding.rule)} in {task}: {plain(finding.what, limit=400)}"


def score_line(change: ScoreChange) -> str:
    """Return what changed of a score, in one line fit to be shown."""
    name = f"{plain(change.metric)} by {labelled(plain(change.judge, limit=80), change.trust)}"
    values = f"{numbers.fixed(change.old, 3)} → {numbers.fixed(change.new, 3)}"
    if change.difference is None or change.interval is None:
        return f"{name}: {values}, not comparable: {plain('; '.join(change.reasons), limit=600)}"
    ends = f"{signed(change.interval.low)} to {signed(change.interval.high)}"
    verdict = "fell" if change.has_fallen else "rose" if change.has_risen else "no real change"
    paired = numbers.plural(change.n_paired, "shared task")
    return f"{name}: {values}, {signed(change.difference)} ({ends}) over {paired}: {verdict}"


def signed(value: float) -> str:
    """Return a difference with its sign.

    Examples
    --------
    >>> signed(0.25), signed(-1.0), signed(0.0)
    ('+0.250', '-1.000', '0.000')
    """
    text = numbers.fixed(value, 3)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def _some(words: Sequence[str]) -> str:
    more = f" and {numbers.count(len(words) - N_LISTED)} more" if len(words) > N_LISTED else ""
    return f"{', '.join(words[:N_LISTED])}{more}"

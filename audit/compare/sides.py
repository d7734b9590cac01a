"""Two snapshots side by side: tasks, policy, findings and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress

from audit.compare.scores import NAMES, are_other_tasks, compare_scores
from audit.records.comparison import Comparison, FindingChanges, SavedFinding, Snapshot, TaskChange
from audit.records.content import COMPONENTS

JUDGED = "judged-"
"""What the rules begin with whose findings are judges' low scores."""
APART = (
    "where they share ids, these name other tasks, so that none is paired. "
    "If they are versions of one benchmark, give both one name."
)


def compare(old: Snapshot, new: Snapshot, *, seed: int = 0, names: tuple[str, str] = NAMES) -> Comparison:
    """Return what changed from ``old`` to ``new``.

    Parameters
    ----------
    seed
        Of the bootstrap over tasks.
    names
        What the two sides are called in notes and reasons.

    Notes
    -----
    Tasks are matched by id, findings by fingerprint, scores by metric and judge. A task that was edited is still
    paired with itself: the difference is what the edit brought.
    """
    is_apart = are_other_tasks(old, new)
    shared = [] if is_apart else [task_id for task_id in new.tasks if task_id in old.tasks]
    shared_ids = frozenset(shared)
    is_apart = is_apart or not shared
    changed = tuple(
        TaskChange(task_id, parts)
        for task_id in shared
        if (parts := _differing(old.tasks[task_id], new.tasks[task_id]))
    )
    policy_changed = old.policy_sha256 != new.policy_sha256
    return Comparison(
        old=old,
        new=new,
        added=tuple(task_id for task_id in new.tasks if task_id not in shared_ids),
        removed=tuple(task_id for task_id in old.tasks if task_id not in shared_ids),
        changed=changed,
        n_same=len(shared) - len(changed),
        policy_changed=policy_changed,
        items_changed=tuple(_items_changed(old, new, same_text=not policy_changed)),
        findings=_compare_findings(old, new, is_apart=is_apart),
        scores=compare_scores(old, new, seed=seed, names=names),
        notes=tuple(_notes(old, new, names, is_apart=is_apart)),
    )


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in COMPONENTS if name in old and name in new and old[name] != new[name])


def _items_changed(old: Snapshot, new: Snapshot, *, same_text: bool) -> Iterator[str]:
    if old.items is None or new.items is None:
        return
    for item in {**old.items, **new.items}:
        is_shared = item in old.items and item in new.items
        if not is_shared or (same_text and old.items[item] != new.items[item]):
            yield item


def _compare_findings(old: Snapshot, new: Snapshot, *, is_apart: bool) -> FindingChanges | None:
    if old.findings is None or new.findings is None:
        return None
    before = {finding.fingerprint: finding for finding in old.findings}
    after = {finding.fingerprint: finding for finding in new.findings}
    lost = [finding for fingerprint, finding in before.items() if fingerprint not in after]
    looked_for = [not is_apart and _was_looked_for(finding, old, new) for finding in lost]
    return FindingChanges(
        new=tuple(finding for fingerprint, finding in after.items() if fingerprint not in before),
        fixed=tuple(compress(lost, looked_for)),
        unchanged=tuple(finding for fingerprint, finding in after.items() if fingerprint in before),
        gone=tuple(finding for finding, was in zip(lost, looked_for, strict=True) if not was),
    )


def _was_looked_for(finding: SavedFinding, old: Snapshot, new: Snapshot) -> bool:
    if finding.rule.startswith(JUDGED) and old.models.keys() != new.models.keys():
        return False
    return finding.rule in new.rules and (finding.task_id is None or finding.task_id in new.tasks)


def _notes(old: Snapshot, new: Snapshot, names: tuple[str, str], *, is_apart: bool) -> Iterator[str]:
    if old.benchmark != new.benchmark:
        told = f"{names[0]} is {old.benchmark} and {names[1]} is {new.benchmark}"
        yield f"{told}; {APART if is_apart else 'tasks are matched by id all the same.'}"
    for name, side in zip(names, (old, new), strict=True):
        yield from side_notes(side, name=name)
    if old.findings is not None and new.findings is not None:
        yield from _notes_on_rules(old, new, names)


def side_notes(side: Snapshot, *, name: str) -> Iterator[str]:
    """Yield what can't be compared because of one side alone."""
    if any(not components for components in side.tasks.values()):
        yield f"{name} does not say what its tasks held, so that edits of tasks can't be told."
    if side.findings is None:
        yield f"{name} was not checked, so that findings can't be compared."
    if not side.scores:
        yield f"{name} has no scores."


def _notes_on_rules(old: Snapshot, new: Snapshot, names: tuple[str, str]) -> Iterator[str]:
    judged = [finding for side in (old, new) for finding in side.findings or () if finding.rule.startswith(JUDGED)]
    if judged and old.models.keys() != new.models.keys():
        yield (
            f"{names[0]} and {names[1]} were not judged by the same judges: a low score that only {names[0]}'s gave "
            f"counts as gone, not as fixed, and one that only {names[1]}'s gave as new."
        )
    if more := sorted(new.rules - old.rules):
        yield f"{names[0]} was not checked for {', '.join(more)}: what they find is new here, but may not be new."
    if fewer := sorted(old.rules - new.rules):
        yield f"{names[1]} was not checked for {', '.join(fewer)}: what they once found counts as gone, not as fixed."

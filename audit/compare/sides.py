"""Two snapshots side by side: tasks, policy, findings and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.compare.scores import compare_scores
from audit.records.comparison import Comparison, FindingChanges, SavedFinding, Snapshot, TaskChange
from audit.records.content import COMPONENTS


def compare(old: Snapshot, new: Snapshot, *, seed: int = 0) -> Comparison:
    """Return what changed from ``old`` to ``new``.

    Parameters
    ----------
    seed
        Of the bootstrap over tasks.

    Notes
    -----
    Tasks are matched by id, findings by fingerprint, scores by metric and judge. A task that was edited is still
    paired with itself: the difference is what the edit brought.
    """
    shared = [task_id for task_id in new.tasks if task_id in old.tasks]
    changed = tuple(
        TaskChange(task_id, parts)
        for task_id in shared
        if (parts := _differing(old.tasks[task_id], new.tasks[task_id]))
    )
    policy_changed = old.policy_sha256 != new.policy_sha256
    return Comparison(
        old=old,
        new=new,
        added=tuple(task_id for task_id in new.tasks if task_id not in old.tasks),
        removed=tuple(task_id for task_id in old.tasks if task_id not in new.tasks),
        changed=changed,
        n_same=len(shared) - len(changed),
        policy_changed=policy_changed,
        items_changed=tuple(_items_changed(old, new, same_text=not policy_changed)),
        findings=_compare_findings(old, new),
        scores=compare_scores(old, new, seed=seed),
        notes=tuple(_notes(old, new)),
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


def _compare_findings(old: Snapshot, new: Snapshot) -> FindingChanges | None:
    if old.findings is None or new.findings is None:
        return None
    before = {finding.fingerprint: finding for finding in old.findings}
    after = {finding.fingerprint: finding for finding in new.findings}
    lost = [finding for fingerprint, finding in before.items() if fingerprint not in after]
    return FindingChanges(
        new=tuple(finding for fingerprint, finding in after.items() if fingerprint not in before),
        fixed=tuple(finding for finding in lost if _was_looked_for(finding, new)),
        unchanged=tuple(finding for fingerprint, finding in after.items() if fingerprint in before),
        gone=tuple(finding for finding in lost if not _was_looked_for(finding, new)),
    )


def _was_looked_for(finding: SavedFinding, side: Snapshot) -> bool:
    return finding.rule in side.rules and (finding.task_id is None or finding.task_id in side.tasks)


def _notes(old: Snapshot, new: Snapshot) -> Iterator[str]:
    if old.benchmark != new.benchmark:
        yield f"OLD is {old.benchmark} and NEW is {new.benchmark}; tasks are matched by id all the same."
    for name, side in (("OLD", old), ("NEW", new)):
        if any(not components for components in side.tasks.values()):
            yield f"{name} does not say what its tasks held, so that edits of tasks can't be told."
        if side.findings is None:
            yield f"{name} was not checked, so that findings can't be compared."
        if not side.scores:
            yield f"{name} has no scores."
    if old.findings is not None and new.findings is not None:
        yield from _notes_on_rules(old, new)


def _notes_on_rules(old: Snapshot, new: Snapshot) -> Iterator[str]:
    if more := sorted(new.rules - old.rules):
        yield f"OLD was not checked for {', '.join(more)}: what they find is new here, but may not be new."
    if fewer := sorted(old.rules - new.rules):
        yield f"NEW was not checked for {', '.join(fewer)}: what they once found counts as gone, not as fixed."

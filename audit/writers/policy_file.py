"""A policy as a file of its own, with its items beside it."""

from __future__ import annotations

from pathlib import Path

from audit.records.item_set import ItemSet, SetItem
from audit.records.policy import Policy
from audit.records.task import Benchmark
from audit.writers.item_set import render_item_set

NAME = "policy.md"
ITEMS = "policy.items.json"


def has_own_policy(benchmark: Benchmark) -> bool:
    """Return whether the policy was read from none of the benchmark's files, but came from elsewhere."""
    known = {file.path for file in benchmark.files}
    return not any(name in known for name in benchmark.policy.files)


def write_policy(folder: Path, policy: Policy, *, text: str) -> None:
    """Write a document, and the items of a policy that is no longer where they are looked for by its hash.

    Parameters
    ----------
    policy
        As it is loaded from ``text``.
    """
    (folder / NAME).write_text(text, encoding="utf-8", newline="")
    if policy.items:
        items = tuple(SetItem(item.id, item.title, item.kind, item.start, item.end) for item in policy.items)
        stated = ItemSet(policy=policy.name, document_sha256=policy.sha256, items=items, document=NAME)
        (folder / ITEMS).write_text(render_item_set(stated), encoding="utf-8", newline="")

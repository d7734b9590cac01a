"""Places inside a report to jump to."""

from __future__ import annotations

from dataclasses import dataclass

from audit.reports.visible import anchor, line, task_anchor


@dataclass(frozen=True, slots=True)
class Link:
    """A task or an item to jump to; ``href`` is empty where the report has no such place."""

    href: str
    text: str


def task_link(id: str, *, is_known: bool = True) -> Link:
    """Return a link to a task's page."""
    return Link(f"#{task_anchor(id)}" if is_known else "", line(id, limit=40))


def item_link(id: str) -> Link:
    """Return a link to a policy item."""
    return Link(f"#{anchor('item', id)}", line(id, limit=40))

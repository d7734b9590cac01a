"""Policies and their items."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ItemKind(StrEnum):
    """What kind of rule a policy item states."""

    PERMISSION = "permission"
    PROHIBITION = "prohibition"
    OBLIGATION = "obligation"
    LIMIT = "limit"
    PROCEDURE = "procedure"


@dataclass(frozen=True, slots=True)
class PolicyItem:
    """One rule of a policy as a stand-off span.

    Parameters
    ----------
    id
        Unique in its policy, such as ``A07``.
    title
        Our own short name for the rule.
    start, end
        Character offsets into the normalised policy text; ``0 <= start < end``.
    """

    id: str
    title: str
    kind: ItemKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Policy:
    """A domain policy document, normalised, with its items in document order.

    Parameters
    ----------
    name
        Where it is known from, such as ``tau/airline``.
    text
        The normalised text (``audit.loaders.policy.normalise``).
    sha256
        Hash of ``text`` as UTF-8.
    items
        Non-overlapping spans; empty when none are known.
    no_items_reason
        Why there are no items; empty when there are some.
    """

    name: str
    text: str
    sha256: str
    items: tuple[PolicyItem, ...] = ()
    no_items_reason: str = ""
    file: str = ""

    @property
    def item_ids(self) -> frozenset[str]:
        """The ids of all items."""
        return frozenset(item.id for item in self.items)

    def quote(self, item: PolicyItem) -> str:
        """Return the text that ``item`` spans."""
        return self.text[item.start : item.end]

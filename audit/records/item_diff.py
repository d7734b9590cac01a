"""What became of a set of items in a new version of their document."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from audit.records.item_set import ItemSet, SetItem


class Fate(StrEnum):
    """What became of an item."""

    KEPT = "kept"
    """The same words under the same headings."""
    MOVED = "moved"
    """The same words elsewhere."""
    CHANGED = "changed"
    """Other words in its place."""
    VANISHED = "vanished"


@dataclass(frozen=True, slots=True)
class CarriedItem:
    """An item of the old version with what stands for it in the new one.

    Parameters
    ----------
    new
        ``None`` for an item that vanished.
    old_text, new_text
        The words that it marked and marks.
    why
        What is to be looked at, in one clause; empty for an item that was kept.
    """

    fate: Fate
    old: SetItem
    new: SetItem | None
    old_text: str
    new_text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class NewText:
    """Text of the new version that the old one had not and that no item marks."""

    start: int
    end: int
    line: int
    text: str
    reads_like_rule: bool


@dataclass(frozen=True, slots=True)
class ItemDiff:
    """A set of items carried over to a new version of its document.

    Parameters
    ----------
    old, new
        The sets; the new one has no vanished items, and those that changed are to be reviewed again.
    """

    old: ItemSet
    new: ItemSet
    old_document: str
    new_document: str
    items: tuple[CarriedItem, ...]
    new_texts: tuple[NewText, ...]

    def of(self, fate: Fate) -> tuple[CarriedItem, ...]:
        """Return the items of this fate, in the old document's order."""
        return tuple(item for item in self.items if item.fate is fate)

    @property
    def needs_look(self) -> bool:
        """Whether a person should look at something."""
        return bool(self.new_texts) or any(item.fate is not Fate.KEPT for item in self.items)

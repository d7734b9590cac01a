"""A set of policy items as its file states it: proposed, reviewed or made by hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from audit.records.policy import ItemKind

LONGEST_TITLE = 60
"""Characters of a title."""


class Binds(StrEnum):
    """Whom a rule binds."""

    USER = "user"
    AGENT = "agent"


class Review(StrEnum):
    """What a person said about an item."""

    OPEN = "open"
    """Nothing yet."""
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class SetItem:
    """One rule of a document, with what is known about where it comes from.

    Parameters
    ----------
    start, end
        Character offsets into the normalised document; ``0 <= start < end``.
    binds
        ``None`` where nobody said.
    violable
        Whether a user's request can violate it. Judges are shown those alone.
    proposed_by
        ``offline (heuristic)``, or the model as the user named it; empty where a person made the item.
    """

    id: str
    title: str
    kind: ItemKind
    start: int
    end: int
    binds: Binds | None = None
    violable: bool = True
    proposed_by: str = ""
    review: Review = Review.ACCEPTED

    @property
    def is_used(self) -> bool:
        """Whether judges are shown the item and coverage counts it."""
        return self.violable and self.review is not Review.REJECTED


@dataclass(frozen=True, slots=True)
class Unread:
    """A run of the document that a model gave no answer on, and why."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class ItemSet:
    """The items of one document, in its order, none overlapping another.

    Parameters
    ----------
    policy
        The set's name.
    document_sha256
        Of the normalised document as UTF-8.
    document
        The document's file relative to the set's own; empty where it is not known.
    text
        The normalised document; empty where the set does not hold it.
    unread
        Where items are missing because nobody read the document there.
    source, licence_of_document
        Where the document comes from and whose it is; empty for the user's own.
    """

    policy: str
    document_sha256: str
    items: tuple[SetItem, ...]
    document: str = ""
    text: str = ""
    unread: tuple[Unread, ...] = ()
    source: str = ""
    licence_of_document: str = ""

    @property
    def used(self) -> tuple[SetItem, ...]:
        """The items that judges are shown."""
        return tuple(item for item in self.items if item.is_used)

    def count(self, review: Review) -> int:
        """Return how many items are in this state of review."""
        return sum(item.review is review for item in self.items)

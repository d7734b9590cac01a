"""Policies and their items."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


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
class PolicyPiece:
    """Which file a run of a policy's text was read from; ``0 <= start < end``."""

    file: str
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
    items_note
        What every reader of results must know about the items, such as that nobody reviewed them; mostly empty.
    file
        The document's file; the first of them where it is put together from several.
    pieces
        Where the runs of the text come from, in order, if not all from ``file``; what lies between them is the
        template that holds them together.
    """

    name: str
    text: str
    sha256: str
    items: tuple[PolicyItem, ...] = ()
    no_items_reason: str = ""
    file: str = ""
    pieces: tuple[PolicyPiece, ...] = ()
    items_note: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """Every file that the text was read from, in order, each once."""
        names = dict.fromkeys(piece.file for piece in self.pieces) or ((self.file,) if self.file else ())
        return tuple(names)

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """The files that the text was read from and what stands in each; or its own name and text."""
        if not self.pieces:
            return ((self.file or self.name, self.text),)
        return tuple((piece.file, self.text[piece.start : piece.end]) for piece in self.pieces)

    @property
    def item_ids(self) -> frozenset[str]:
        """The ids of all items."""
        return _item_ids(self)

    def __hash__(self) -> int:
        return hash((self.name, self.sha256))

    def quote(self, item: PolicyItem) -> str:
        """Return the text that ``item`` spans."""
        return self.text[item.start : item.end]


@lru_cache(maxsize=64)
def _item_ids(policy: Policy) -> frozenset[str]:
    return frozenset(item.id for item in policy.items)

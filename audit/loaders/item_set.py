"""Files of policy items, read strictly: every span resolves, none overlaps another, the hash is the document's."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import LoadError
from audit.loaders.json_file import read_input
from audit.records.item_set import Binds, ItemSet, Review, SetItem, Unread
from audit.records.policy import ItemKind

SUFFIX = ".items.json"
"""Ends the name of a file of items that lies beside its document: ``policy.items.json`` beside ``policy.md``."""
_STRICT = ConfigDict(extra="forbid", strict=True)


class _ItemRow(BaseModel):
    model_config = _STRICT

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,20}$")
    title: str = Field(min_length=1)
    kind: str
    start: int = Field(ge=0)
    end: int
    binds: str | None = None
    violable: bool = True
    proposed_by: str = ""
    review: str = Review.ACCEPTED.value


class _UnreadRow(BaseModel):
    model_config = _STRICT

    start: int = Field(ge=0)
    end: int
    reason: str = Field(min_length=1)


class _ItemFile(BaseModel):
    model_config = ConfigDict(strict=True)

    policy: str = Field(min_length=1)
    document_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    items: list[_ItemRow]
    document: str = ""
    text: str = ""
    unread: list[_UnreadRow] = Field(default_factory=list)
    source: str = ""
    licence_of_document: str = ""


def read_item_set(path: Path) -> ItemSet:
    """Read a file of policy items.

    Raises
    ------
    LoadError
        If it can't be read, holds a field of the wrong kind, two items of one id, spans that are empty or out of
        order or overlap, or a text that is not the one of its hash.
    """
    file = read_input(path, root=path.parent, role="policy items")
    try:
        stated = _ItemFile.model_validate_json(file.content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise LoadError(first["msg"], where=f"{path} {place}".rstrip(), mend="Correct the item file") from error
    text = _check_text(stated, where=str(path))
    items = tuple(_item(row, where=str(path)) for row in stated.items)
    check_spans(items, n_characters=len(text) if text else None, where=str(path))
    unread = tuple(Unread(row.start, max(row.start, row.end), row.reason) for row in stated.unread)
    return ItemSet(
        policy=stated.policy,
        document_sha256=stated.document_sha256,
        items=items,
        document=stated.document,
        text=text,
        unread=unread,
        source=stated.source,
        licence_of_document=stated.licence_of_document,
    )


def items_beside(document: Path) -> Path | None:
    """Return the file of items that lies beside a document, if there is one."""
    path = name_beside(document)
    return path if path.exists() else None


def name_beside(document: Path) -> Path:
    """Return where the items of ``document`` are looked for.

    Examples
    --------
    >>> name_beside(Path("my/domain/policy.md")).as_posix()
    'my/domain/policy.items.json'
    """
    return document.with_name(f"{document.stem}{SUFFIX}")


def check_spans(items: Sequence[SetItem], *, n_characters: int | None, where: str) -> None:
    """Refuse spans that are empty, out of the text, out of order or that overlap, and ids that two items share.

    Parameters
    ----------
    items
        In the order in which the file has them, which must be the document's.
    n_characters
        Length of the normalised document; ``None`` where it is not at hand.
    where
        The file, for the message.

    Raises
    ------
    LoadError
        Naming the first item that is not sound.
    """
    seen: set[str] = set()
    position = 0
    for item in items:
        if item.id in seen:
            raise LoadError(f"two items have the id {item.id}", where=where, mend="Rename one")
        if not position <= item.start < item.end or (n_characters is not None and item.end > n_characters):
            span = f"item {item.id} spans {item.start} to {item.end}"
            what = f"{span}: empty, outside the text or before the last item's end"
            raise LoadError(what, where=where, mend="Correct the span")
        seen.add(item.id)
        position = item.end


def _item(row: _ItemRow, *, where: str) -> SetItem:
    return SetItem(
        id=row.id,
        title=row.title,
        kind=ItemKind(_known(row.kind, list(ItemKind), f"item {row.id} has the kind", where=where)),
        start=row.start,
        end=row.end,
        binds=None if row.binds is None else Binds(_known(row.binds, list(Binds), f"item {row.id} binds", where=where)),
        violable=row.violable,
        proposed_by=row.proposed_by,
        review=Review(_known(row.review, list(Review), f"item {row.id} has the review", where=where)),
    )


def _known(value: str, known: Sequence[str], what: str, *, where: str) -> str:
    if value not in known:
        raise LoadError(f"{what} {value!r}", where=where, mend=f"Choose among {', '.join(known)}")
    return value


def _check_text(stated: _ItemFile, *, where: str) -> str:
    if stated.text and hashlib.sha256(stated.text.encode()).hexdigest() != stated.document_sha256:
        what = "the text in this item file is not the one of its document_sha256"
        raise LoadError(what, where=where, mend="Extract the items anew, or take both from one version of the document")
    return stated.text

"""Policy documents and their stand-off items."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.json_file import decode, read_input
from audit.records.policy import ItemKind, Policy, PolicyItem
from audit.resources import resource


class _ItemRow(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,20}$")
    title: str = Field(min_length=1)
    kind: str
    start: int = Field(ge=0)
    end: int


class _ItemFile(BaseModel):
    model_config = ConfigDict(strict=True)

    policy: str = Field(min_length=1)
    document_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    items: list[_ItemRow]


def normalise(text: str) -> str:
    r"""Return ``text`` in the form that item offsets and hashes refer to.

    No byte-order mark, NFC, ``\n`` line ends, no white space at line ends, no blank lines around it.

    Examples
    --------
    >>> normalise("\ufeffRule one. \r\nRule two.\n\n")
    'Rule one.\nRule two.'
    """
    return tidy(text).strip("\n")


def tidy(text: str) -> str:
    """Return ``text`` in that form but for blank lines around it: what joined texts are made of."""
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in text.split("\n"))


def make_policy(
    text: str, *, name: str, items: tuple[PolicyItem, ...] = (), no_items_reason: str = "", file: str = ""
) -> Policy:
    """Return a policy of the normalised ``text``; ``items`` must refer to that form."""
    text = normalise(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Policy(name, text, digest, items, no_items_reason if not items else "", file)


def read_policy(path: Path, *, items: str | None = None, use_items: bool = True, shelf: Path | None = None) -> Policy:
    """Read a policy document with the items that were made for it.

    Parameters
    ----------
    path
        The document, UTF-8.
    items
        Name of a shipped item set that must fit; ``None`` to take the set whose document this is, if any.
    use_items
        False to load without items.
    shelf
        Folder of item sets, one folder a set; ``None`` for those that ship with the program.

    Raises
    ------
    PolicyChangedError
        If the named items were made for another text.
    LoadError
        If a file can't be read or its items are not sound.
    """
    text = decode(read_input(path, root=path.parent, role="policy"))
    policy = make_policy(text, name=path.name, file=str(path))
    if not policy.text:
        raise LoadError("the policy is empty", where=str(path), mend="Give the document that the agent gets")
    return fit_items(policy, items=items, use_items=use_items, shelf=shelf)


def fit_items(policy: Policy, *, items: str | None = None, use_items: bool = True, shelf: Path | None = None) -> Policy:
    """Return ``policy`` with the items that were made for it, and their set's name; or with the reason for none.

    The parameters and errors are those of :func:`read_policy`.
    """
    if not use_items:
        return replace(policy, no_items_reason="items were switched off")
    shelf = shelf or resource("policies")
    found = _named_items(shelf / items / "items.json", policy) if items is not None else _items_by_hash(shelf, policy)
    if found is None:
        return replace(policy, no_items_reason="no items are known for this document")
    item_file, stated = found
    checked = _check_items(stated, policy.text, where=str(item_file))
    reason = "" if checked else "the item set made for this document is empty"
    return replace(policy, name=stated.policy, items=checked, no_items_reason=reason)


def _read_items(path: Path) -> _ItemFile:
    file = read_input(path, root=path.parent, role="policy items")
    try:
        return _ItemFile.model_validate_json(file.content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise LoadError(first["msg"], where=f"{path} {place}".rstrip(), mend="Correct the item file") from error


def _kind(row: _ItemRow, path: Path) -> ItemKind:
    if row.kind not in list(ItemKind):
        known = ", ".join(ItemKind)
        raise LoadError(f"item {row.id} has the kind {row.kind!r}", where=str(path), mend=f"Choose among {known}")
    return ItemKind(row.kind)


def _named_items(path: Path, policy: Policy) -> tuple[Path, _ItemFile]:
    stated = _read_items(path)
    if stated.document_sha256 != policy.sha256:
        raise PolicyChangedError(
            f"the items of {stated.policy} belong to another version of this document",
            where=policy.file,
            mend="Use the pinned version, or load without items: --policy-items none",
        )
    return path, stated


def _items_by_hash(shelf: Path, policy: Policy) -> tuple[Path, _ItemFile] | None:
    for path in sorted(shelf.glob("*/items.json")):
        stated = _read_items(path)
        if stated.document_sha256 == policy.sha256:
            return path, stated
    return None


def _check_items(stated: _ItemFile, text: str, *, where: str) -> tuple[PolicyItem, ...]:
    """Return the items; refuse spans that are empty, out of the text, out of order or that overlap, and double ids."""
    made: list[PolicyItem] = []
    seen: set[str] = set()
    position = 0
    for row in stated.items:
        if row.id in seen:
            raise LoadError(f"two items have the id {row.id}", where=where, mend="Rename one")
        if not position <= row.start < row.end <= len(text):
            what = (
                f"item {row.id} spans {row.start} to {row.end}: empty, outside the text or before the last item's end"
            )
            raise LoadError(what, where=where, mend="Correct the span")
        seen.add(row.id)
        position = row.end
        made.append(PolicyItem(row.id, row.title, _kind(row, Path(where)), row.start, row.end))
    return tuple(made)

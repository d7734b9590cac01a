"""Policy documents and their stand-off items."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace
from pathlib import Path

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.item_set import check_spans, read_item_set
from audit.loaders.json_file import decode, read_input
from audit.records.item_set import ItemSet, Review
from audit.records.policy import Policy, PolicyItem
from audit.records.verdict import Trust
from audit.resources import resource

_AUTHORS = {Trust.OFFLINE.value: "an offline heuristic", "": "somebody"}


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


def read_policy(
    path: Path, *, items: str | Path | None = None, use_items: bool = True, shelf: Path | None = None
) -> Policy:
    """Read a policy document with the items that were made for it.

    Parameters
    ----------
    path
        The document, UTF-8.
    items
        Name of a shipped item set, or a file of items, that must fit; ``None`` to take the set whose document this
        is, if any.
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


def fit_items(
    policy: Policy, *, items: str | Path | None = None, use_items: bool = True, shelf: Path | None = None
) -> Policy:
    """Return ``policy`` with the items that were made for it, and their set's name; or with the reason for none.

    The parameters and errors are those of :func:`read_policy`.
    """
    if not use_items:
        return replace(policy, no_items_reason="items were switched off")
    shelf = shelf or resource("policies")
    found = _items_by_hash(shelf, policy) if items is None else _named_items(items, policy, shelf=shelf)
    if found is None:
        return replace(policy, no_items_reason="no items are known for this document")
    item_file, stated = found
    check_spans(stated.items, n_characters=len(policy.text), where=str(item_file))
    used = tuple(PolicyItem(item.id, item.title, item.kind, item.start, item.end) for item in stated.used)
    reason = "" if used else "the item set made for this document is empty"
    return replace(policy, name=stated.policy, items=used, no_items_reason=reason, items_note=describe_review(stated))


def describe_review(stated: ItemSet) -> str:
    """Return what readers of results must know: that nobody reviewed items, or read parts; else nothing."""
    used = stated.used
    unreviewed = [item for item in used if item.review is Review.OPEN]
    notes = []
    if unreviewed:
        named = dict.fromkeys(item.proposed_by for item in unreviewed)
        authors = ", ".join(_AUTHORS.get(name, name) for name in named)
        notes.append(
            f"{len(unreviewed)} of {len(used)} policy items were proposed by {authors} and reviewed by nobody: "
            "violations and coverage count some that may be no rules, and miss rules that were not proposed."
        )
    if stated.unread:
        n_characters = sum(run.end - run.start for run in stated.unread)
        notes.append(f"{n_characters:,} characters of the policy were not read for items: rules there are missing.")
    return " ".join(notes)


def _named_items(named: str | Path, policy: Policy, *, shelf: Path) -> tuple[Path, ItemSet]:
    path = named if isinstance(named, Path) else shelf / named / "items.json"
    stated = read_item_set(path)
    if stated.document_sha256 == policy.sha256:
        return path, stated
    if isinstance(named, Path):
        what = f"the items in {named} belong to another version of this document, or to another document"
        mend = "Carry them over with 'bench-audit policy diff', or load without items: --policy-items none"
    else:
        what = f"the items of {stated.policy} belong to another version of this document"
        mend = "Use the pinned version, or load without items: --policy-items none"
    raise PolicyChangedError(what, where=policy.file, mend=mend)


def _items_by_hash(shelf: Path, policy: Policy) -> tuple[Path, ItemSet] | None:
    for path in sorted(shelf.glob("*/items.json")):
        stated = read_item_set(path)
        if stated.document_sha256 == policy.sha256:
            return path, stated
    return None

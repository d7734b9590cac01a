"""The document that a set of items was made for: named, held by the set, or beside it."""

from __future__ import annotations

from pathlib import Path

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.item_set import SUFFIX, check_spans
from audit.loaders.json_file import decode, read_input
from audit.loaders.policy import make_policy
from audit.records.item_set import ItemSet
from audit.records.policy import Policy

_ENDINGS = (".md", ".txt", "")


def read_document(path: Path) -> Policy:
    """Read a policy document, without items.

    Raises
    ------
    LoadError
        If it can't be read, is not UTF-8 or is empty.
    """
    policy = make_policy(decode(read_input(path, root=path.parent, role="policy")), name=path.stem, file=str(path))
    if not policy.text:
        raise LoadError("the policy is empty", where=str(path), mend="Give the document that the agent gets")
    return policy


def find_document(item_set: ItemSet, path: Path, *, named: Policy | None = None) -> Policy:
    """Return the very text that the items were made for, and prove that every span lies in it.

    Parameters
    ----------
    item_set, path
        The items and their file.
    named
        The document that the user named; ``None`` to take the set's own copy, or else the file that it names or
        that lies beside it.

    Raises
    ------
    PolicyChangedError
        If the document at hand is another version.
    LoadError
        If there is none.
    """
    policy = named or _held(item_set) or _beside(item_set, path)
    if policy.sha256 != item_set.document_sha256:
        what = f"{path} was made for another version of this document, or for another document"
        mend = "Carry the items over: bench-audit policy diff ITEMS NEW_DOC --out NEW_ITEMS"
        raise PolicyChangedError(what, where=policy.file, mend=mend)
    check_spans(item_set.items, n_characters=len(policy.text), where=str(path))
    return policy


def _held(item_set: ItemSet) -> Policy | None:
    return make_policy(item_set.text, name=item_set.policy) if item_set.text else None


def _beside(item_set: ItemSet, path: Path) -> Policy:
    names = [item_set.document] if item_set.document else []
    if path.name.endswith(SUFFIX):
        names += [path.name.removesuffix(SUFFIX) + ending for ending in _ENDINGS]
    for name in names:
        if (path.parent / name).is_file():
            return read_document(path.parent / name)
    raise LoadError("the document of these items is not here", where=str(path), mend="Name it with --document FILE")

"""Policy documents and their stand-off items."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from audit.records.policy import Policy, PolicyItem

_TRAILING_SPACE = re.compile(r"[^\S\n]+$", re.MULTILINE)


def normalise(text: str) -> str:
    r"""Return ``text`` in the form that item offsets and hashes refer to.

    No byte-order mark, NFC, ``\n`` line ends, no white space at line ends, no blank lines around it.

    Examples
    --------
    >>> normalise("\ufeffRule one. \r\nRule two.\n\n")
    'Rule one.\nRule two.'
    """
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _TRAILING_SPACE.sub("", text).strip("\n")


def make_policy(
    text: str, *, name: str, items: tuple[PolicyItem, ...] = (), no_items_reason: str = "", file: str = ""
) -> Policy:
    """Return a policy of the normalised ``text``; ``items`` must refer to that form."""
    text = normalise(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Policy(name, text, digest, items, no_items_reason if not items else "", file)

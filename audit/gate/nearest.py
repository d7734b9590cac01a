"""Advice on a name that there is not."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def nearest(word: str, known: Collection[str]) -> str:
    """Return advice: what comes close to ``word``, or else what there is.

    Examples
    --------
    >>> nearest("fial_above", ["fail_above", "warn_above"])
    'Perhaps you meant fail_above'
    """
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"Perhaps you meant {close[0]}" if close else f"Known: {', '.join(known)}"

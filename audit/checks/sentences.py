"""Texts cut into sentences."""

from __future__ import annotations

import re
from functools import lru_cache

_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z])|\n+")


@lru_cache(maxsize=8192)
def sentences_of(text: str) -> tuple[str, ...]:
    r"""Return the sentences of a text, as far as its punctuation tells.

    Examples
    --------
    >>> sentences_of("You booked RM301. It is full!\nConfirm")
    ('You booked RM301.', 'It is full!', 'Confirm')
    """
    return tuple(sentence.strip() for sentence in _END.split(text) if sentence and sentence.strip())

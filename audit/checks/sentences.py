"""Texts cut into sentences."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z])|\n+")


def sentences_of(text: str) -> list[str]:
    r"""Return the sentences of a text, as far as its punctuation tells.

    Examples
    --------
    >>> sentences_of("You booked RM301. It is full!\nConfirm")
    ['You booked RM301.', 'It is full!', 'Confirm']
    """
    return [sentence.strip() for sentence in _END.split(text) if sentence and sentence.strip()]

"""The words of short texts that tell something, without their endings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ed", "es", "s", "y", "e")
_NEGATIONS = frozenset({"no", "not", "never", "without", "cannot", "none", "nor"})


def stems(text: str) -> list[str]:
    """Return the words of a text that tell something, without endings; words with digits, such as ids, tell nothing.

    Examples
    --------
    >>> stems("The agent never confirms booking B17 or asks for confirmation.")
    ['agent', 'never', 'confirm', 'book', 'ask', 'confirm']
    """
    return [_stem(word) for word in _telling(text)]


def _telling(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word in _NEGATIONS or word not in _stop_words()]


def whole_words(texts: Sequence[str]) -> dict[str, str]:
    """Return for each stem the word that is most often written with it."""
    counts = Counter(word for text in texts for word in _telling(text))
    return {_stem(word): word for word, _ in sorted(counts.items(), key=lambda each: (each[1], each[0]))}


@cache
def _stop_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # noqa: PLC0415

    return frozenset(ENGLISH_STOP_WORDS) - _NEGATIONS


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) - len(one) >= 3), "")
    return word[: len(word) - len(ending)]

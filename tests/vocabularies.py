"""Real tokenizers, which the program knows nothing of."""

from __future__ import annotations

import warnings
from functools import lru_cache

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of how the package opens its own files
    import bpe_openai


@lru_cache(maxsize=1000)
def count_tokens(text: str, vocabulary: str = "o200k_base") -> int:
    """Return how many tokens a text is."""
    return len(bpe_openai.get_encoding(vocabulary).encode(text))

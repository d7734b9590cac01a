"""Which model family a judge belongs to, as far as its name tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FAMILY_BY_MODEL = (
    (re.compile(r"gpt-(\d|oss)|chatgpt|o\d\b|codex"), "openai"),
    (re.compile(r"claude"), "anthropic"),
    (re.compile(r"gemini|gemma"), "google"),
    (re.compile(r"llama|meta-llama"), "meta"),
    (re.compile(r"qwen|qwq"), "alibaba"),
    (re.compile(r"mistral|mixtral|ministral|magistral|codestral"), "mistral"),
    (re.compile(r"deepseek"), "deepseek"),
    (re.compile(r"grok"), "xai"),
    (re.compile(r"phi-?\d"), "microsoft"),
)
"""The beginning of a model's own name, and the family that it stands for."""
_VENDORS = frozenset({"openai", "anthropic", "google"})


def model_family(judge: str) -> str | None:
    """Return the family of a judge named ``vendor:model`` or ``vendor:model@url``.

    The model's name decides; where it says nothing, the vendor does, unless the judge runs at another endpoint: there
    a vendor is only a wire protocol.

    Examples
    --------
    >>> model_family("openai:gpt-5.4"), model_family("openai:anthropic/claude-sonnet-4-5@https://proxy.test/v1")
    ('openai', 'anthropic')
    >>> model_family("openai:my-model@http://127.0.0.1:8080/v1") is None
    True
    """
    vendor, _, rest = judge.partition(":")
    model, _, url = rest.partition("@")
    name = model.lower().rsplit("/", 1)[-1]
    for pattern, family in _FAMILY_BY_MODEL:
        if pattern.match(name):
            return family
    return vendor if vendor in _VENDORS and not url else None


def family_note(judges: Iterable[str], author_family: str | None) -> str:
    """Return what readers must know of judges that belong to the family that wrote the benchmark; else nothing.

    Examples
    --------
    >>> family_note(["openai:gpt-5.4", "google:gemini-3-pro"], "OpenAI").partition(";")[0]
    'A model of the family OpenAI wrote the benchmark, and openai:gpt-5.4 is of that family'
    """
    found = [judge for judge in judges if author_family is not None and model_family(judge) == author_family.lower()]
    if not found:
        return ""
    them = f"{found[0]} is" if len(found) == 1 else f"{', '.join(found)} are"
    return (
        f"A model of the family {author_family} wrote the benchmark, and {them} of that family; judges may favour what "
        "their own family wrote."
    )

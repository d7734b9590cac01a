"""What models take: facts about known ones as data, and what a server told us about the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Feature(StrEnum):
    """A part of a request that some models or servers refuse."""

    TEMPERATURE = "temperature"
    SEED = "seed"
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    MAX_TOKENS = "max_tokens"
    PROMPT_CACHE = "prompt_cache"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model at an endpoint was found to refuse; can be kept between runs.

    Parameters
    ----------
    refused
        Features that requests leave out.
    is_settled
        Whether nothing is left to find out: the model is known, or has answered.

    Examples
    --------
    >>> Capabilities.from_json({"refused": ["seed"], "is_settled": True}).takes(Feature.SEED)
    False
    """

    refused: frozenset[Feature] = frozenset()
    is_settled: bool = False

    def takes(self, feature: Feature) -> bool:
        """Whether ``feature`` may be sent."""
        return feature not in self.refused

    def without(self, features: Iterable[Feature]) -> Capabilities:
        """Return these with ``features`` refused too."""
        return Capabilities(self.refused | frozenset(features), self.is_settled)

    def settled(self) -> Capabilities:
        """Return these as final."""
        return Capabilities(self.refused, is_settled=True)

    def to_json(self) -> dict[str, object]:
        """Return a record that :meth:`from_json` reads."""
        return {"refused": sorted(self.refused), "is_settled": self.is_settled}

    @classmethod
    def from_json(cls, record: dict[str, object]) -> Capabilities:
        """Read what :meth:`to_json` wrote; names of other versions are left out."""
        names = record["refused"] if isinstance(record["refused"], list) else []
        known = frozenset(Feature(name) for name in names if name in set(Feature))
        return cls(known, is_settled=record["is_settled"] is True)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model before it is asked.

    Parameters
    ----------
    pattern
        Matches the whole model id.
    refused
        Features that it does not take.
    is_reasoning
        Whether it thinks before it answers, out of the same allowance of tokens.
    max_output_tokens
        The allowance that we give an answer.
    cache_min_tokens
        The shortest prefix that its prompt cache holds.
    """

    pattern: str
    refused: frozenset[Feature] = frozenset()
    is_reasoning: bool = False
    max_output_tokens: int = 2048
    cache_min_tokens: int = 1024


_NO_TEMPERATURE = frozenset({Feature.TEMPERATURE})
_NO_SCHEMA = frozenset({Feature.JSON_SCHEMA})
_NO_FORMAT = frozenset({Feature.JSON_SCHEMA, Feature.JSON_OBJECT})
_THINKING = 16_384

FACTS: dict[str, tuple[ModelFacts, ...]] = {
    "openai": (
        ModelFacts(r"gpt-5(\.\d+)?-chat-latest", _NO_TEMPERATURE),
        ModelFacts(r"(o[134]|gpt-5(\.\d+)?)(-.*)?", _NO_TEMPERATURE, is_reasoning=True, max_output_tokens=_THINKING),
        ModelFacts(r"gpt-4o-2024-05-13|gpt-4-turbo.*|gpt-4-(0125|1106)-preview|gpt-3\.5-turbo.*", _NO_SCHEMA),
        ModelFacts(r"gpt-4(-0613|-0314|-32k.*)?", _NO_FORMAT),
        ModelFacts(r"(gpt-4o|chatgpt-4o|gpt-4\.1)(-.*)?"),
    ),
    "anthropic": (
        ModelFacts(r"claude-3-7-sonnet.*|claude-(sonnet|opus)-4(-0|-2025\d+)?", _NO_SCHEMA, max_output_tokens=4096),
        ModelFacts(r"claude-3.*", _NO_SCHEMA, max_output_tokens=4096, cache_min_tokens=2048),
        ModelFacts(r"claude-(sonnet-4-5|opus-4-1)(-.*)?", max_output_tokens=4096),
        ModelFacts(r"claude-(haiku-4-5|opus-4-[56])(-.*)?", max_output_tokens=4096, cache_min_tokens=4096),
        ModelFacts(r"claude-sonnet-4-6(-.*)?", max_output_tokens=4096, cache_min_tokens=2048),
    ),
    "google": (
        ModelFacts(r"(models/)?gemini-2\.0-.*", cache_min_tokens=4096),
        ModelFacts(r"(models/)?gemini-[23].*", is_reasoning=True, max_output_tokens=_THINKING, cache_min_tokens=4096),
    ),
}
"""From the vendors' public documentation. A wrong line costs one refused request, or a parameter left out."""

_UNKNOWN = {
    "openai": ModelFacts("", max_output_tokens=_THINKING),
    "anthropic": ModelFacts("", max_output_tokens=4096),
    "google": ModelFacts("", max_output_tokens=8192, cache_min_tokens=4096),
}
_UNKNOWN_ELSEWHERE = ModelFacts("", max_output_tokens=4096)
"""Local servers often count the allowance against a short context."""


def find_facts(vendor: str, model: str, *, is_own: bool) -> tuple[ModelFacts, bool]:
    """Return what is known of a model, and whether it is a known one.

    Examples
    --------
    >>> find_facts("openai", "gpt-5.4", is_own=True)[0].is_reasoning
    True
    """
    for facts in FACTS[vendor]:
        if re.fullmatch(facts.pattern, model):
            return facts, True
    return (_UNKNOWN[vendor] if is_own else _UNKNOWN_ELSEWHERE), False


_WORDS = {
    Feature.TEMPERATURE: ("temperature",),
    Feature.SEED: ("seed",),
    Feature.JSON_SCHEMA: ("response_format", "json_schema", "jsonschema", "output_config", "output_format"),
    Feature.JSON_OBJECT: ("response_format", "json_object"),
    Feature.MAX_COMPLETION_TOKENS: ("max_completion_tokens",),
    Feature.MAX_TOKENS: ("max_tokens",),
    Feature.PROMPT_CACHE: ("prompt_cache", "cache_control"),
}
_SCHEMA_WORDS = re.compile(r"structured.?output|response.?(json.?)?schema|response.?mime|grammar|guided", re.IGNORECASE)


def refused_features(message: str, sent: Iterable[Feature]) -> frozenset[Feature]:
    """Return which of the features that were ``sent`` an error message names.

    Examples
    --------
    >>> sorted(refused_features("Unsupported value: 'temperature' must be 1", [Feature.TEMPERATURE, Feature.SEED]))
    [<Feature.TEMPERATURE: 'temperature'>]
    """
    text = message.lower()
    named = {feature for feature in sent if any(_names(text, word) for word in _WORDS[feature])}
    if Feature.JSON_SCHEMA in sent and _SCHEMA_WORDS.search(text):
        named.add(Feature.JSON_SCHEMA)
    return frozenset(named)


def _names(text: str, word: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", text) is not None


def alias_note(asked: str, returned: str) -> str:
    """Return a sentence when a model's name may come to mean another model, else an empty string.

    Parameters
    ----------
    asked, returned
        The model id in the request and in the reply.

    Examples
    --------
    >>> alias_note("gpt-5.4", "gpt-5.4-2026-03-05")
    'gpt-5.4 is a floating name: gpt-5.4-2026-03-05 answered.'
    """
    same = {asked, asked.removeprefix("models/"), ""}
    return "" if returned.removeprefix("models/") in same else f"{asked} is a floating name: {returned} answered."

"""Asking a provider in a test: one event loop, everything closed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from audit.errors import ProviderError
from audit.providers.protocol import Provider
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.spec import parse_judge
from audit.records.prompt import Prompt, Reply

VENDORS = ("openai", "anthropic", "google")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasons": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 7},
        "score": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["reasons", "score"],
    "additionalProperties": False,
}


def make_prompt(
    prefix: str = "The policy.", suffix: str = "The task.", *, repair: tuple[str, str] | None = None
) -> Prompt:
    return Prompt(prefix, suffix, SCHEMA, "verdict", "hash", repair)


def provider_for(
    judge: str, options: ProviderOptions | None = None, *, env: Mapping[str, str] | None = None
) -> Provider:
    return make_provider(parse_judge(judge), options or ProviderOptions(timeout_s=20), environ=env or {})


def ask(provider: Provider, *prompts: Prompt, trial: int = 0) -> list[Reply | ProviderError]:
    """Put the prompts one after the other and close the provider."""

    async def run() -> list[Reply | ProviderError]:
        try:
            return [await _outcome(provider, prompt, trial) for prompt in prompts or (make_prompt(),)]
        finally:
            await provider.aclose()

    return asyncio.run(run())


def ask_together(provider: Provider, prompts: Sequence[Prompt]) -> list[Reply | ProviderError]:
    """Put all prompts at once."""

    async def run() -> list[Reply | ProviderError]:
        try:
            return await asyncio.gather(*(_outcome(provider, prompt, 0) for prompt in prompts))
        finally:
            await provider.aclose()

    return asyncio.run(run())


def get_reply(provider: Provider, prompt: Prompt | None = None, *, trial: int = 0) -> Reply:
    (outcome,) = ask(provider, prompt or make_prompt(), trial=trial)
    assert isinstance(outcome, Reply), outcome
    return outcome


def get_error(provider: Provider, prompt: Prompt | None = None) -> ProviderError:
    (outcome,) = ask(provider, prompt or make_prompt())
    assert isinstance(outcome, ProviderError), outcome
    return outcome


async def _outcome(provider: Provider, prompt: Prompt, trial: int) -> Reply | ProviderError:
    try:
        return await provider.complete(prompt, trial=trial)
    except ProviderError as error:
        return error

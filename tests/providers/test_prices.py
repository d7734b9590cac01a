from __future__ import annotations

import pytest

from audit.providers.prices import cost_usd
from audit.records.prompt import Usage

USAGE = Usage(input_tokens=10_000, cached_tokens=8_000, output_tokens=500, reasoning_tokens=100)


@pytest.mark.parametrize(
    ("endpoint", "model"),
    [
        ("openai", "gpt-4o-2024-08-06"),
        ("anthropic", "claude-sonnet-4-5"),
        ("google", "gemini-2.0-flash"),
    ],
)
def test_a_known_model_has_a_price_and_cached_tokens_are_cheaper(endpoint: str, model: str) -> None:
    price, uncached = (
        cost_usd(endpoint, model, usage=USAGE),
        cost_usd(endpoint, model, usage=Usage(10_000, output_tokens=500)),
    )
    assert price is not None
    assert uncached is not None
    assert 0 < price < uncached


def test_a_price_is_what_the_list_says() -> None:
    million = Usage(input_tokens=1_000_000, output_tokens=0)
    assert cost_usd("openai", "gpt-4o-2024-08-06", usage=million) == pytest.approx(2.50)


@pytest.mark.parametrize(
    ("endpoint", "model", "usage"),
    [
        ("openai", "a-model-of-tomorrow", USAGE),
        ("openai", "", USAGE),
        ("http://127.0.0.1:8080/v1", "gpt-4o", USAGE),
        ("scripted", "gpt-4o", USAGE),
        ("openai", "gpt-4o", Usage()),
        ("openai", "gpt-4o", Usage(input_tokens=10)),
        ("openai", "gpt-4o", Usage(output_tokens=10)),
        ("openai", "gpt-4o", Usage(input_tokens=10, cached_tokens=20, output_tokens=1)),
    ],
)
def test_a_price_that_is_not_known_is_none_and_never_0(endpoint: str, model: str, usage: Usage) -> None:
    assert cost_usd(endpoint, model, usage=usage) is None

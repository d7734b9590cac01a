from __future__ import annotations

import pytest

from audit.errors import UsageError
from audit.providers.prices import OwnPrice, cost_usd, read_own_prices
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
        ("openai", "gpt-4o", Usage()),
        ("openai", "gpt-4o", Usage(input_tokens=10)),
        ("openai", "gpt-4o", Usage(output_tokens=10)),
        ("openai", "gpt-4o", Usage(input_tokens=10, cached_tokens=20, output_tokens=1)),
    ],
)
def test_a_price_that_is_not_known_is_none_and_never_0(endpoint: str, model: str, usage: Usage) -> None:
    assert cost_usd(endpoint, model, usage=usage) is None


@pytest.mark.parametrize("usage", [USAGE, Usage()])
@pytest.mark.parametrize("is_batch", [False, True])
def test_scripted_replies_cost_nothing_unless_the_user_sets_a_price(usage: Usage, is_batch: bool) -> None:
    assert cost_usd("scripted", "seeded", usage=usage, is_batch=is_batch) == 0
    own = OwnPrice(1.0, 2.0, 1.0)
    assert cost_usd("scripted", "seeded", usage=USAGE, own=own) == pytest.approx(0.011)


def test_a_batch_costs_half_where_the_list_has_a_price_for_it() -> None:
    million = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    full = cost_usd("anthropic", "claude-sonnet-4-5", usage=million)
    assert full is not None
    assert cost_usd("anthropic", "claude-sonnet-4-5", usage=million, is_batch=True) == pytest.approx(full / 2)


def test_a_batch_without_a_price_of_its_own_is_unknown_and_not_the_full_price() -> None:
    assert cost_usd("google", "gemini-1.0-pro", usage=USAGE, is_batch=True) is None
    assert cost_usd("x", "m", usage=USAGE, own=OwnPrice(1, 1, 1), is_batch=True) is None


def test_a_users_own_price_counts_at_every_address_and_before_the_list() -> None:
    own = OwnPrice(input=2, output=10, cached=0.5)
    for endpoint in ("openai", "http://127.0.0.1:8080/v1"):
        price = cost_usd(endpoint, "gpt-4o", usage=USAGE, own=own)
        assert price == pytest.approx((2_000 * 2 + 8_000 * 0.5 + 500 * 10) / 1e6)
    assert cost_usd("openai", "gpt-4o", usage=Usage(), own=own) is None


def test_own_prices_are_read_with_and_without_one_for_cached_input() -> None:
    judges = ["openai:a@http://h:1/v1?x=1", "openai:b"]
    prices = read_own_prices([f"{judges[0]}=1/0.1/3", "openai:b=0/0"], judges=judges)
    assert prices == {judges[0]: OwnPrice(1, 3, 0.1), "openai:b": OwnPrice(0, 0, 0)}


@pytest.mark.parametrize(
    "text", ["", "openai:a", "openai:a=", "openai:a=1", "openai:a=1/2/3/4", "openai:a=-1/2", "openai:a=nan/2", "=1/2"]
)
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--price"):
        read_own_prices([text], judges=["openai:a"])


def test_a_price_for_a_judge_that_is_not_asked_is_refused() -> None:
    with pytest.raises(UsageError, match="no judge 'openai:c' is asked"):
        read_own_prices(["openai:c=1/2"], judges=["openai:a"])

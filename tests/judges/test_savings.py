"""What prompt caches saved."""

from __future__ import annotations

import dataclasses

import pytest

from audit.judges.panel import Panel
from audit.judges.savings import cache_saved_usd
from audit.providers.prices import OwnPrice, cost_usd
from audit.records.prompt import Usage
from audit.records.verdict import Verdict
from tests import builders
from tests.judges.panels import FakeModel

SONNET = "claude-sonnet-4-5"


def verdict(usage: Usage, cost: float | None, *, n_calls: int = 1) -> Verdict:
    asked = builders.verdict("t1", judge="j", score=7)
    return dataclasses.replace(asked, usage=usage, cost_usd=cost, n_calls=n_calls, model="m")


def test_a_read_from_the_cache_saves_the_difference_of_the_prices() -> None:
    panel = Panel({"j": FakeModel()}, prices={"j": OwnPrice(input=2, cached=0.5, output=10)})
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=0)
    assert cache_saved_usd([verdict(usage, 1.4), verdict(usage, 1.4)], panel) == pytest.approx(1.2)


def test_filling_a_cache_that_nobody_reads_costs() -> None:
    model = FakeModel(endpoint="anthropic", model=SONNET)
    usage = Usage(input_tokens=10_000, cached_tokens=0, cache_write_tokens=9_000, output_tokens=10)
    asked = dataclasses.replace(verdict(usage, cost_usd("anthropic", SONNET, usage=usage)), model=SONNET)
    saved = cache_saved_usd([asked], Panel({"j": model}))
    assert saved is not None
    assert saved < 0


def test_stored_verdicts_and_those_without_a_cache_save_nothing() -> None:
    cached, plain = Usage(100, 50, 0, 10, 0), Usage(100, 0, 0, 10, 0)
    told = [verdict(cached, None, n_calls=0), verdict(plain, None)]
    assert cache_saved_usd(told, Panel({"j": FakeModel()})) == 0


def test_without_a_price_the_saving_is_not_known() -> None:
    assert cache_saved_usd([verdict(Usage(100, 50, 0, 10, 0), None)], Panel({"j": FakeModel()})) is None

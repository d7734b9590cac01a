from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import ProviderErrorKind, UsageError
from audit.judges.asking import Asked, ask_all
from audit.judges.one_model import AskingOptions
from audit.judges.panel import PanelOptions, make_panel
from audit.judges.spending import Limits, Spending
from audit.providers.prices import OwnPrice
from audit.records.prompt import Prompt, Reply
from audit.records.verdict import VerdictState
from audit.store import Store
from tests.judges.panels import QUICK, FakeModel, always, fault, in_turn, questions, reply, score

PRICE = OwnPrice(input=0, output=100_000, cached=0)
"""A reply of ten tokens costs a dollar."""


def ask_within(
    limits: Limits, model: FakeModel, path: Path, *, n_tasks: int = 10, options: AskingOptions = QUICK
) -> Asked:
    chosen = replace(options, limits=limits, prices={"fake:m": PRICE})
    with Store(path) as store:
        return asyncio.run(ask_all(questions(n_tasks), {"fake:m": model}, store=store, options=chosen))


def states(asked: Asked) -> list[VerdictState]:
    return [verdict.state for verdict in asked.verdicts]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.sqlite3"


def priced_model(most_tokens: int = 20) -> FakeModel:
    model = FakeModel()
    model.parameters = f'{{"max_output_tokens": {most_tokens}}}'
    return model


def test_no_more_requests_are_sent_than_allowed_and_the_rest_is_asked_later(path: Path) -> None:
    model = FakeModel()
    asked = ask_within(Limits(max_calls=4), model, path)
    assert len(model.asked) == 4
    assert states(asked).count(VerdictState.OK) == 4
    assert states(asked).count(VerdictState.NOT_ASKED) == 6
    assert asked.tally.planned == asked.tally.scored + asked.tally.unscored
    assert [stop.kind for stop in asked.stops] == ["limit"]
    assert "--max-calls 4" in asked.stops[0].message
    again = ask_within(Limits(), model, path)
    assert len(model.asked) == 10
    assert states(again) == [VerdictState.OK] * 10


def test_retries_count_as_requests(path: Path) -> None:
    model = FakeModel(always(fault(ProviderErrorKind.SERVER)))
    asked = ask_within(Limits(max_calls=3), model, path, options=replace(QUICK, concurrency=1))
    assert len(model.asked) == 3
    assert VerdictState.OK not in states(asked)


def test_repairs_count_as_requests_and_the_unreadable_reply_is_kept(path: Path) -> None:
    model = FakeModel(in_turn(score(), "no verdict at all"))
    asked = ask_within(Limits(max_calls=2), model, path, options=replace(QUICK, concurrency=1))
    assert len(model.asked) == 2
    assert states(asked)[:3] == [VerdictState.OK, VerdictState.MALFORMED, VerdictState.NOT_ASKED]
    assert "not repaired: the limit is reached" in asked.verdicts[1].problem
    with Store(path) as store:
        assert len(store.history(asked.verdicts[1].key)) == 2


def test_a_budget_is_never_crossed_and_not_left_unused(path: Path) -> None:
    model = priced_model()
    asked = ask_within(Limits(budget_usd=6.5), model, path)
    assert asked.tally.cost_usd == pytest.approx(5), "a sixth call may cost 2 dollars, and 1.5 are left"
    assert states(asked).count(VerdictState.OK) == 5
    assert "--budget 6.5" in asked.stops[0].message


def test_a_budget_that_suffices_stops_nothing(path: Path) -> None:
    asked = ask_within(Limits(budget_usd=11.5), priced_model(), path)
    assert not asked.stops
    assert asked.tally.cost_usd == pytest.approx(10)


def test_what_is_stored_costs_nothing_of_the_budget(path: Path) -> None:
    ask_within(Limits(), priced_model(), path)
    asked = ask_within(Limits(max_calls=1, budget_usd=0.01), priced_model(), path)
    assert not asked.stops
    assert asked.tally.cost_usd == 0


def test_a_reply_whose_price_cannot_be_told_counts_with_the_most_that_it_can_cost(path: Path) -> None:
    unknown = replace(reply(score()), usage=replace(reply("").usage, output_tokens=None))
    model = FakeModel(always(unknown))
    model.parameters = '{"max_output_tokens": 20}'
    asked = ask_within(Limits(budget_usd=6.5), model, path)
    assert len(model.asked) == 3
    assert asked.tally.cost_usd is None


def test_a_call_that_fails_frees_what_was_held_for_it(path: Path) -> None:
    answers = iter([fault(ProviderErrorKind.CONTEXT_TOO_LONG)] * 5 + [reply(score())] * 5)

    async def answer(prompt: Prompt, trial: int) -> Reply:
        await asyncio.sleep(0)
        given = next(answers)
        if isinstance(given, Reply):
            return given
        raise given

    model = FakeModel(answer)
    model.parameters = '{"max_output_tokens": 20}'
    asked = ask_within(Limits(budget_usd=6), model, path)
    assert states(asked).count(VerdictState.OK) == 5


def test_one_budget_is_shared_by_all_judges(path: Path) -> None:
    models = {name: priced_model() for name in ("fake:a", "fake:b")}
    options = replace(QUICK, limits=Limits(budget_usd=7), prices=dict.fromkeys(models, PRICE))
    with Store(path) as store:
        asked = asyncio.run(ask_all(questions(10), models, store=store, options=options))
    assert asked.tally.cost_usd == pytest.approx(6)
    assert {stop.judge for stop in asked.stops} == set(models)


def test_a_budget_without_a_price_is_refused_before_anything_is_sent() -> None:
    judges = ["openai:any@http://127.0.0.1:1/v1"]
    with pytest.raises(UsageError, match=r"the price of .* is not known"):
        make_panel(judges, PanelOptions(limits=Limits(budget_usd=1)))
    panel = make_panel(judges, PanelOptions(prices=(f"{judges[0]}=1/2",), limits=Limits(budget_usd=1)))
    assert panel.prices[judges[0]] == OwnPrice(input=1, output=2, cached=1)


def test_without_limits_everything_may_be_sent() -> None:
    async def hold_many() -> list[bool]:
        spending = Spending(Limits())
        return [await spending.hold(0.0) for _ in range(1000)]

    assert all(asyncio.run(hold_many()))

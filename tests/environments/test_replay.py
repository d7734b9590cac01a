from __future__ import annotations

from audit.environments.replay import replay
from audit.environments.retail import RETAIL
from tests.builders import task
from tests.environments.worlds import bind, call_of, retail_database


def test_a_failing_gold_call_is_skipped_and_the_next_runs_on_the_state_as_it_is() -> None:
    environment = bind(RETAIL, retail_database())
    calls = [
        call_of("cancel_pending_order", {"order_id": "#D", "reason": "no longer needed"}),
        call_of("cancel_pending_order", {"order_id": "#P", "reason": "no longer needed"}),
        call_of("get_order_details", {"order_id": "#P"}),
    ]
    run = replay(environment, task(actions=tuple(calls)))

    assert [outcome.error for outcome in run.outcomes] == ["order is not pending", "", ""]
    assert [outcome.action.arguments["order_id"] for outcome in run.failures] == ["#D"]
    assert not run.is_unchanged
    assert run.final["orders"]["#P"]["status"] == "cancelled"  # type: ignore[call-overload, index]
    assert run.state_before(0) is run.initial
    assert run.state_before(2) is run.outcomes[1].state


def test_without_gold_calls_the_target_is_the_initial_state() -> None:
    environment = bind(RETAIL, retail_database())
    for actions in ((), None):
        run = replay(environment, task(actions=actions))
        assert run.outcomes == ()
        assert run.final is run.initial
        assert run.is_unchanged

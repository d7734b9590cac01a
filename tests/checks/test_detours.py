"""Gold writes that reach the same in fewer steps, or that lead nowhere and back."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks.detours import CHECK
from audit.checks.protocol import Subject
from audit.environments.airline import AIRLINE
from audit.environments.retail import RETAIL
from audit.environments.toolset import Domain
from audit.records.finding import Finding, Severity
from audit.records.task import Action, Origin, Tool, ToolKind
from tests.builders import benchmark, task
from tests.environments.worlds import airline_database, retail_database

HOME = {"address1": "1 Elm", "address2": "", "city": "Bern", "state": "BE", "country": "CH", "zip": "3000"}


def gold(name: str, arguments: dict[str, Any], *, at: int = 0) -> Action:
    return Action(name, arguments, ToolKind.UNKNOWN, Origin("tasks.json", f"evaluation_criteria.actions[{at}]", "t1"))


def look(*actions: Action, domain: Domain = RETAIL, text: str = "Hello.", database: Any = None) -> list[Finding]:  # noqa: ANN401
    rows = database or (retail_database() if domain is RETAIL else airline_database())
    tools = tuple(Tool(name, body.kind, caller=caller) for (caller, name), body in domain.tools.items())
    subject = benchmark(task(description=text, actions=actions), database=rows, tools=tools)
    return list(CHECK.inspect(Subject(subject, domain.bind(subject))))


def brief(found: list[Finding]) -> list[tuple[str, Severity]]:
    return [(one.rule, one.severity) for one in found]


def fly(date: str, cabin: str = "business", flight: str = "F1") -> Action:
    flights = [{"flight_number": flight, "date": date}]
    arguments = {"reservation_id": "R1", "cabin": cabin, "flights": flights, "payment_id": "card_1"}
    return gold("update_reservation_flights", arguments)


def move(user_id: str, **changes: str) -> Action:
    return gold("modify_user_address", {"user_id": user_id, **HOME, **changes})


BACK = retail_database()["users"]["ada_1"]["address"]
CANCEL = gold("cancel_pending_order", {"order_id": "#P", "reason": "no longer needed"})


def test_two_changes_of_one_row_that_one_call_could_make_are_found() -> None:
    (found,) = look(fly("2024-05-20"), fly("2024-05-21"), domain=AIRLINE)
    assert (found.rule, found.severity) == ("gold-two-steps-for-one", Severity.WARNING)
    assert "reservations R1 payment_history" in found.what
    assert found.origin.field == "evaluation_criteria.actions[0]"


@pytest.mark.parametrize(
    "text", ["First change the cabin, then the day.", "Do this in two steps.", "Change them separately."]
)
def test_two_steps_that_the_script_asks_for_are_a_note(text: str) -> None:
    (found,) = look(fly("2024-05-20"), fly("2024-05-21"), domain=AIRLINE, text=text)
    assert (found.severity, found.what.endswith("The script speaks of steps.")) == (Severity.NOTE, True)


@pytest.mark.parametrize(
    "calls",
    [
        (fly("2024-05-21"),),
        (fly("2024-05-21"), gold("cancel_reservation", {"reservation_id": "R1"})),  # another tool
        (fly("2024-05-20"), fly("2024-05-20", "economy", "F9")),  # the second fails
    ],
)
def test_other_pairs_of_calls_are_no_detour(calls: tuple[Action, ...]) -> None:
    assert look(*calls, domain=AIRLINE) == []


def test_calls_whose_results_both_stay_are_no_detour() -> None:
    first, second = move("ada_1", city="Basel"), move("ada_1", city="Genf")
    assert look(first, second) == []  # the second overwrites the first: no list is another
    pair = {"order_id": "#D", "item_ids": ["A1"], "payment_method_id": "card_1"}
    assert look(gold("return_delivered_order_items", pair), CANCEL) == []


def test_a_call_that_needs_the_one_before_is_no_detour() -> None:
    rows = airline_database()
    rows["flights"]["F1"]["dates"]["2024-05-21"]["available_seats"]["business"] = 0
    assert look(fly("2024-05-20"), fly("2024-05-21"), domain=AIRLINE, database=rows) == []


def test_a_row_that_is_changed_there_and_back_is_found() -> None:
    (found,) = look(move("ada_1"), CANCEL, move("ada_1", **BACK))
    assert (found.rule, found.severity) == ("gold-write-undone", Severity.WARNING)
    assert found.what == "modify_user_address change users ada_1, which ends as it began."


def test_a_target_that_equals_the_start_is_left_to_another_rule() -> None:
    assert look(move("ada_1"), move("ada_1", **BACK)) == []


def test_a_row_that_other_rows_show_the_steps_of_is_not_undone() -> None:
    """A seat that is given back and taken again for another booking."""
    new = {
        "user_id": "ada_1",
        "origin": "AAA",
        "destination": "BBB",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-20"}],
        "passengers": [{"first_name": "Ada", "last_name": "Poole", "dob": "1990-01-01"}],
        "payment_methods": [{"payment_id": "card_1", "amount": 100}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    calls = gold("book_reservation", new), gold("cancel_reservation", {"reservation_id": "R1"})
    assert brief(look(*calls, domain=AIRLINE)) == []


def test_without_a_replay_nothing_is_said() -> None:
    assert list(CHECK.inspect(Subject(benchmark(task(actions=(CANCEL,)))))) == []

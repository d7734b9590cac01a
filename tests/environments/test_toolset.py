from __future__ import annotations

import pytest

from audit.environments.airline import AIRLINE
from audit.environments.mock import MOCK
from audit.environments.registry import DOMAINS
from audit.environments.retail import RETAIL
from audit.environments.toolset import Domain, type_tables
from audit.loaders.json_file import read_input
from audit.loaders.tools import read_tools
from audit.records.task import Json
from audit.resources import resource
from tests.environments.worlds import airline, airline_database, bind, call_of, retail_database


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({}, "reservation_id is missing"),
        ({"reservation_id": "R1", "why": "x"}, "why is not a parameter"),
        ({"id": "R1"}, "reservation_id is missing, id is not a parameter"),
    ],
)
def test_arguments_are_checked_before_anything_happens(arguments: dict[str, Json], detail: str) -> None:
    outcome = airline().call("cancel_reservation", **arguments)
    assert (outcome.error, outcome.detail, outcome.changed) == ("bad arguments", detail, ())


def test_optional_arguments_may_be_left_out_or_given() -> None:
    environment = bind(MOCK, {"tasks": {}, "users": {"u": {"tasks": []}}})
    state = environment.initial_state("t1")
    for arguments in ({"user_id": "u", "title": "x"}, {"user_id": "u", "title": "x", "description": "y"}):
        assert environment.call(state, call_of("create_task", arguments)).error == ""


@pytest.mark.parametrize("value", [None, 3, 2.5, True, [], {}, ["R1"], {"a": 1}, "", "💥"])
@pytest.mark.parametrize("domain", [AIRLINE, RETAIL], ids=lambda domain: domain.name)
def test_no_argument_of_any_kind_raises(domain: Domain, value: Json) -> None:
    environment = bind(domain, airline_database() if domain is AIRLINE else retail_database())
    state = environment.initial_state("t1")
    for (caller, name), body in domain.tools.items():
        outcome = environment.call(state, call_of(name, dict.fromkeys(body.parameters, value), requestor=caller))
        assert bool(outcome.error) != (outcome.result is not None)


@pytest.mark.parametrize("row", [{}, {"payment_methods": None}, {"payment_methods": 3, "reservations": 3}, 3, None, []])
def test_rows_of_another_shape_make_errors_of_calls(row: Json) -> None:
    talk = airline(users__ada_1=row)  # type: ignore[arg-type]
    bags = {"total_baggages": 1, "nonfree_baggages": 1, "payment_id": "card_1"}
    outcome = talk.call("update_reservation_baggages", reservation_id="R1", **bags)
    assert outcome.error
    assert outcome.changed == ()


def test_tables_that_need_no_typing_are_shared() -> None:
    database = airline_database()
    typed = type_tables(database, AIRLINE)
    assert typed["flights"] is database["flights"]
    assert typed["users"] is not database["users"]
    assert type_tables({"flights": {}}, AIRLINE) == {"flights": {}}


@pytest.mark.parametrize(
    ("name", "table"), [("tau-airline", "tau-airline"), ("tau-retail", "tau-retail"), ("tau-mock", "tau-mock")]
)
def test_our_tool_tables_and_our_tools_agree(name: str, table: str) -> None:
    path = resource("benchmarks", "tools", f"{table}.json")
    listed = {(tool.caller, tool.name): tool for tool in read_tools(read_input(path, root=path.parent, role="tools"))}
    bodies = DOMAINS[name].tools
    assert listed.keys() == bodies.keys()
    for key, tool in listed.items():
        assert tool.kind is bodies[key].kind
        assert {each.name for each in tool.parameters if each.is_required} == set(bodies[key].parameters)
        assert {each.name for each in tool.parameters if not each.is_required} == set(bodies[key].optional)

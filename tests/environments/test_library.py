from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from audit.environments.protocol import State
from audit.environments.registry import environment_for
from audit.environments.replay import replay
from audit.environments.toolset import ToolEnvironment
from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from tests.benchmarks.sample import answer_key
from tests.environments.worlds import Talk

Rows = dict[str, dict[str, Any]]


@cache
def library() -> Benchmark:
    return load_benchmark(resolve_source("sample/library"))


def start() -> Talk:
    environment = environment_for(library())
    assert isinstance(environment, ToolEnvironment)
    return Talk(environment, environment.initial_state("lib_01"))


def first(talk: Talk, table: str, **fields: Any) -> Any:  # noqa: ANN401  # a row
    """Return the first row that has these values."""
    rows: Any = talk.state[table].values()
    return next(row for row in rows if all(row[name] == value for name, value in fields.items()))


def check_invariants(state: State) -> None:
    tables: Rows = {name: dict(rows) for name, rows in state.items()}
    holds, loans = tables["holds"].values(), tables["loans"].values()
    for item_id, item in tables["items"].items():
        assert item["waiting_holds"] == sum(h["item_id"] == item_id and h["status"] == "waiting" for h in holds)
        for copy_id, copy in item["copies"].items():
            assert (copy["status"] == "on_loan") == any(
                loan["copy_id"] == copy_id and loan["status"] == "open" for loan in loans
            )
            assert (copy["status"] == "on_hold_shelf") == any(
                hold["copy_id"] == copy_id and hold["status"] == "ready" for hold in holds
            )
    for room_id, room in tables["rooms"].items():
        for date, day in room["days"].items():
            booked = [
                {"start": b["start"], "end": b["end"]}
                for b in tables["bookings"].values()
                if (b["room_id"], b["date"], b["status"]) == (room_id, date, "booked")
            ]
            assert day["taken"] == sorted(booked, key=lambda slot: slot["start"])


def test_gold_fails_only_where_a_flaw_of_that_kind_was_planted() -> None:
    environment = environment_for(library())
    assert environment is not None
    failing = {task.id for task in library().tasks if replay(environment, task).failures}
    kinds = {flaw["task_id"]: flaw["kind"] for flaw in answer_key()["flaws"]}
    assert {kinds[task_id] for task_id in failing} == {"unknown_id", "bad_arguments", "impossible_write"}


def test_what_holds_in_the_file_holds_after_every_gold_call() -> None:
    environment = environment_for(library())
    assert environment is not None
    for task in library().tasks:
        check_invariants(replay(environment, task).final)


def test_members_and_titles_are_found() -> None:
    talk = start()
    member = first(talk, "members", kind="adult")
    assert talk.call("find_member_by_email", email=member["email"].upper()).result == member["member_id"]
    assert talk.call("find_member_by_email", email="x").error == "unknown id"
    named = {"first_name": member["name"]["first_name"].lower(), "last_name": member["name"]["last_name"]}
    assert talk.call("find_member_by_name", **named, zip=member["address"]["zip"]).result == member["member_id"]
    assert talk.call("find_member_by_name", **named, zip="x").error == "unknown id"
    item = first(talk, "items", medium="audiobook")
    found = talk.call("search_titles", words=f" {item['title'].upper()} {item['author'].split()[-1]}").result
    assert isinstance(found, list)
    assert item["item_id"] in found
    assert talk.call("search_titles", words="zzz").result == []
    assert talk.call("search_titles", words=" ").error == "bad value"
    assert talk.call("get_record", table="members", record_id=member["member_id"]).result == member
    assert talk.call("get_record", table="members", record_id="MB0").error == "unknown id"
    assert talk.call("get_record", table="staff", record_id="MB0").error == "bad arguments"
    assert talk.call("transfer_to_librarian", summary="x").changed == ()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("renew_loan", {"loan_id": 3}),
        ("pay_fees", {"member_id": "MB1062", "fee_ids": [3], "method": "card"}),
        ("pay_fees", {"member_id": "MB1062", "fee_ids": "FE1064", "method": "card"}),
        ("pay_fees", {"member_id": "MB1062", "fee_ids": [], "method": "cash"}),
        ("renew_loan", {}),
        ("renew_loan", {"loan_id": "LN20225", "days": 3}),
        (
            "book_room",
            {"member_id": "", "room_id": "", "date": "", "start": "", "hours": True, "party_size": 1},
        ),
    ],
)
def test_arguments_of_another_type_are_refused_before_anything_else(tool: str, arguments: dict[str, Any]) -> None:
    outcome = start().call(tool, **arguments)
    assert (outcome.error, outcome.changed) == ("bad arguments", ())


def test_a_renewal_counts_from_today() -> None:
    talk = start()
    loan = first(talk, "loans", status="open")
    days = talk.row("items", loan["item_id"])["loan_days"]
    talk.call("renew_loan", loan_id=loan["loan_id"])
    assert talk.row("loans", loan["loan_id"])["due_on"] == {21: "2027-05-05", 7: "2027-04-21"}[days]
    assert talk.row("loans", loan["loan_id"])["renewals"] == loan["renewals"] + 1
    closed = first(talk, "loans", status="returned")["loan_id"]
    assert talk.call("renew_loan", loan_id=closed).error == "wrong state"
    assert talk.call("renew_loan", loan_id="LN0").error == "unknown id"


def test_a_lost_title_costs_its_price_and_handling() -> None:
    talk = start()
    loan = first(talk, "loans", status="open")
    fee: Any = talk.call("report_lost", loan_id=loan["loan_id"]).result
    item = talk.row("items", loan["item_id"])
    assert fee["amount"] == round(item["price"] + 4, 2)
    assert (fee["kind"], fee["loan_id"], fee["request_id"], fee["status"]) == ("lost", loan["loan_id"], None, "open")
    assert item["copies"][loan["copy_id"]]["status"] == "lost"
    assert talk.row("members", loan["member_id"])["fees"][-1] == fee["fee_id"]
    assert talk.call("report_lost", loan_id=loan["loan_id"]).error == "wrong state"
    check_invariants(talk.state)


def test_holds_are_placed_once_and_cancelled_waiting_or_ready() -> None:
    talk = start()
    ready, waiting = first(talk, "holds", status="ready"), first(talk, "holds", status="waiting")
    for hold in (ready, waiting):
        again = {"member_id": hold["member_id"], "item_id": hold["item_id"], "pickup_branch": "main"}
        assert talk.call("place_hold", **again).error == "wrong state"
        assert talk.call("cancel_hold", hold_id=hold["hold_id"]).error == ""
        assert talk.call("cancel_hold", hold_id=hold["hold_id"]).error == "wrong state"
        check_invariants(talk.state)
        made: Any = talk.call("place_hold", **again).result
        assert made["placed_on"] == "2027-04-14"
        assert talk.row("members", hold["member_id"])["holds"][-1] == made["hold_id"]
        check_invariants(talk.state)
    assert talk.row("holds", ready["hold_id"])["copy_id"] is None
    unknown = {"member_id": "MB0", "item_id": "IT0", "pickup_branch": "main"}
    assert talk.call("place_hold", **unknown).error == "unknown id"
    assert talk.call("place_hold", **(unknown | {"member_id": ready["member_id"]})).error == "unknown id"


def test_rooms_are_let_within_their_hours_and_once() -> None:
    talk = start()
    member_id = first(talk, "members", kind="adult")["member_id"]
    wish: dict[str, Any] = {"member_id": member_id, "room_id": "RM101", "date": "2027-04-15", "party_size": 2}
    made: Any = talk.call("book_room", **wish, start="11:00", hours=2).result
    assert (made["end"], made["status"]) == ("13:00", "booked")
    assert talk.call("book_room", **wish, start="09:00", hours=2).error == ""
    assert talk.row("rooms", "RM101")["days"]["2027-04-15"]["taken"][0] == {"start": "09:00", "end": "11:00"}
    check_invariants(talk.state)
    for changes, error in (
        ({"start": "12:00"}, "unavailable"),
        ({"start": "08:00"}, "unavailable"),
        ({"start": "18:00", "hours": 2}, "unavailable"),
        ({"start": "18:00", "hours": 90}, "unavailable"),
        ({"start": "13:30"}, "bad value"),
        ({"start": "24:00"}, "bad value"),
        ({"hours": 0}, "bad value"),
        ({"party_size": 0}, "bad value"),
        ({"date": "2030-01-01"}, "unavailable"),
        ({"date": "2027-04-14", "start": "09:00"}, "unavailable"),
        ({"room_id": "RM0"}, "unknown id"),
        ({"member_id": "MB0"}, "unknown id"),
    ):
        asked: dict[str, Any] = wish | {"start": "14:00", "hours": 1} | changes
        assert talk.call("book_room", **asked).error == error, changes
    assert talk.call("cancel_booking", booking_id=made["booking_id"]).error == ""
    assert talk.call("cancel_booking", booking_id=made["booking_id"]).error == "wrong state"
    check_invariants(talk.state)


def test_fees_are_paid_together_or_not_at_all() -> None:
    talk = start()
    members: Any = talk.state["members"].values()
    fees: Any = talk.state["fees"]
    mine = {m["member_id"]: [f for f in m["fees"] if fees[f]["status"] == "open"] for m in members}
    by_card = next(m["member_id"] for m in members if mine[m["member_id"]] and m["card_on_file"])
    without = next(m["member_id"] for m in members if mine[m["member_id"]] and not m["card_on_file"])
    paid = next(f for m in members for f in m["fees"] if fees[f]["status"] != "open")
    for arguments, error in (
        ({"member_id": "MB0", "fee_ids": []}, "unknown id"),
        ({"member_id": by_card, "fee_ids": []}, "bad value"),
        ({"member_id": by_card, "fee_ids": mine[by_card][:1] * 2}, "bad value"),
        ({"member_id": by_card, "fee_ids": ["FE0"]}, "unknown id"),
        ({"member_id": by_card, "fee_ids": mine[without][:1]}, "wrong owner"),
        ({"member_id": fees[paid]["member_id"], "fee_ids": [paid]}, "wrong state"),
        ({"member_id": without, "fee_ids": mine[without]}, "cannot pay"),
    ):
        assert talk.call("pay_fees", **arguments, method="card").error == error, arguments
    settled: Any = talk.call("pay_fees", member_id=by_card, fee_ids=mine[by_card], method="card").result
    assert [(fee["status"], fee["paid_with"], fee["settled_on"]) for fee in settled] == [
        ("paid", "card", "2027-04-14")
    ] * len(mine[by_card])


def test_credit_pays_what_it_covers() -> None:
    talk = start()
    fee = first(talk, "fees", status="open")
    member: Any = talk.row("members", fee["member_id"])
    arguments = {"member_id": fee["member_id"], "fee_ids": [fee["fee_id"]], "method": "credit"}
    poor: Any = {**talk.state, "members": {**talk.state["members"], fee["member_id"]: {**member, "credit": 0.0}}}
    rich: Any = {**talk.state, "members": {**talk.state["members"], fee["member_id"]: {**member, "credit": 50.1}}}
    assert Talk(talk.environment, poor).call("pay_fees", **arguments).error == "cannot pay"
    talk = Talk(talk.environment, rich)
    assert talk.call("pay_fees", **arguments).error == ""
    assert talk.row("members", fee["member_id"])["credit"] == round(50.1 - fee["amount"], 2)


def test_waivers_are_noted_with_the_member() -> None:
    talk = start()
    fee = first(talk, "fees", status="open")
    waived: Any = talk.call("waive_fee", fee_id=fee["fee_id"], reason="illness").result
    assert (waived["status"], waived["waiver_reason"]) == ("waived", "illness")
    assert talk.row("members", fee["member_id"])["last_waiver_on"] == "2027-04-14"
    assert talk.call("waive_fee", fee_id=fee["fee_id"], reason="illness").error == "wrong state"


def test_a_request_comes_with_its_fee() -> None:
    talk = start()
    member_id = first(talk, "members", kind="student")["member_id"]
    made: Any = talk.call("request_interlibrary", member_id=member_id, title="Far", author="Off").result
    member = talk.row("members", member_id)
    assert member["requests"][-1] == made["request_id"]
    fee = talk.row("fees", member["fees"][-1])
    assert (fee["kind"], fee["amount"], fee["request_id"]) == ("interlibrary", 3.0, made["request_id"])
    assert talk.call("request_interlibrary", member_id="MB0", title="Far", author="Off").error == "unknown id"

"""Every shipped rule of the sample library, broken once and kept once; and what the rules find in the sample."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks.policy_rules import inspect
from audit.checks.protocol import Subject
from audit.environments.registry import environment_for
from audit.loaders.policy_rules import find_policy_rules
from audit.loaders.registry import load_benchmark
from audit.sources.resolve import resolve_source
from tests.checks.rule_examples import Call, Example, Tables, broken_rules, shipped_rules

RULES = shipped_rules("sample-library")


def member(key: str, kind: str = "adult", **fields: object) -> dict[str, Any]:
    lists: dict[str, Any] = {name: [] for name in ("loans", "holds", "fees", "bookings", "requests", "minors")}
    made = {
        "member_id": key,
        "kind": kind,
        "status": "active",
        "expires_on": "2027-12-31",
        "guardian_id": None,
        "last_waiver_on": None,
        "card_on_file": True,
    }
    return made | lists | fields


def title(key: str, name: str, **fields: object) -> dict[str, Any]:
    copies = {"c1": {"copy_id": "c1", "branch": "main", "status": "on_shelf"}}
    made = {"item_id": key, "title": name, "circulation": "standard", "age_from": 0, "waiting_holds": 0}
    return made | {"copies": copies} | fields


ROWS: Tables = {
    "members": {
        "M1": member("M1", loans=["L1"], fees=["F1"], bookings=["B1"], minors=["M2"]),
        "M2": member("M2", "junior", guardian_id="M1"),
        "M3": member("M3", "visitor"),
    },
    "items": {"T1": title("T1", "Tides"), "T2": title("T2", "Boats")},
    "loans": {
        "L1": {
            "loan_id": "L1",
            "member_id": "M1",
            "item_id": "T1",
            "due_on": "2027-04-10",
            "renewals": 1,
            "status": "open",
        }
    },
    "holds": {},
    "fees": {"F1": {"fee_id": "F1", "member_id": "M1", "kind": "overdue", "amount": 2.5, "status": "open"}},
    "rooms": {"R1": {"room_id": "R1", "seats": 4}},
    "bookings": {"B1": {"booking_id": "B1", "member_id": "M1", "date": "2027-04-20", "start": "10:00"}},
    "requests": {},
}


def renew() -> tuple[Call, ...]:
    return (("renew_loan", {"loan_id": "L1"}),)


def hold(who: str = "M1", what: str = "T2", branch: str = "north") -> tuple[Call, ...]:
    return (("place_hold", {"member_id": who, "item_id": what, "pickup_branch": branch}),)


def room(who: str = "M1", **arguments: object) -> tuple[Call, ...]:
    made = {"room_id": "R1", "date": "2027-04-20", "start": "10:00", "hours": 2, "party_size": 3}
    return (("book_room", {"member_id": who} | made | arguments),)


def pay(who: str = "M1", method: str = "card") -> tuple[Call, ...]:
    return (("pay_fees", {"member_id": who, "fee_ids": ["F1"], "method": method}),)


def waive(reason: str = "illness") -> tuple[Call, ...]:
    return (("waive_fee", {"fee_id": "F1", "reason": reason}),)


def request(name: str) -> tuple[Call, ...]:
    return (("request_interlibrary", {"member_id": "M1", "title": name, "author": "A. Writer"}),)


def patch(table: str, key: str, **fields: object) -> dict[str, Any]:
    return {table: {key: fields}}


FULL = {
    "members": {"M3": {"holds": ["H1", "H2"]}},
    "holds": {key: {"hold_id": key, "member_id": "M3", "item_id": "T9", "status": "waiting"} for key in ("H1", "H2")},
}
EXPIRED = patch("members", "M1", expires_on="2027-04-13")
GROWN_UP = patch("items", "T2", age_from=16)
CANCEL: tuple[Call, ...] = (("cancel_booking", {"booking_id": "B1"}),)
EXAMPLES = (
    Example("one-family", (*pay("M1"), *hold("M3")), (*pay("M1"), *hold("M2"))),
    Example("nothing-new-once-expired", renew(), pay(), EXPIRED, EXPIRED),
    Example("no-change-while-suspended", CANCEL, CANCEL, patch("members", "M1", status="suspended")),
    Example(
        "guardian-asks-for-junior",
        hold("M2"),
        hold("M2"),
        broken_text="You want the boat book.",
        kept_text="You want the boat book for your daughter.",
    ),
    Example("rooms-and-requests-by-kind", room("M3"), room("M1")),
    Example("debt-blocks", renew(), renew(), patch("fees", "F1", amount=10.01), patch("fees", "F1", amount=10.0)),
    Example("renewals-left", renew(), renew(), patch("loans", "L1", renewals=2)),
    Example("nobody-waits", renew(), renew(), patch("items", "T1", waiting_holds=1)),
    Example(
        "not-too-late",
        renew(),
        renew(),
        patch("loans", "L1", due_on="2027-03-30"),
        patch("loans", "L1", due_on="2027-03-31"),
    ),
    Example("express-not-renewed", renew(), renew(), patch("items", "T1", circulation="express")),
    Example("open-holds", hold("M3"), hold("M3"), FULL),
    Example("nothing-on-the-shelf", hold(branch="main"), hold(branch="north")),
    Example("not-held-or-lent-already", hold(what="T1"), hold(what="T2")),
    Example("reference-not-held", hold(), hold(), patch("items", "T2", circulation="reference")),
    Example("age", hold("M2"), hold("M1"), GROWN_UP, GROWN_UP),
    Example("days-ahead", room(date="2027-04-29"), room(date="2027-04-28")),
    Example("hours", room(hours=4), room(hours=3)),
    Example("seats", room(party_size=5), room(party_size=4)),
    Example(
        "cancelled-in-time",
        CANCEL,
        CANCEL,
        patch("bookings", "B1", date="2027-04-15", start="09:00"),
        patch("bookings", "B1", date="2027-04-15", start="10:00"),
    ),
    Example("ways-to-pay", pay(method="cheque"), pay(method="credit")),
    Example("only-overdue-waived", waive(), waive(), patch("fees", "F1", kind="lost")),
    Example("waiver-limit", waive(), waive(), patch("fees", "F1", amount=6.25), patch("fees", "F1", amount=6.0)),
    Example(
        "one-waiver-a-year",
        waive(),
        waive(),
        patch("members", "M1", last_waiver_on="2026-04-15"),
        patch("members", "M1", last_waiver_on="2026-04-14"),
    ),
    Example("ground-illness", waive(), waive(), kept_text="You were in hospital."),
    Example("ground-bereavement", waive("bereavement"), waive("bereavement"), kept_text="Your aunt died."),
    Example("own-titles-not-requested", request("Boats"), request("Kites")),
)
by_rule = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)


def test_every_rule_of_the_library_has_an_example() -> None:
    assert sorted(example.rule for example in EXAMPLES) == sorted(rule.id for rule in RULES.rules)


@by_rule
def test_a_gold_call_that_breaks_a_library_rule_is_found(example: Example) -> None:
    assert example.rule in broken_rules(example, ROWS, RULES, kept=False)


@by_rule
def test_a_gold_call_that_keeps_to_a_library_rule_is_not_found(example: Example) -> None:
    assert example.rule not in broken_rules(example, ROWS, RULES, kept=True)


@pytest.mark.parametrize("replays", [True, False], ids=["replayed", "without an environment"])
def test_the_rules_find_the_planted_breaches_in_the_sample_and_nothing_else(*, replays: bool) -> None:
    sample = load_benchmark(resolve_source("sample/library"))
    environment = environment_for(sample) if replays else None
    found = list(inspect(Subject(sample, environment, find_policy_rules(sample.policy))))
    assert sorted((str(one.task_id), one.policy_item, str(one.severity)) for one in found) == [
        ("lib_24", "L11", "error"),
        ("lib_29", "L27", "error"),
    ]

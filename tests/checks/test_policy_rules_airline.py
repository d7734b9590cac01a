"""Every shipped rule of τ airline, broken once and kept once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.rule_examples import Call, Example, Tables, broken_rules, shipped_rules

RULES = shipped_rules("tau-airline")
AHEAD, PAST, TODAY, SOON, DROPPED = "2024-05-20", "2024-05-10", "2024-05-15", "2024-05-16", "2024-05-17"


def flight(number: str, origin: str, destination: str) -> dict[str, Any]:
    for_sale = {
        "status": "available",
        "available_seats": {"basic_economy": 9, "economy": 9, "business": 9},
        "prices": {"basic_economy": 60, "economy": 100, "business": 300},
    }
    return {
        "flight_number": number,
        "origin": origin,
        "destination": destination,
        "dates": {
            AHEAD: for_sale,
            PAST: {"status": "landed"},
            TODAY: {"status": "flying"},
            SOON: {"status": "on time"},
            DROPPED: {"status": "cancelled"},
        },
    }


def trip(**fields: object) -> dict[str, Any]:
    made: dict[str, object] = {
        "reservation_id": "TRIP01",
        "user_id": "ann",
        "origin": "OSL",
        "destination": "RIX",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "FL1", "date": AHEAD, "price": 100, "origin": "OSL", "destination": "RIX"}],
        "passengers": [{"first_name": "Ann", "last_name": "Lund", "dob": "1990-01-01"}],
        "payment_history": [{"payment_id": "card_1", "amount": 100}],
        "created_at": "2024-05-01T10:00:00",
        "total_baggages": 1,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return made | fields


ROWS: Tables = {
    "flights": {
        "FL1": flight("FL1", "OSL", "RIX"),
        "FL2": flight("FL2", "RIX", "OSL"),
        "FL3": flight("FL3", "OSL", "RIX"),
        "FL4": flight("FL4", "OSL", "TLL"),
    },
    "users": {
        "ann": {
            "user_id": "ann",
            "membership": "regular",
            "reservations": ["TRIP01"],
            "payment_methods": {
                "card_1": {"id": "card_1", "source": "credit_card"},
                "card_2": {"id": "card_2", "source": "credit_card"},
                "certificate_1": {"id": "certificate_1", "source": "certificate", "amount": 100},
                "certificate_2": {"id": "certificate_2", "source": "certificate", "amount": 100},
                **{f"gift_{n}": {"id": f"gift_{n}", "source": "gift_card", "amount": 90} for n in range(1, 5)},
            },
        }
    },
    "reservations": {"TRIP01": trip()},
}


def book(**arguments: object) -> tuple[Call, ...]:
    made = {
        "user_id": "ann",
        "origin": "OSL",
        "destination": "RIX",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "FL1", "date": AHEAD}],
        "passengers": [{"first_name": "Ann", "last_name": "Lund", "dob": "1990-01-01"}],
        "payment_methods": [{"payment_id": "card_1", "amount": 100}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return (("book_reservation", made | arguments),)


def pay(*ids: str) -> dict[str, Any]:
    return {"payment_methods": [{"payment_id": key, "amount": 100 // len(ids)} for key in ids]}


def change(number: str = "FL1", date: str = AHEAD, **arguments: object) -> tuple[Call, ...]:
    made = {
        "reservation_id": "TRIP01",
        "cabin": "economy",
        "flights": [{"flight_number": number, "date": date}],
        "payment_id": "card_1",
    }
    return (("update_reservation_flights", made | arguments),)


def bags(total: int, charged: int) -> tuple[Call, ...]:
    made = {"reservation_id": "TRIP01", "total_baggages": total, "nonfree_baggages": charged, "payment_id": "card_1"}
    return (("update_reservation_baggages", made),)


def passengers(number: int) -> tuple[Call, ...]:
    people = [{"first_name": f"P{n}", "last_name": "Lund", "dob": "1990-01-01"} for n in range(number)]
    return (("update_reservation_passengers", {"reservation_id": "TRIP01", "passengers": people}),)


def certificate(amount: int) -> tuple[Call, ...]:
    return (("send_certificate", {"user_id": "ann", "amount": amount}),)


CANCEL: tuple[Call, ...] = (("cancel_reservation", {"reservation_id": "TRIP01"}),)


def held(**fields: object) -> dict[str, Any]:
    return {"reservations": {"TRIP01": trip(**fields)}}


def member(level: str) -> dict[str, Any]:
    return {"users": {"ann": {"membership": level}}}


def on(date: str) -> list[dict[str, Any]]:
    return [{"flight_number": "FL1", "date": date, "price": 100, "origin": "OSL", "destination": "RIX"}]


FIVE = [{"first_name": f"P{n}", "last_name": "Lund", "dob": "1990-01-01"} for n in range(5)]
GOLD_DROPPED = member("gold") | held(flights=on(DROPPED))
EXAMPLES = (
    Example("book-only-available-delayed", book(flights=[{"flight_number": "FL1", "date": SOON}]), book()),
    Example("book-only-available-flying", book(flights=[{"flight_number": "FL1", "date": TODAY}]), book()),
    Example("change-only-to-available-delayed", change("FL3", SOON), change("FL1", SOON), {}, held(flights=on(SOON))),
    Example("change-only-to-available-flying", change("FL3", TODAY), change("FL3")),
    Example("book-passenger-maximum", book(passengers=[*FIVE, FIVE[0]]), book(passengers=FIVE)),
    Example("book-one-certificate", book(**pay("certificate_1", "certificate_2")), book(**pay("certificate_1"))),
    Example("book-one-credit-card", book(**pay("card_1", "card_2")), book(**pay("card_1", "certificate_1"))),
    Example(
        "book-three-gift-cards",
        book(**pay("gift_1", "gift_2", "gift_3", "gift_4")),
        book(**pay("gift_1", "gift_2", "gift_3", "card_1")),
    ),
    Example("book-stored-payment", book(**pay("card_9")), book()),
    Example(
        "book-free-bags-regular",
        book(total_baggages=1, nonfree_baggages=1),
        book(total_baggages=2, nonfree_baggages=1),
    ),
    Example(
        "book-free-bags-silver",
        book(total_baggages=3, nonfree_baggages=0),
        book(total_baggages=2, nonfree_baggages=0),
        member("silver"),
        member("silver"),
    ),
    Example(
        "book-free-bags-gold",
        book(total_baggages=3, nonfree_baggages=3),
        book(total_baggages=3, nonfree_baggages=0, cabin="business"),
        member("gold"),
        member("gold"),
    ),
    Example("add-free-bags-regular", bags(2, 0), bags(2, 1)),
    Example("add-free-bags-silver", bags(2, 1), bags(2, 0), member("silver"), member("silver")),
    Example("add-free-bags-gold", bags(3, 2), bags(4, 1), member("gold"), member("gold")),
    Example("booking-total-without-insurance", book(payment_methods=[{"payment_id": "card_1", "amount": 90}]), book()),
    Example(
        "booking-total-with-insurance",
        book(insurance="yes"),
        book(insurance="yes", payment_methods=[{"payment_id": "card_1", "amount": 130}]),
    ),
    Example(
        "basic-economy-flights-stay",
        change("FL3", cabin="basic_economy"),
        change("FL1", cabin="business"),
        held(cabin="basic_economy"),
        held(cabin="basic_economy"),
    ),
    Example(
        "basic-economy-flights-stay-at-upgrade",
        change("FL3"),
        change("FL1"),
        held(cabin="basic_economy"),
        held(cabin="basic_economy"),
    ),
    Example("route-and-trip-kind-stay", change("FL4"), change("FL3")),
    Example(
        "cabin-stays-once-flown",
        change(cabin="business"),
        change(date=PAST),
        held(flights=on(PAST)),
        held(flights=on(PAST)),
    ),
    Example("bags-are-not-removed", bags(0, 0), bags(1, 0)),
    Example("passenger-count-stays", passengers(2), passengers(1)),
    Example("change-paid-without-certificate", change("FL3", payment_id="certificate_1"), change("FL3")),
    Example("change-stored-payment", change("FL3", payment_id="card_9"), change("FL3", payment_id="gift_1")),
    Example("no-cancelling-once-flown", CANCEL, CANCEL, held(flights=on(PAST)), {}),
    Example("cancel-grounds", CANCEL, CANCEL, {}, held(created_at="2024-05-14T16:00:00")),
    Example("certificate-for-entitled-users", certificate(100), certificate(100), {}, held(insurance="yes")),
    Example("certificate-grounds", certificate(50), (*change("FL3"), *certificate(50)), member("gold"), member("gold")),
    Example("certificate-amount-for-cancelled-flights", certificate(50), certificate(100), GOLD_DROPPED, GOLD_DROPPED),
    Example(
        "certificate-amount-for-delayed-flights",
        (*change("FL3"), *certificate(100)),
        (*change("FL3"), *certificate(50)),
        member("silver"),
        member("silver"),
    ),
    Example(
        "certificate-for-delay-comes-last",
        (*certificate(50), *change("FL3")),
        (*change("FL3"), *certificate(50)),
        member("silver"),
        member("silver"),
    ),
)
by_rule = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)


def test_every_rule_of_the_airline_has_an_example() -> None:
    assert sorted(example.rule for example in EXAMPLES) == sorted(rule.id for rule in RULES.rules)


@by_rule
def test_a_gold_call_that_breaks_an_airline_rule_is_found(example: Example) -> None:
    assert example.rule in broken_rules(example, ROWS, RULES, kept=False)


@by_rule
def test_a_gold_call_that_keeps_to_an_airline_rule_is_not_found(example: Example) -> None:
    assert example.rule not in broken_rules(example, ROWS, RULES, kept=True)


def cancelled(text: str, **fields: object) -> set[str]:
    example = Example("", CANCEL, (), held(**fields), broken_text=text)
    return broken_rules(example, ROWS, RULES, kept=False)


@pytest.mark.parametrize(
    "fields",
    [
        {"cabin": "business"},
        {"flights": on(DROPPED)},
        {"created_at": "2024-05-14T15:00:00"},
    ],
    ids=["business", "cancelled by the airline", "just 24 hours ago"],
)
def test_each_ground_alone_allows_a_cancellation(fields: dict[str, Any]) -> None:
    assert cancelled("You changed your mind.", **fields) == set()


def test_insurance_allows_a_cancellation_only_where_the_text_gives_a_covered_reason() -> None:
    assert cancelled("You have a fever and can't travel.", insurance="yes") == set()
    assert cancelled("You changed your mind.", insurance="yes") == {"cancel-grounds"}


def test_a_round_trip_must_come_back() -> None:
    both = [*on(AHEAD), {"flight_number": "FL2", "date": AHEAD, "price": 9, "origin": "RIX", "destination": "OSL"}]
    rows = held(flight_type="round_trip", flights=both)
    there = Example("", change("FL3"), change("FL3", flights=[dict(one) for one in both]), rows, rows)
    assert "route-and-trip-kind-stay" in broken_rules(there, ROWS, RULES, kept=False)
    assert "route-and-trip-kind-stay" not in broken_rules(there, ROWS, RULES, kept=True)


def test_a_reservation_whose_own_flights_miss_its_route_says_nothing_about_new_ones() -> None:
    odd = Example("", change("FL4"), (), held(destination="OSL"))
    assert "route-and-trip-kind-stay" not in broken_rules(odd, ROWS, RULES, kept=False)

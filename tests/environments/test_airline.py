from __future__ import annotations

from typing import Any

import pytest

from audit.records.task import ToolKind
from tests.environments.worlds import airline, booking, call_of, flight, for_sale, person


def test_look_ups_answer_rows_and_name_what_is_missing() -> None:
    talk = airline()
    assert talk.call("get_user_details", user_id="ada_1").result["reservations"] == ["R1"]  # type: ignore[call-overload, index]
    assert talk.call("get_user_details", user_id="bob").error == "user not found"
    found = talk.call("get_reservation_details", reservation_id="R1").result
    assert isinstance(found, dict)
    assert found["status"] is None
    assert talk.call("get_reservation_details", reservation_id="R2").error == "reservation not found"
    assert talk.call("get_flight_status", flight_number="F1", date="2024-05-10").result == "landed"
    assert (
        talk.call("get_flight_status", flight_number="F1", date="2024-06-10").error == "flight not found on that date"
    )
    assert talk.call("get_flight_status", flight_number="F9", date="2024-05-10").error == "flight not found"
    airports = talk.call("list_all_airports").result
    assert isinstance(airports, list)
    assert len(airports) == 20
    assert talk.call("transfer_to_human_agents", summary="x").result == "Transfer successful"
    assert talk.call("calculate", expression="1+1").result == "2.0"


def test_direct_flights_are_those_for_sale_on_the_date() -> None:
    talk = airline()
    found: Any = talk.call("search_direct_flight", origin="BBB", destination="CCC", date="2024-05-20").result
    assert [leg["flight_number"] for leg in found] == ["F2", "F3"]
    assert found[0]["date"] is None
    assert found[0]["available_seats"]["economy"] == 1
    for origin, date in (("AAA", "2024-05-10"), ("AAA", "2024-07-01"), ("ZZZ", "2024-05-20")):
        assert talk.call("search_direct_flight", origin=origin, destination="BBB", date=date).result == []


def test_a_second_leg_leaves_after_the_first_arrives_and_on_the_next_day_after_a_late_one() -> None:
    talk = airline()
    found: Any = talk.call("search_onestop_flight", origin="AAA", destination="CCC", date="2024-05-20").result
    legs = [[(leg["flight_number"], leg["date"]) for leg in pair] for pair in found]
    assert legs == [[("F1", "2024-05-20"), ("F2", "2024-05-20")], [("F4", "2024-05-20"), ("F5", "2024-05-21")]]


def test_the_hour_after_midnight_is_compared_with_the_plus_sign_and_all() -> None:
    early: Any = {**airline().row("flights", "F5"), "scheduled_departure_time_est": "01:00:00"}
    arguments = {"origin": "AAA", "destination": "CCC", "date": "2024-05-20"}
    assert len(airline().call("search_onestop_flight", **arguments).result) == 2  # type: ignore[arg-type]
    assert len(airline(flights__F5=early).call("search_onestop_flight", **arguments).result) == 1  # type: ignore[arg-type]


def test_the_day_after_the_eighth_is_written_without_a_zero_and_finds_nothing() -> None:
    late = flight("F4", "AAA", "DDD", at=("22:00:00", "01:00:00+1"), dates={"2024-05-08": for_sale()})
    next_day = flight("F5", "DDD", "CCC", at=("02:00:00", "04:00:00"), dates={"2024-05-09": for_sale()})
    talk = airline(flights__F4=late, flights__F5=next_day)
    assert talk.call("search_onestop_flight", origin="AAA", destination="CCC", date="2024-05-08").result == []


def test_a_date_without_day_fails_only_where_a_first_leg_lands_after_midnight() -> None:
    late = flight("F4", "AAA", "DDD", at=("22:00:00", "01:00:00+1"), dates={"xx": for_sale()})
    talk = airline(flights__F4=late)
    assert talk.call("search_onestop_flight", origin="AAA", destination="CCC", date="yy").result == []
    assert talk.call("search_onestop_flight", origin="AAA", destination="CCC", date="xx").error


def test_a_booking_takes_money_and_seats_and_joins_the_profile() -> None:
    talk = airline()
    outcome = talk.call(
        "book_reservation",
        **booking(
            passengers=[{**person("Ada"), "seat": "1A"}, person("Ben")],
            insurance="yes",
            nonfree_baggages=1,
            total_baggages=3,
            payment_methods=[
                {"payment_id": "gift_1", "amount": 150.0},
                {"payment_id": "cert_1", "amount": 100},
                {"payment_id": "card_1", "amount": 60},
            ],
        ),
    )
    assert outcome.error == ""
    made = talk.row("reservations", "HATHAT")
    assert outcome.result == made
    assert made["flights"] == [
        {"flight_number": "F1", "origin": "AAA", "destination": "BBB", "date": "2024-05-20", "price": 100}
    ]
    assert made["passengers"] == [person("Ada"), person("Ben")]
    assert made["payment_history"][0] == {"payment_id": "gift_1", "amount": 150}
    assert made["created_at"] == "2024-05-15T15:00:00"
    assert made["status"] is None
    user = talk.row("users", "ada_1")
    assert user["payment_methods"]["gift_1"]["amount"] == 100.0
    assert "cert_1" not in user["payment_methods"]
    assert user["reservations"] == ["R1", "HATHAT"]
    assert talk.row("flights", "F1")["dates"]["2024-05-20"]["available_seats"] == {
        "basic_economy": 3,
        "economy": 1,
        "business": 3,
    }
    assert set(outcome.changed) == {("reservations", "HATHAT"), ("users", "ada_1"), ("flights", "F1")}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"flights": [{"flight_number": "F1"}], "user_id": "bob"}, "invalid record"),
        ({"passengers": ["Ada"], "user_id": "bob"}, "invalid record"),
        ({"payment_methods": [{"payment_id": "card_1", "amount": 99.5}], "user_id": "bob"}, "invalid record"),
        ({"user_id": "bob", "cabin": "first"}, "user not found"),
        ({"cabin": "first"}, "invalid record"),
        ({"flight_type": "two_way"}, "invalid record"),
        ({"total_baggages": "many"}, "invalid record"),
        ({"insurance": True}, "invalid record"),
        ({"flights": [{"flight_number": "F9", "date": "2024-05-20"}]}, "flight not found"),
        ({"flights": [{"flight_number": "F1", "date": "2024-06-20"}]}, "flight not found on that date"),
        ({"flights": [{"flight_number": "F1", "date": "2024-05-10"}]}, "flight not available"),
        (
            {"flights": [{"flight_number": "F2", "date": "2024-05-20"}], "passengers": [person("A"), person("B")]},
            "not enough seats",
        ),
        ({"payment_methods": [{"payment_id": "card_9", "amount": 100}]}, "payment method not found"),
        ({"payment_methods": [{"payment_id": "cert_1", "amount": 121}]}, "not enough balance"),
        ({"payment_methods": [{"payment_id": "card_1", "amount": 99}]}, "payments do not add up"),
        ({"payment_methods": []}, "payments do not add up"),
        ({"nonfree_baggages": "1"}, "an argument or a row has another shape"),
    ],
)
def test_the_first_thing_wrong_with_a_booking_decides_and_nothing_changes(changes: dict[str, Any], error: str) -> None:
    talk = airline()
    before = talk.state
    outcome = talk.call("book_reservation", **booking(**changes))
    assert outcome.error == error
    assert outcome.result is None
    assert outcome.changed == ()
    assert talk.state is before


def test_only_three_bookings_get_an_id() -> None:
    talk = airline()
    made = [talk.call("book_reservation", **booking()) for _ in range(3)]
    assert [outcome.result["reservation_id"] for outcome in made] == ["HATHAT", "HATHAU", "HATHAV"]  # type: ignore[call-overload, index]
    assert talk.call("book_reservation", **booking(cabin="first")).error == "too many reservations"


def test_a_certificate_that_pays_twice_leaves_what_was_taken_before() -> None:
    talk = airline()
    payments = [
        {"payment_id": "gift_1", "amount": 40},
        {"payment_id": "cert_1", "amount": 30},
        {"payment_id": "cert_1", "amount": 30},
    ]
    outcome = talk.call("book_reservation", **booking(payment_methods=payments))
    assert outcome.error == "payment method not found"
    assert outcome.changed == (("users", "ada_1"),)
    methods = talk.row("users", "ada_1")["payment_methods"]
    assert methods["gift_1"]["amount"] == 210.0
    assert "cert_1" not in methods
    assert "HATHAT" not in talk.state["reservations"]


def test_a_cancellation_writes_refunds_and_releases_nothing() -> None:
    talk = airline()
    outcome = talk.call("cancel_reservation", reservation_id="R1")
    assert outcome.changed == (("reservations", "R1"),)
    assert talk.row("reservations", "R1")["payment_history"] == [
        {"payment_id": "card_1", "amount": 160},
        {"payment_id": "card_1", "amount": -160},
    ]
    assert talk.row("reservations", "R1")["status"] == "cancelled"
    talk.call("cancel_reservation", reservation_id="R1")
    assert [entry["amount"] for entry in talk.row("reservations", "R1")["payment_history"]] == [160, -160, -160, 160]
    assert talk.call("cancel_reservation", reservation_id="R2").error == "reservation not found"


def test_a_segment_that_stays_keeps_its_old_price() -> None:
    talk = airline()
    segments = [
        {"flight_number": "F1", "date": "2024-05-20", "price": 1},
        {"flight_number": "F3", "date": "2024-05-20"},
    ]
    outcome = talk.call(
        "update_reservation_flights", reservation_id="R1", cabin="economy", flights=segments, payment_id="gift_1"
    )
    assert outcome.error == ""
    assert [segment["price"] for segment in talk.row("reservations", "R1")["flights"]] == [80, 100]
    assert talk.row("reservations", "R1")["payment_history"][-1] == {"payment_id": "gift_1", "amount": 200}
    assert talk.row("users", "ada_1")["payment_methods"]["gift_1"]["amount"] == 50.0
    assert talk.row("flights", "F3")["dates"]["2024-05-20"]["available_seats"]["economy"] == 3


def test_another_cabin_prices_every_segment_anew_and_can_pay_back() -> None:
    talk = airline()
    same = [{"flight_number": "F1", "date": "2024-05-20"}]
    outcome = talk.call(
        "update_reservation_flights", reservation_id="R1", cabin="basic_economy", flights=same, payment_id="gift_1"
    )
    assert outcome.result["cabin"] == "basic_economy"  # type: ignore[call-overload, index]
    assert talk.row("reservations", "R1")["payment_history"][-1] == {"payment_id": "gift_1", "amount": -60}
    assert talk.row("users", "ada_1")["payment_methods"]["gift_1"]["amount"] == 310.0


def test_an_empty_list_of_flights_pays_everything_back() -> None:
    talk = airline()
    talk.call("update_reservation_flights", reservation_id="R1", cabin="first", flights=[], payment_id="card_1")
    assert talk.row("reservations", "R1")["flights"] == []
    assert talk.row("reservations", "R1")["cabin"] == "first"
    assert talk.row("reservations", "R1")["payment_history"][-1] == {"payment_id": "card_1", "amount": -160}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"flights": ["F1"], "reservation_id": "R2"}, "invalid record"),
        ({"reservation_id": "R2"}, "reservation not found"),
        ({"flights": [{"flight_number": "F9", "date": "2024-05-20"}], "payment_id": "x"}, "flight not found"),
        ({"payment_id": "x"}, "payment method not found"),
        ({"payment_id": "cert_1"}, "certificate not allowed"),
        ({"payment_id": "gift_1", "cabin": "business"}, "gift card balance too small"),
        ({"cabin": "first"}, "an argument or a row has another shape"),
    ],
)
def test_the_first_thing_wrong_with_new_flights_decides(changes: dict[str, Any], error: str) -> None:
    talk = airline()
    arguments: dict[str, Any] = {
        "reservation_id": "R1",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-20"}],
        "payment_id": "card_1",
    }
    outcome = talk.call("update_reservation_flights", **(arguments | changes))
    assert outcome.error == error
    assert outcome.changed == ()


def test_a_reservation_without_its_user_can_not_be_changed() -> None:
    orphan: dict[str, Any] = {**airline().row("reservations", "R1"), "user_id": "bob"}
    talk = airline(reservations__R1=orphan)
    bags = {"total_baggages": 1, "nonfree_baggages": 1, "payment_id": "card_1"}
    assert talk.call("update_reservation_baggages", reservation_id="R1", **bags).error == "user not found"
    flights = talk.call("update_reservation_flights", reservation_id="R1", cabin="x", flights=[], payment_id="y")
    assert flights.error == "user not found"


def test_added_paid_bags_cost_and_left_out_ones_are_not_paid_back() -> None:
    talk = airline()
    talk.call(
        "update_reservation_baggages", reservation_id="R1", total_baggages=4, nonfree_baggages=3, payment_id="card_1"
    )
    assert talk.row("reservations", "R1")["payment_history"][-1] == {"payment_id": "card_1", "amount": 100}
    fewer = talk.call(
        "update_reservation_baggages", reservation_id="R1", total_baggages=0, nonfree_baggages=0, payment_id="gift_1"
    )
    assert fewer.changed == (("reservations", "R1"),)
    assert len(talk.row("reservations", "R1")["payment_history"]) == 2
    refused = talk.call(
        "update_reservation_baggages", reservation_id="R1", total_baggages=0, nonfree_baggages=0, payment_id="cert_1"
    )
    assert refused.error == "certificate not allowed"


def test_half_a_bag_fails_after_the_gift_card_has_paid() -> None:
    talk = airline()
    outcome = talk.call(
        "update_reservation_baggages", reservation_id="R1", total_baggages=2, nonfree_baggages=1.25, payment_id="gift_1"
    )
    assert outcome.error == "invalid record"
    assert outcome.changed == (("users", "ada_1"),)
    assert talk.row("users", "ada_1")["payment_methods"]["gift_1"]["amount"] == 237.5
    assert talk.row("reservations", "R1")["nonfree_baggages"] == 1


def test_passengers_change_but_not_their_number() -> None:
    talk = airline()
    new = [{**person("Cleo"), "seat": 1}, person("Ben")]
    assert talk.call("update_reservation_passengers", reservation_id="R1", passengers=new).error == ""
    assert talk.row("reservations", "R1")["passengers"] == [person("Cleo"), person("Ben")]
    for passengers, error in (
        ([person("Cleo")], "another number of passengers"),
        ([{"first_name": "Cleo"}, person("Ben")], "invalid record"),
    ):
        assert talk.call("update_reservation_passengers", reservation_id="R1", passengers=passengers).error == error
    assert (
        talk.call("update_reservation_passengers", reservation_id="R2", passengers=[]).error == "reservation not found"
    )
    talk.call("update_reservation_passengers", reservation_id="R1", passengers=["Cleo", person("Ben")])
    assert talk.row("reservations", "R1")["passengers"] == ["Cleo", person("Ben")]


def test_certificates_get_the_first_free_id_of_three() -> None:
    talk = airline()
    assert talk.call("send_certificate", user_id="bob", amount="x").error == "user not found"
    assert talk.call("send_certificate", user_id="ada_1", amount="x").error == "invalid record"
    outcome = talk.call("send_certificate", user_id="ada_1", amount=50)
    assert outcome.result == "Certificate certificate_3221322 added to user ada_1 with amount 50."
    made = talk.row("users", "ada_1")["payment_methods"]["certificate_3221322"]
    assert made == {"source": "certificate", "id": "certificate_3221322", "amount": 50.0}
    assert type(made["amount"]) is float
    for _ in range(2):
        talk.call("send_certificate", user_id="ada_1", amount=1)
    assert talk.call("send_certificate", user_id="ada_1", amount=1).error == "too many certificates"


def test_every_gift_card_amount_is_a_float_whatever_the_file_says() -> None:
    amount = airline().row("users", "ada_1")["payment_methods"]["gift_1"]["amount"]
    assert (amount, type(amount)) == (250, float)


def test_users_have_no_tools_and_kinds_are_known() -> None:
    talk = airline()
    mine = call_of("get_user_details", {"user_id": "ada_1"}, requestor="user")
    assert talk.environment.call(talk.state, mine).error == "unknown tool"
    assert talk.environment.kind_of(mine) is ToolKind.UNKNOWN
    assert talk.environment.kind_of(call_of("cancel_reservation")) is ToolKind.WRITE
    assert talk.environment.kind_of(call_of("calculate")) is ToolKind.GENERIC
    assert talk.environment.name == "tau-airline"

from __future__ import annotations

from audit.environments.registry import DOMAINS
from tests.environments.worlds import Talk, airline_database, bind, booking, order, retail_database


def start(name: str, **orders: object) -> Talk:
    database = airline_database() if name == "tau1-airline" else retail_database()
    for key, row in orders.items():
        database["orders"][f"#{key}"] = row
    environment = bind(DOMAINS[name], database)
    return Talk(environment, environment.initial_state("t1"))


def test_a_booking_takes_no_seats_and_a_fourth_one_overwrites_the_third() -> None:
    talk = start("tau1-airline")
    for _ in range(4):
        assert talk.call("book_reservation", **booking()).error == ""
    assert talk.row("flights", "F1")["dates"]["2024-05-20"]["available_seats"]["economy"] == 3
    assert list(talk.state["reservations"]) == ["R1", "HATHAT", "HATHAU", "HATHAV"]


def test_a_new_cabin_sets_the_price_and_is_not_stored() -> None:
    talk = start("tau1-airline")
    segments = [{"flight_number": "F1", "date": "2024-05-20"}]
    talk.call(
        "update_reservation_flights", reservation_id="R1", cabin="business", flights=segments, payment_id="card_1"
    )
    assert talk.row("reservations", "R1")["cabin"] == "economy"
    assert talk.row("reservations", "R1")["flights"][0]["price"] == 300


def test_each_swapped_item_gets_its_own_price_and_may_be_the_same() -> None:
    talk = start("tau1-retail")
    swap = {"item_ids": ["A1", "B1"], "new_item_ids": ["A2", "B1"], "payment_method_id": "card_1"}
    assert talk.call("modify_pending_order_items", order_id="#P", **swap).error == ""
    items = [(item["item_id"], item["price"]) for item in talk.row("orders", "#P")["items"]]
    assert items == [("A2", 20.3), ("B1", 5.0), ("A1", 10.1)]


def test_an_order_with_swapped_items_can_not_be_changed_again() -> None:
    talk = start("tau1-retail", M=order("#M", "pending (item modified)", items=[("B1", "B", 5.0)]))
    payment = talk.call("modify_pending_order_payment", order_id="#M", payment_method_id="pal_1")
    assert payment.error == "order is not pending"
    address = dict.fromkeys(("address1", "address2", "city", "state", "country", "zip"), "x")
    assert talk.call("modify_pending_order_address", order_id="#M", **address).error == "order is not pending"
    assert talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="pal_1").error == ""
    assert talk.call("modify_pending_order_address", order_id="#P", **address).error == ""


def test_thinking_changes_nothing() -> None:
    assert start("tau1-retail").call("think", thought="Hm.").changed == ()
    assert start("tau1-retail").call("get_item_details", item_id="A1").error == "unknown tool"

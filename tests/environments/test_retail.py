from __future__ import annotations

import json
from typing import Any

import pytest

from tests.environments.worlds import Talk, order, retail

SWAP = {"order_id": "#P", "item_ids": ["A1"], "new_item_ids": ["A2"], "payment_method_id": "card_1"}
ELSEWHERE = {"address1": "2 Oak", "address2": "b", "city": "Ely", "state": "NJ", "country": "USA", "zip": "2"}


def balance(talk: Talk) -> float:
    amount: float = talk.row("users", "ada_1")["payment_methods"]["gift_1"]["balance"]
    return amount


def history(talk: Talk, order_id: str = "#P") -> list[tuple[str, float, str]]:
    entries = talk.row("orders", order_id)["payment_history"]
    return [(entry["transaction_type"], entry["amount"], entry["payment_method_id"]) for entry in entries]


def test_people_are_found_by_mail_and_by_name_with_zip() -> None:
    talk = retail()
    assert talk.call("find_user_id_by_email", email="aDA@mail.EXAMPLE").result == "ada_1"
    assert talk.call("find_user_id_by_email", email="x").error == "user not found"
    named = {"first_name": "ADA", "last_name": "poole"}
    assert talk.call("find_user_id_by_name_zip", **named, zip="10000").result == "ada_1"
    assert talk.call("find_user_id_by_name_zip", **named, zip="10001").error == "user not found"
    assert talk.call("find_user_id_by_email", email=3).error == "an argument or a row has another shape"


def test_look_ups_answer_rows_and_name_what_is_missing() -> None:
    talk = retail()
    assert talk.call("get_user_details", user_id="ada_1").result == talk.row("users", "ada_1")
    found = talk.call("get_order_details", order_id="#P").result
    assert isinstance(found, dict)
    assert found["cancel_reason"] is None
    assert found["exchange_price_difference"] is None
    assert talk.call("get_product_details", product_id="A").result == talk.row("products", "A")
    item: Any = talk.call("get_item_details", item_id="B2").result
    assert item["price"] == 4.0
    names = talk.call("list_all_product_types").result
    assert isinstance(names, str)
    assert json.loads(names) == {"Anvil": "A", "Bell": "B"}
    assert talk.call("calculate", expression="2*3").result == "6.0"
    assert talk.call("transfer_to_human_agents", summary="").result == "Transfer successful"
    for name, argument in (("user", "user_id"), ("order", "order_id"), ("product", "product_id"), ("item", "item_id")):
        assert talk.call(f"get_{name}_details", **{argument: "x"}).error == f"{name} not found"


def test_a_cancelled_order_is_paid_back_and_gift_cards_at_once() -> None:
    paid = order("#P", "pending", items=[("A1", "A", 10.1)], paid_with="gift_1")
    talk = retail(**{"orders__#P": paid})
    outcome = talk.call("cancel_pending_order", order_id="#P", reason="no longer needed")
    assert outcome.error == ""
    assert balance(talk) == 20.1
    assert history(talk) == [("payment", 10.1, "gift_1"), ("refund", 10.1, "gift_1")]
    assert talk.row("orders", "#P")["status"] == "cancelled"
    assert talk.row("orders", "#P")["cancel_reason"] == "no longer needed"


@pytest.mark.parametrize(
    ("order_id", "reason", "error"),
    [
        ("#X", "bored", "order not found"),
        ("#D", "bored", "order is not pending"),
        ("#P", "bored", "not a reason to cancel"),
    ],
)
def test_the_first_thing_wrong_with_a_cancellation_decides(order_id: str, reason: str, error: str) -> None:
    outcome = retail().call("cancel_pending_order", order_id=order_id, reason=reason)
    assert (outcome.error, outcome.changed) == (error, ())


def test_a_cancellation_that_meets_an_unknown_method_keeps_the_credits_before_it() -> None:
    paid = order("#P", "pending", items=[("A1", "A", 10.1)], paid_with="gift_1")
    paid["payment_history"].append({"transaction_type": "payment", "amount": 1.0, "payment_method_id": "gone"})
    talk = retail(**{"orders__#P": paid})
    outcome = talk.call("cancel_pending_order", order_id="#P", reason="ordered by mistake")
    assert (outcome.error, outcome.changed) == ("payment method not found", (("users", "ada_1"),))
    assert balance(talk) == 20.1


def test_swapped_items_all_get_the_last_variants_price_and_options() -> None:
    talk = retail()
    outcome = talk.call(
        "modify_pending_order_items", **(SWAP | {"item_ids": ["A1", "B1"], "new_item_ids": ["A2", "B2"]})
    )
    assert outcome.error == ""
    items = [(item["item_id"], item["price"], item["options"]["of"]) for item in talk.row("orders", "#P")["items"]]
    assert items == [("A2", 4.0, "B2"), ("B2", 4.0, "B2"), ("A1", 10.1, "A1")]
    assert history(talk)[-1] == ("payment", 20.3 - 10.1 + (4.0 - 5.0), "card_1")
    assert talk.row("orders", "#P")["status"] == "pending (item modified)"
    assert talk.call("modify_pending_order_items", **SWAP).error == "order is not pending"


def test_a_cheaper_item_is_paid_back_to_the_gift_card_unrounded_in_the_history() -> None:
    talk = retail(**{"orders__#P": order("#P", "pending", items=[("A2", "A", 20.3)])})
    talk.call(
        "modify_pending_order_items",
        **(SWAP | {"item_ids": ["A2"], "new_item_ids": ["A1"], "payment_method_id": "gift_1"}),
    )
    assert history(talk)[-1] == ("refund", abs(10.1 - 20.3), "gift_1")
    assert abs(10.1 - 20.3) != 10.2
    assert balance(talk) == 20.2


def test_swapping_nothing_still_writes_a_refund_of_nothing() -> None:
    talk = retail()
    assert talk.call("modify_pending_order_items", **(SWAP | {"item_ids": [], "new_item_ids": []})).error == ""
    last = talk.row("orders", "#P")["payment_history"][-1]
    assert (last["transaction_type"], last["amount"], type(last["amount"])) == ("refund", 0.0, float)
    assert talk.row("orders", "#P")["status"] == "pending (item modified)"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"order_id": "#X"}, "order not found"),
        ({"order_id": "#D"}, "order is not pending"),
        ({"item_ids": ["A9"], "new_item_ids": []}, "item not found"),
        ({"item_ids": ["B1", "B1"], "new_item_ids": ["B2", "B2"]}, "item not found"),
        ({"new_item_ids": []}, "the lists differ in length"),
        ({"new_item_ids": ["A1"], "payment_method_id": "x"}, "same item"),
        ({"new_item_ids": ["B1"], "payment_method_id": "x"}, "variant not found"),
        ({"new_item_ids": ["A3"], "payment_method_id": "x"}, "variant not available"),
        ({"payment_method_id": "x"}, "payment method not found"),
        ({"payment_method_id": "gift_1"}, "gift card balance too small"),
        ({"item_ids": None}, "an argument or a row has another shape"),
    ],
)
def test_the_first_thing_wrong_with_a_swap_decides(changes: dict[str, Any], error: str) -> None:
    outcome = retail().call("modify_pending_order_items", **(SWAP | changes))
    assert (outcome.error, outcome.changed) == (error, ())


def test_a_swap_of_an_orphan_is_refused() -> None:
    orphan = order("#P", "pending", items=[("A1", "A", 10.1), ("C1", "C", 1.0)]) | {"user_id": "bob"}
    talk = retail(**{"orders__#P": orphan})
    assert talk.call("modify_pending_order_items", **SWAP).error == "user not found"
    strange = SWAP | {"item_ids": ["C1"], "new_item_ids": ["C2"]}
    assert talk.call("modify_pending_order_items", **strange).error == "product not found"


def test_another_payment_method_is_charged_and_the_first_one_paid_back() -> None:
    paid = order("#P", "pending", items=[("B1", "B", 5.0)], paid_with="gift_1")
    talk = retail(**{"orders__#P": paid})
    talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="pal_1")
    assert history(talk)[1:] == [("payment", 5.0, "pal_1"), ("refund", 5.0, "gift_1")]
    assert balance(talk) == 15.0
    assert talk.row("orders", "#P")["status"] == "pending"
    again = talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="card_1")
    assert again.error == "not exactly one payment"


def test_a_gift_card_can_take_over_what_it_can_pay() -> None:
    talk = retail(**{"orders__#P": order("#P", "pending (item modified)", items=[("B1", "B", 5.0)])})
    talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="gift_1")
    assert history(talk)[1:] == [("payment", 5.0, "gift_1"), ("refund", 5.0, "card_1")]
    assert balance(talk) == 5.0


@pytest.mark.parametrize(
    ("order_id", "method", "error"),
    [
        ("#X", "x", "order not found"),
        ("#D", "x", "order is not pending"),
        ("#P", "x", "payment method not found"),
        ("#P", "card_1", "same payment method"),
        ("#P", "gift_1", "gift card balance too small"),
    ],
)
def test_the_first_thing_wrong_with_a_new_payment_method_decides(order_id: str, method: str, error: str) -> None:
    outcome = retail().call("modify_pending_order_payment", order_id=order_id, payment_method_id=method)
    assert (outcome.error, outcome.changed) == (error, ())


def test_a_refund_entry_is_no_payment_to_move() -> None:
    refunded = order("#P", "pending", items=[("B1", "B", 5.0)])
    refunded["payment_history"][0]["transaction_type"] = "refund"
    talk = retail(**{"orders__#P": refunded})
    outcome = talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="pal_1")
    assert outcome.error == "not exactly one payment"


def test_a_first_method_that_is_gone_fails_after_the_new_one_was_charged() -> None:
    talk = retail(**{"orders__#P": order("#P", "pending", items=[("B1", "B", 5.0)], paid_with="gone")})
    outcome = talk.call("modify_pending_order_payment", order_id="#P", payment_method_id="gift_1")
    assert outcome.error == "payment method not found"
    assert set(outcome.changed) == {("orders", "#P"), ("users", "ada_1")}
    assert balance(talk) == 5.0


def test_addresses_of_orders_and_users_are_their_own() -> None:
    talk = retail()
    assert talk.call("modify_pending_order_address", order_id="#P", **ELSEWHERE).error == ""
    assert talk.row("orders", "#P")["address"] == ELSEWHERE
    assert talk.row("users", "ada_1")["address"]["zip"] == "10000"
    assert talk.call("modify_user_address", user_id="ada_1", **(ELSEWHERE | {"zip": "3"})).error == ""
    assert talk.row("users", "ada_1")["address"]["zip"] == "3"
    assert talk.row("orders", "#P")["address"]["zip"] == "2"


@pytest.mark.parametrize(
    ("name", "key", "error"),
    [
        ("modify_pending_order_address", {"order_id": "#X"}, "order not found"),
        ("modify_pending_order_address", {"order_id": "#D"}, "order is not pending"),
        ("modify_pending_order_address", {"order_id": "#P"}, "invalid record"),
        ("modify_user_address", {"user_id": "bob"}, "user not found"),
        ("modify_user_address", {"user_id": "ada_1"}, "invalid record"),
    ],
)
def test_an_address_of_another_type_is_refused_last(name: str, key: dict[str, str], error: str) -> None:
    outcome = retail().call(name, **key, **(ELSEWHERE | {"zip": 2}))
    assert (outcome.error, outcome.changed) == (error, ())


def test_a_return_moves_no_money_and_sorts_the_items() -> None:
    talk = retail()
    outcome = talk.call(
        "return_delivered_order_items", order_id="#D", item_ids=["B1", "A1"], payment_method_id="card_1"
    )
    assert outcome.changed == (("orders", "#D"),)
    row = talk.row("orders", "#D")
    assert (row["status"], row["return_items"]) == ("return requested", ["A1", "B1"])
    assert row["return_payment_method_id"] == "card_1"
    assert len(row["payment_history"]) == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"order_id": "#X"}, "order not found"),
        ({"order_id": "#P"}, "order is not delivered"),
        ({"payment_method_id": "x"}, "payment method not found"),
        ({"payment_method_id": "pal_1", "item_ids": ["x"]}, "neither a gift card nor the method that paid"),
        ({"payment_method_id": "gift_1", "item_ids": ["x"]}, "item not found"),
    ],
)
def test_the_first_thing_wrong_with_a_return_decides(changes: dict[str, Any], error: str) -> None:
    arguments = {"order_id": "#D", "item_ids": ["A1"], "payment_method_id": "card_1"}
    outcome = retail().call("return_delivered_order_items", **(arguments | changes))
    assert (outcome.error, outcome.changed) == (error, ())


def test_an_exchange_notes_both_lists_sorted_and_the_rounded_difference() -> None:
    talk = retail()
    swap = {"item_ids": ["B1", "A1"], "new_item_ids": ["B2", "A2"], "payment_method_id": "pal_1"}
    outcome = talk.call("exchange_delivered_order_items", order_id="#D", **swap)
    assert outcome.error == ""
    row = talk.row("orders", "#D")
    assert (row["exchange_items"], row["exchange_new_items"]) == (["A1", "B1"], ["A2", "B2"])
    assert row["exchange_price_difference"] == 9.2
    assert row["status"] == "exchange requested"
    assert [item["item_id"] for item in row["items"]] == ["A1", "B1"]
    again = talk.call("exchange_delivered_order_items", order_id="#D", **swap)
    assert again.error == "order is not delivered"


def test_an_item_can_be_exchanged_for_itself_and_nothing_for_nothing() -> None:
    talk = retail()
    same = {"item_ids": ["A1"], "new_item_ids": ["A1"], "payment_method_id": "pal_1"}
    assert talk.call("exchange_delivered_order_items", order_id="#D", **same).error == ""
    talk = retail()
    nothing: dict[str, Any] = {"item_ids": [], "new_item_ids": [], "payment_method_id": "pal_1"}
    talk.call("exchange_delivered_order_items", order_id="#D", **nothing)
    difference = talk.row("orders", "#D")["exchange_price_difference"]
    assert (difference, type(difference)) == (0, int)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"order_id": "#P"}, "order is not delivered"),
        ({"item_ids": ["x"], "new_item_ids": []}, "item not found"),
        ({"new_item_ids": []}, "the lists differ in length"),
        ({"new_item_ids": ["A3"], "payment_method_id": "x"}, "variant not available"),
        ({"payment_method_id": "x"}, "payment method not found"),
        ({"payment_method_id": "gift_1"}, "gift card balance too small"),
    ],
)
def test_the_first_thing_wrong_with_an_exchange_decides(changes: dict[str, Any], error: str) -> None:
    outcome = retail().call("exchange_delivered_order_items", **(SWAP | {"order_id": "#D"} | changes))
    assert (outcome.error, outcome.changed) == (error, ())

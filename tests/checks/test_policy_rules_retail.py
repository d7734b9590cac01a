"""Every shipped rule of τ retail, broken once and kept once."""

from __future__ import annotations

from typing import Any

import pytest

from audit.records.finding import Certainty, Severity
from tests.checks.rule_examples import Call, Example, Tables, broken_rules, inspect_calls, shipped_rules

RULES = shipped_rules("tau-retail")


def variant(key: str, color: str, price: float, *, available: bool = True) -> dict[str, Any]:
    return {"item_id": key, "options": {"color": color}, "available": available, "price": price}


def order(key: str, status: str, user: str = "ann") -> dict[str, Any]:
    item = {"name": "Lamp", "product_id": "lamp", "item_id": "l1", "price": 20.0, "options": {"color": "red"}}
    paid = {"transaction_type": "payment", "amount": 20.0, "payment_method_id": "paypal_1"}
    return {
        "order_id": key,
        "user_id": user,
        "address": {"address1": "1 Way"},
        "items": [item],
        "status": status,
        "fulfillments": [],
        "payment_history": [paid],
    }


def user(key: str) -> dict[str, Any]:
    methods = {
        "paypal_1": {"id": "paypal_1", "source": "paypal"},
        "card_1": {"id": "card_1", "source": "credit_card"},
        "gift_1": {"id": "gift_1", "source": "gift_card", "balance": 12.0},
    }
    return {"user_id": key, "payment_methods": methods, "orders": [], "address": {}, "name": {}, "email": ""}


ROWS: Tables = {
    "orders": {
        "#W1": order("#W1", "pending"),
        "#W2": order("#W2", "delivered"),
        "#W3": order("#W3", "processed"),
        "#W4": order("#W4", "pending", "ben"),
        "#W5": order("#W5", "pending (item modified)"),
    },
    "users": {"ann": user("ann"), "ben": user("ben")},
    "products": {
        "lamp": {
            "name": "Lamp",
            "product_id": "lamp",
            "variants": {
                "l1": variant("l1", "red", 20.0),
                "l2": variant("l2", "blue", 30.0),
                "l3": variant("l3", "green", 40.0),
                "l4": variant("l4", "black", 20.0, available=False),
                "l5": variant("l5", "red", 25.0),
            },
        },
        "desk": {"name": "Desk", "product_id": "desk", "variants": {"d1": variant("d1", "red", 20.0)}},
    },
}


def cancel(key: str = "#W1", reason: str = "no longer needed") -> tuple[Call, ...]:
    return (("cancel_pending_order", {"order_id": key, "reason": reason}),)


def items(new: str, key: str = "#W1", method: str = "card_1") -> tuple[Call, ...]:
    made = {"order_id": key, "item_ids": ["l1"], "new_item_ids": [new], "payment_method_id": method}
    return (("modify_pending_order_items", made),)


def exchange(new: str, key: str = "#W2", method: str = "card_1") -> tuple[Call, ...]:
    return (("exchange_delivered_order_items", items(new, key, method)[0][1]),)


def give_back(method: str, key: str = "#W2") -> tuple[Call, ...]:
    made = {"order_id": key, "item_ids": ["l1"], "payment_method_id": method}
    return (("return_delivered_order_items", made),)


def payment(method: str, key: str = "#W1") -> tuple[Call, ...]:
    return (("modify_pending_order_payment", {"order_id": key, "payment_method_id": method}),)


PLACE = {"address1": "2 Way", "address2": "", "city": "Riga", "state": "", "country": "LV", "zip": "1001"}


def ship_to(key: str) -> tuple[Call, ...]:
    return (("modify_pending_order_address", {"order_id": key, **PLACE}),)


def move(key: str) -> tuple[Call, ...]:
    return (("modify_user_address", {"user_id": key, **PLACE}),)


MISTAKE = "ordered by mistake"
RICH = {"users": {"ann": {"payment_methods": {"gift_1": {"balance": 99.0}}}}}
EXAMPLES = (
    Example("one-customer-orders", (*cancel("#W1"), *cancel("#W4")), (*cancel("#W1"), *give_back("paypal_1"))),
    Example("one-customer-address", (*cancel("#W1"), *move("ben")), (*move("ann"), *cancel("#W1"))),
    Example("one-item-change-per-order", (*items("l2"), *items("l3")), (*items("l2"), *exchange("l2"))),
    Example("cancel-only-pending", cancel("#W3"), cancel()),
    Example(
        "cancel-reason-mistake-is-given",
        cancel(reason=MISTAKE),
        cancel(reason=MISTAKE),
        broken_text="You want the lamp cancelled.",
        kept_text="You ordered the lamp by accident.",
    ),
    Example(
        "cancel-reason-no-need-is-given",
        cancel(),
        cancel(),
        broken_text="You want the lamp cancelled.",
        kept_text="You don\N{RIGHT SINGLE QUOTATION MARK}t need the lamp.",
    ),
    Example("cancel-reason-counts", cancel(reason="too dear"), cancel()),
    Example("modify-only-pending", ship_to("#W3"), ship_to("#W1")),
    Example("new-payment-differs", payment("paypal_1"), payment("card_1")),
    Example("gift-card-covers-order", payment("gift_1"), payment("gift_1"), {}, RICH),
    Example("item-change-locks-order", ship_to("#W5"), ship_to("#W1")),
    Example("modified-item-in-stock", items("l4"), items("l2")),
    Example("modified-item-differs", items("l5"), items("l2")),
    Example("modified-item-keeps-product", items("d1"), items("l2")),
    Example("modified-item-stored-payment", items("l2", method="card_9"), items("l2")),
    Example("gift-card-covers-modification", items("l3", method="gift_1"), items("l2", method="gift_1")),
    Example("return-only-delivered", give_back("paypal_1", "#W1"), give_back("paypal_1")),
    Example("refund-goes-back", give_back("card_1"), give_back("gift_1")),
    Example("exchange-only-delivered", exchange("l2", "#W1"), exchange("l2")),
    Example("exchanged-item-in-stock", exchange("l4"), exchange("l2")),
    Example("exchanged-item-differs", exchange("l1"), exchange("l2")),
    Example("exchanged-item-keeps-product", exchange("d1"), exchange("l2")),
    Example("exchanged-item-stored-payment", exchange("l2", method="card_9"), exchange("l2")),
    Example("gift-card-covers-exchange", exchange("l3", method="gift_1"), exchange("l2", method="gift_1")),
)
by_rule = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)


def test_every_rule_of_the_shop_has_an_example() -> None:
    assert sorted(example.rule for example in EXAMPLES) == sorted(rule.id for rule in RULES.rules)


@by_rule
def test_a_gold_call_that_breaks_a_shop_rule_is_found(example: Example) -> None:
    assert example.rule in broken_rules(example, ROWS, RULES, kept=False)


@by_rule
def test_a_gold_call_that_keeps_to_a_shop_rule_is_not_found(example: Example) -> None:
    assert example.rule not in broken_rules(example, ROWS, RULES, kept=True)


def test_a_broken_rule_is_a_note_where_the_tool_refuses_the_call() -> None:
    found = inspect_calls(exchange("l2", "#W1"), ROWS, rules=RULES, text="", replays=True)
    assert [(one.policy_item, one.severity, one.certainty) for one in found] == [
        ("R34", Severity.NOTE, Certainty.PROVED)
    ]
    assert found[0].what.endswith("The tool refuses the call.")


def test_a_broken_rule_is_an_error_where_the_tool_lets_the_call_through() -> None:
    found = inspect_calls(exchange("l1"), ROWS, rules=RULES, text="", replays=True)
    assert [(one.policy_item, one.severity) for one in found] == [("R36", Severity.ERROR)]


def test_a_call_that_was_refused_before_does_not_count_as_an_earlier_change() -> None:
    found = inspect_calls((*items("l4"), *items("l2")), ROWS, rules=RULES, text="", replays=True)
    assert [one.policy_item for one in found] == ["R25"]

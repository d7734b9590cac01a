"""τ retail: what the tools that change orders share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.environments.view import Draft, Row, ToolError

NO_ORDER: Final = "order not found"
_OPTIONAL: Final = (
    *("cancel_reason", "exchange_items", "exchange_new_items", "exchange_payment_method_id"),
    *("exchange_price_difference", "return_items", "return_payment_method_id"),
)


def show_order(order: Row) -> Row:
    """Return an order as the tools answer it: its optional fields are there, null where they are unset."""
    return {**dict.fromkeys(_OPTIONAL), **order}


def read_order(draft: Draft, order_id: str, *, status: str) -> Row:
    """Return an order of exactly this status."""
    order = draft.read("orders", order_id, missing=NO_ORDER)
    if order["status"] != status:
        raise ToolError(f"order is not {status}", f"its status is {order['status']}")
    return order


def check_items(order: Row, item_ids: Sequence[str]) -> None:
    """Raise unless the order holds every item as often as it is named."""
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            raise ToolError("item not found", f"{item_id} is {held.count(item_id)} times in the order")


def check_lengths(item_ids: Sequence[str], new_item_ids: Sequence[str]) -> None:
    """Raise unless as many items come as go."""
    if len(item_ids) != len(new_item_ids):
        raise ToolError("the lists differ in length", f"{len(item_ids)} and {len(new_item_ids)}")


def find_variant(draft: Draft, order: Row, *, old_id: str, new_id: str) -> tuple[Row, float]:
    """Return the variant that replaces an item, and how much more it costs."""
    old = next(item for item in order["items"] if item["item_id"] == old_id)
    variants = draft.read("products", old["product_id"], missing="product not found")["variants"]
    if new_id not in variants:
        raise ToolError("variant not found", f"{new_id} is no variant of {old['product_id']}")
    if not variants[new_id]["available"]:
        raise ToolError("variant not available", f"{new_id} is not available")
    return variants[new_id], variants[new_id]["price"] - old["price"]


def find_method(draft: Draft, order: Row, *, method_id: str) -> Row:
    """Return a payment method of the order's owner."""
    methods = draft.read("users", order["user_id"], missing="user not found")["payment_methods"]
    if method_id not in methods:
        raise ToolError("payment method not found", f"{method_id} is not in the profile")
    method: Row = methods[method_id]
    return method


def check_balance(method: Row, due: float) -> None:
    """Raise if a gift card can't pay what is due."""
    if method["source"] == "gift_card" and method["balance"] < due:
        raise ToolError("gift card balance too small", f"{method['balance']} is less than {due}")


def credit(draft: Draft, order: Row, *, method_id: str, amount: float) -> None:
    """Add an amount to a gift card of the order's owner, rounded to cents; other methods take it without a trace."""
    if find_method(draft, order, method_id=method_id)["source"] == "gift_card":
        card = draft.edit("users", order["user_id"])["payment_methods"][method_id]
        card["balance"] = round(card["balance"] + amount, 2)


def entry(kind: str, amount: float, *, method_id: str) -> Row:
    """Return an entry of a payment history."""
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method_id}

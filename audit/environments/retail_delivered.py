"""τ retail: returns and exchanges of orders that have arrived."""

from __future__ import annotations

from typing import Final

from audit.environments.retail_orders import (
    check_balance,
    check_items,
    check_lengths,
    find_method,
    find_variant,
    read_order,
    show_order,
)
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json

_DELIVERED: Final = "delivered"


def return_items(draft: Draft, arguments: Row) -> Json:
    """Ask for a return; no money moves yet."""
    order_id, method_id, item_ids = arguments["order_id"], arguments["payment_method_id"], arguments["item_ids"]
    order = read_order(draft, order_id, status=_DELIVERED)
    method = find_method(draft, order, method_id=method_id)
    first = order["payment_history"][0]["payment_method_id"]
    if method["source"] != "gift_card" and method_id != first:
        raise ToolError("neither a gift card nor the method that paid", f"{first} paid, not {method_id}")
    check_items(order, item_ids)
    order = draft.edit("orders", order_id)
    order.update(status="return requested", return_items=sorted(item_ids), return_payment_method_id=method_id)
    return show_order(order)


def exchange_items(draft: Draft, arguments: Row) -> Json:
    """Ask for an exchange; no money moves yet, and which item is swapped for which is lost."""
    order_id, method_id = arguments["order_id"], arguments["payment_method_id"]
    old_ids, new_ids = arguments["item_ids"], arguments["new_item_ids"]
    order = read_order(draft, order_id, status=_DELIVERED)
    check_items(order, old_ids)
    check_lengths(old_ids, new_ids)
    due: float = 0
    for old_id, new_id in zip(old_ids, new_ids, strict=True):
        due += find_variant(draft, order, old_id=old_id, new_id=new_id)[1]
    due = round(due, 2)
    check_balance(find_method(draft, order, method_id=method_id), due)
    order = draft.edit("orders", order_id)
    order.update(
        status="exchange requested",
        exchange_items=sorted(old_ids),
        exchange_new_items=sorted(new_ids),
        exchange_payment_method_id=method_id,
        exchange_price_difference=due,
    )
    return show_order(order)

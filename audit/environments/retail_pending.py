"""τ retail: changes of orders that are not on their way yet, and of users."""

from __future__ import annotations

from typing import Final

from audit.environments.retail_orders import (
    NO_ORDER,
    check_balance,
    check_items,
    check_lengths,
    credit,
    entry,
    find_method,
    find_variant,
    read_order,
    show_order,
)
from audit.environments.typed import number, record, text
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json

PENDING: Final = "pending"
_REASONS: Final = ("no longer needed", "ordered by mistake")
_ADDRESS: Final = dict.fromkeys(("address1", "address2", "city", "country", "state", "zip"), text)


def cancel_order(draft: Draft, arguments: Row) -> Json:
    """Cancel an order and pay every entry of its history back, refunds included."""
    order_id, reason = arguments["order_id"], arguments["reason"]
    order = read_order(draft, order_id, status=PENDING)
    if reason not in _REASONS:
        raise ToolError("not a reason to cancel", f"{reason!r}")
    refunds = []
    for paid in order["payment_history"]:
        credit(draft, order, method_id=paid["payment_method_id"], amount=paid["amount"])
        refunds.append(entry("refund", paid["amount"], method_id=paid["payment_method_id"]))
    order = draft.edit("orders", order_id)
    order["status"], order["cancel_reason"] = "cancelled", reason
    order["payment_history"] += refunds
    return show_order(order)


def modify_items(draft: Draft, arguments: Row) -> Json:
    """Swap items of an order for other variants, and settle the difference at once.

    All swapped items get the price and the options of the last pair's variant: so the domain's tools do, and so the
    target of a task depends on the order of the pairs.
    """
    pairs = list(zip(arguments["item_ids"], arguments["new_item_ids"], strict=False))
    variants = settle_items(draft, arguments, refuse_same=True)
    return swap_items(draft, arguments["order_id"], pairs=pairs, variants=variants[-1:] * len(pairs))


def settle_items(draft: Draft, arguments: Row, *, refuse_same: bool) -> list[Row]:
    """Check a swap of items and settle its difference; return the new variants, one a pair."""
    order_id, method_id = arguments["order_id"], arguments["payment_method_id"]
    old_ids, new_ids = arguments["item_ids"], arguments["new_item_ids"]
    order = read_order(draft, order_id, status=PENDING)
    check_items(order, old_ids)
    check_lengths(old_ids, new_ids)
    due: float = 0
    variants: list[Row] = []
    for old_id, new_id in zip(old_ids, new_ids, strict=True):
        if refuse_same and old_id == new_id:
            raise ToolError("same item", f"{old_id} is to be swapped for itself")
        variant, more = find_variant(draft, order, old_id=old_id, new_id=new_id)
        variants.append(variant)
        due += more
    check_balance(find_method(draft, order, method_id=method_id), due)
    history = draft.edit("orders", order_id)["payment_history"]
    history.append(entry("payment" if due > 0 else "refund", number(abs(due)), method_id=method_id))
    credit(draft, order, method_id=method_id, amount=-due)
    return variants


def swap_items(draft: Draft, order_id: str, *, pairs: list[tuple[str, str]], variants: list[Row]) -> Json:
    """Put new items in the places of old ones, each with the price and options of its entry in ``variants``."""
    order = draft.edit("orders", order_id)
    for (old_id, new_id), variant in zip(pairs, variants, strict=True):
        item = next(item for item in order["items"] if item["item_id"] == old_id)
        item.update(item_id=new_id, price=variant["price"], options=variant["options"])
    order["status"] = "pending (item modified)"
    return show_order(order)


def modify_payment(draft: Draft, arguments: Row) -> Json:
    """Charge another payment method and pay the first one back."""
    order_id, method_id = arguments["order_id"], arguments["payment_method_id"]
    order = _read_open_order(draft, order_id)
    method = find_method(draft, order, method_id=method_id)
    history = order["payment_history"]
    if len(history) != 1 or history[0]["transaction_type"] != "payment":
        raise ToolError("not exactly one payment", f"the history has {len(history)} entries")
    amount, old_id = history[0]["amount"], history[0]["payment_method_id"]
    if old_id == method_id:
        raise ToolError("same payment method", f"{method_id} paid already")
    check_balance(method, amount)
    order = draft.edit("orders", order_id)
    order["payment_history"] += [
        entry("payment", amount, method_id=method_id),
        entry("refund", amount, method_id=old_id),
    ]
    credit(draft, order, method_id=method_id, amount=-amount)
    credit(draft, order, method_id=old_id, amount=amount)
    return show_order(order)


def _read_open_order(draft: Draft, order_id: str) -> Row:
    order = draft.read("orders", order_id, missing=NO_ORDER)
    if PENDING not in order["status"]:
        raise ToolError("order is not pending", f"its status is {order['status']}")
    return order


def modify_order_address(draft: Draft, arguments: Row) -> Json:
    """Send an order elsewhere; the owner's own address stays."""
    _read_open_order(draft, arguments["order_id"])
    address = record(arguments, _ADDRESS)
    order = draft.edit("orders", arguments["order_id"])
    order["address"] = address
    return show_order(order)


def modify_user_address(draft: Draft, arguments: Row) -> Json:
    """Change a user's own address; orders keep theirs."""
    draft.read("users", arguments["user_id"], missing="user not found")
    address = record(arguments, _ADDRESS)
    user = draft.edit("users", arguments["user_id"])
    user["address"] = address
    return user

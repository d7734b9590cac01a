"""τ retail: what its tools do, and the reading ones."""

from __future__ import annotations

import json
from typing import Final

from audit.environments.arithmetic import calculate
from audit.environments.retail_delivered import exchange_items, return_items
from audit.environments.retail_orders import show_order
from audit.environments.retail_pending import (
    cancel_order,
    modify_items,
    modify_order_address,
    modify_payment,
    modify_user_address,
)
from audit.environments.toolset import Domain, ToolBody
from audit.environments.typed import number
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json, ToolKind


def _find_by_email(draft: Draft, arguments: Row) -> Json:
    wanted = arguments["email"].lower()
    for user_id, user in draft.table("users").items():
        if user["email"].lower() == wanted:
            return user_id
    raise ToolError("user not found")


def _find_by_name_zip(draft: Draft, arguments: Row) -> Json:
    wanted = (arguments["first_name"].lower(), arguments["last_name"].lower(), arguments["zip"])
    for user_id, user in draft.table("users").items():
        name = user["name"]
        if (name["first_name"].lower(), name["last_name"].lower(), user["address"]["zip"]) == wanted:
            return user_id
    raise ToolError("user not found")


def _get_user(draft: Draft, arguments: Row) -> Json:
    return draft.read("users", arguments["user_id"], missing="user not found")


def _get_order(draft: Draft, arguments: Row) -> Json:
    return show_order(draft.read("orders", arguments["order_id"], missing="order not found"))


def _get_product(draft: Draft, arguments: Row) -> Json:
    return draft.read("products", arguments["product_id"], missing="product not found")


def _get_item(draft: Draft, arguments: Row) -> Json:
    for product in draft.table("products").values():
        if arguments["item_id"] in product["variants"]:
            variant: Row = product["variants"][arguments["item_id"]]
            return variant
    raise ToolError("item not found")


def _list_products(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    ids = {product["name"]: product["product_id"] for product in draft.table("products").values()}
    return json.dumps(ids, sort_keys=True)


def _calculate(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return calculate(arguments["expression"])


def _transfer(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return "Transfer successful"


_ADDRESS: Final = ("address1", "address2", "city", "state", "country", "zip")
_SWAP: Final = ("order_id", "item_ids", "new_item_ids", "payment_method_id")
_READ, _WRITE, _GENERIC = ToolKind.READ, ToolKind.WRITE, ToolKind.GENERIC
_TOOLS: Final = {
    "calculate": ToolBody(_GENERIC, ("expression",), _calculate),
    "cancel_pending_order": ToolBody(_WRITE, ("order_id", "reason"), cancel_order),
    "exchange_delivered_order_items": ToolBody(_WRITE, _SWAP, exchange_items),
    "find_user_id_by_email": ToolBody(_READ, ("email",), _find_by_email),
    "find_user_id_by_name_zip": ToolBody(_READ, ("first_name", "last_name", "zip"), _find_by_name_zip),
    "get_item_details": ToolBody(_READ, ("item_id",), _get_item),
    "get_order_details": ToolBody(_READ, ("order_id",), _get_order),
    "get_product_details": ToolBody(_READ, ("product_id",), _get_product),
    "get_user_details": ToolBody(_READ, ("user_id",), _get_user),
    "list_all_product_types": ToolBody(_READ, (), _list_products),
    "modify_pending_order_address": ToolBody(_WRITE, ("order_id", *_ADDRESS), modify_order_address),
    "modify_pending_order_items": ToolBody(_WRITE, _SWAP, modify_items),
    "modify_pending_order_payment": ToolBody(_WRITE, ("order_id", "payment_method_id"), modify_payment),
    "modify_user_address": ToolBody(_WRITE, ("user_id", *_ADDRESS), modify_user_address),
    "return_delivered_order_items": ToolBody(_WRITE, ("order_id", "item_ids", "payment_method_id"), return_items),
    "transfer_to_human_agents": ToolBody(_GENERIC, ("summary",), _transfer),
}

RETAIL: Final = Domain(
    name="tau-retail",
    tools={("assistant", name): body for name, body in _TOOLS.items()},
    tables=("products", "users", "orders"),
    numbers=(
        ("users", ("payment_methods", "*", "balance"), number),
        ("products", ("variants", "*", "price"), number),
        ("orders", ("items", "*", "price"), number),
        ("orders", ("payment_history", "*", "amount"), number),
        ("orders", ("exchange_price_difference",), number),
    ),
)

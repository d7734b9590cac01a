"""τ1, the first τ-bench: the same tools as in τ² and τ³, with the differences that change a target.

Numbers and records are typed here as in τ², which the gold actions of τ1 never notice.
"""

from __future__ import annotations

from typing import Final

from audit.environments.airline import AIRLINE
from audit.environments.airline_booking import NEW_IDS, make_reservation
from audit.environments.airline_changes import replace_flights
from audit.environments.retail import RETAIL
from audit.environments.retail_orders import read_order
from audit.environments.retail_pending import (
    PENDING,
    modify_order_address,
    modify_payment,
    settle_items,
    swap_items,
)
from audit.environments.toolset import Bodies, Body, Domain, ToolBody
from audit.environments.view import Draft, Row
from audit.records.task import Json, ToolKind


def _book(draft: Draft, arguments: Row) -> Json:
    """Book without taking seats; where every new id is taken, the last one is used again."""
    return make_reservation(draft, arguments, choose_id=_any_id)


def _any_id(draft: Draft) -> str:
    return next((key for key in NEW_IDS if draft.find("reservations", key) is None), NEW_IDS[-1])


def _update_flights(draft: Draft, arguments: Row) -> Json:
    """Replace the flights; the new cabin only prices them."""
    return replace_flights(draft, arguments)


def _modify_items(draft: Draft, arguments: Row) -> Json:
    """Swap items, each for its own variant, equal ids allowed."""
    pairs = list(zip(arguments["item_ids"], arguments["new_item_ids"], strict=False))
    variants = settle_items(draft, arguments, refuse_same=False)
    return swap_items(draft, arguments["order_id"], pairs=pairs, variants=variants)


def _modify_payment(draft: Draft, arguments: Row) -> Json:
    read_order(draft, arguments["order_id"], status=PENDING)
    return modify_payment(draft, arguments)


def _modify_address(draft: Draft, arguments: Row) -> Json:
    read_order(draft, arguments["order_id"], status=PENDING)
    return modify_order_address(draft, arguments)


def _think(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return ""


def _adapt(domain: Domain, name: str, bodies: dict[str, Body], *, without: tuple[str, ...] = ()) -> Domain:
    tools: dict[tuple[str, str], ToolBody] = {
        key: ToolBody(tool.kind, tool.parameters, bodies.get(key[1], tool.run))
        for key, tool in domain.tools.items()
        if key[1] not in without
    }
    think: Bodies = {("assistant", "think"): ToolBody(ToolKind.GENERIC, ("thought",), _think)}
    return Domain(name, {**tools, **think}, domain.tables, domain.numbers)


TAU1_AIRLINE: Final = _adapt(
    AIRLINE, "tau1-airline", {"book_reservation": _book, "update_reservation_flights": _update_flights}
)
TAU1_RETAIL: Final = _adapt(
    RETAIL,
    "tau1-retail",
    {
        "modify_pending_order_items": _modify_items,
        "modify_pending_order_payment": _modify_payment,
        "modify_pending_order_address": _modify_address,
    },
    without=("get_item_details",),
)

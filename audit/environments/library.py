"""The sample's library: what its tools do, and the reading ones."""

from __future__ import annotations

from typing import Final

from audit.environments.library_desk import (
    BAD_VALUE,
    BRANCHES,
    UNKNOWN_ID,
    cancel_hold,
    pay_fees,
    place_hold,
    renew_loan,
    report_lost,
    request_interlibrary,
    waive_fee,
)
from audit.environments.library_rooms import book_room, cancel_booking
from audit.environments.toolset import BAD_ARGUMENTS, Body, Domain, ToolBody
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json, ToolKind

_TABLES: Final = ("members", "items", "loans", "holds", "fees", "rooms", "bookings", "requests")


def _find_by_email(draft: Draft, arguments: Row) -> Json:
    for member_id, member in draft.table("members").items():
        if member["email"].lower() == arguments["email"].lower():
            return member_id
    raise ToolError(UNKNOWN_ID, "no member has this address")


def _find_by_name(draft: Draft, arguments: Row) -> Json:
    wanted = (arguments["first_name"].lower(), arguments["last_name"].lower(), arguments["zip"])
    for member_id, member in draft.table("members").items():
        name = member["name"]
        if (name["first_name"].lower(), name["last_name"].lower(), member["address"]["zip"]) == wanted:
            return member_id
    raise ToolError(UNKNOWN_ID, "no member has this name and zip code")


def _get_record(draft: Draft, arguments: Row) -> Json:
    return draft.read(arguments["table"], arguments["record_id"], missing=UNKNOWN_ID)


def _search(draft: Draft, arguments: Row) -> Json:
    words = arguments["words"].lower().split()
    if not words:
        raise ToolError(BAD_VALUE, "words is blank")
    items = draft.table("items")
    titles = {item_id: f"{item['title']} {item['author']}".lower() for item_id, item in items.items()}
    return sorted(item_id for item_id, title in titles.items() if all(word in title for word in words))


def _transfer(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return "Transferred to a librarian."


_READ, _WRITE, _GENERIC = ToolKind.READ, ToolKind.WRITE, ToolKind.GENERIC
_METHODS: Final = ("card", "credit")
_REASONS: Final = ("illness", "bereavement", "library_error")
_Types = dict[str, type | tuple[str, ...]]


def _tool(kind: ToolKind, run: Body, types: _Types) -> ToolBody:
    """Return a tool that refuses arguments of other types, or outside an enum, before it looks at anything else."""

    def checked(draft: Draft, arguments: Row) -> Json:
        for name, wanted in types.items():
            if not _is_of(arguments[name], wanted):
                raise ToolError(BAD_ARGUMENTS, f"{name} can't be {arguments[name]!r}")
        return run(draft, arguments)

    return ToolBody(kind, tuple(types), checked)


def _is_of(value: object, wanted: type | tuple[str, ...]) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(value, str) and value in wanted
    if wanted is list:
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    return isinstance(value, wanted) and not isinstance(value, bool)


_TOOLS: Final = {
    "find_member_by_email": _tool(_READ, _find_by_email, {"email": str}),
    "find_member_by_name": _tool(_READ, _find_by_name, {"first_name": str, "last_name": str, "zip": str}),
    "get_record": _tool(_READ, _get_record, {"table": _TABLES, "record_id": str}),
    "search_titles": _tool(_READ, _search, {"words": str}),
    "renew_loan": _tool(_WRITE, renew_loan, {"loan_id": str}),
    "report_lost": _tool(_WRITE, report_lost, {"loan_id": str}),
    "place_hold": _tool(_WRITE, place_hold, {"member_id": str, "item_id": str, "pickup_branch": BRANCHES}),
    "cancel_hold": _tool(_WRITE, cancel_hold, {"hold_id": str}),
    "book_room": _tool(
        _WRITE,
        book_room,
        {"member_id": str, "room_id": str, "date": str, "start": str, "hours": int, "party_size": int},
    ),
    "cancel_booking": _tool(_WRITE, cancel_booking, {"booking_id": str}),
    "pay_fees": _tool(_WRITE, pay_fees, {"member_id": str, "fee_ids": list, "method": _METHODS}),
    "waive_fee": _tool(_WRITE, waive_fee, {"fee_id": str, "reason": _REASONS}),
    "request_interlibrary": _tool(_WRITE, request_interlibrary, {"member_id": str, "title": str, "author": str}),
    "transfer_to_librarian": _tool(_GENERIC, _transfer, {"summary": str}),
}

LIBRARY: Final = Domain(
    name="sample-library", tools={("assistant", name): body for name, body in _TOOLS.items()}, tables=_TABLES
)

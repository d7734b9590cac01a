"""The sample's library: loans, holds, fees and requests."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json

TODAY: Final = "2027-04-14"
BRANCHES: Final = ("main", "north", "south")
BAD_VALUE: Final = "bad value"
UNKNOWN_ID: Final = "unknown id"
WRONG_STATE: Final = "wrong state"
_HANDLING: Final = 4.0
_INTERLIBRARY: Final = 3.0
_OPEN_HOLD: Final = ("waiting", "ready")


def read_state(draft: Draft, table: str, *, key: str, states: tuple[str, ...]) -> Row:
    """Return a row to read whose status is one of ``states``."""
    row = draft.read(table, key, missing=UNKNOWN_ID)
    if row["status"] not in states:
        raise ToolError(WRONG_STATE, f"{key} is {row['status']}")
    return row


def new_id(draft: Draft, table: str, *, prefix: str) -> str:
    """Return the prefix with the highest number of the table plus one."""
    return f"{prefix}{max((int(key.removeprefix(prefix)) for key in draft.table(table)), default=0) + 1}"


def add_row(draft: Draft, table: str, *, key: str, row: Row) -> Row:
    """Add a row that belongs to a member, and list it in the member's own."""
    draft.put((table, key), row)
    draft.edit("members", row["member_id"])[table].append(key)
    return row


def renew_loan(draft: Draft, arguments: Row) -> Json:
    """Set a new due date from today on."""
    loan = read_state(draft, "loans", key=arguments["loan_id"], states=("open",))
    days = draft.read("items", loan["item_id"], missing=UNKNOWN_ID)["loan_days"]
    loan = draft.edit("loans", arguments["loan_id"])
    loan["due_on"] = (date.fromisoformat(TODAY) + timedelta(days=days)).isoformat()
    loan["renewals"] += 1
    return loan


def report_lost(draft: Draft, arguments: Row) -> Json:
    """Mark a loan and its copy as lost and charge the price with handling."""
    loan = read_state(draft, "loans", key=arguments["loan_id"], states=("open",))
    draft.edit("loans", arguments["loan_id"])["status"] = "lost"
    item = draft.edit("items", loan["item_id"])
    item["copies"][loan["copy_id"]]["status"] = "lost"
    return _add_fee(draft, loan["member_id"], kind="lost", amount=item["price"] + _HANDLING, about=("loan_id", loan))


def _add_fee(draft: Draft, member_id: str, *, kind: str, amount: float, about: tuple[str, Row]) -> Row:
    field, row = about
    key = new_id(draft, "fees", prefix="FE")
    fee = {
        **{"fee_id": key, "member_id": member_id, "loan_id": None, "request_id": None, "kind": kind},
        **{"amount": round(amount, 2), "posted_on": TODAY, "status": "open", "settled_on": None},
        **{"paid_with": None, "waiver_reason": None, field: row[field]},
    }
    return add_row(draft, "fees", key=key, row=fee)


def place_hold(draft: Draft, arguments: Row) -> Json:
    """Put a member on a title's waiting list."""
    member_id, item_id = arguments["member_id"], arguments["item_id"]
    draft.read("members", member_id, missing=UNKNOWN_ID)
    draft.read("items", item_id, missing=UNKNOWN_ID)
    for hold in draft.table("holds").values():
        if (hold["member_id"], hold["item_id"]) == (member_id, item_id) and hold["status"] in _OPEN_HOLD:
            raise ToolError(WRONG_STATE, f"{hold['hold_id']} is {hold['status']}")
    key = new_id(draft, "holds", prefix="HD")
    hold = {
        **{"hold_id": key, "member_id": member_id, "item_id": item_id, "placed_on": TODAY},
        **{"pickup_branch": arguments["pickup_branch"], "status": "waiting", "copy_id": None},
    }
    draft.edit("items", item_id)["waiting_holds"] += 1
    return add_row(draft, "holds", key=key, row=hold)


def cancel_hold(draft: Draft, arguments: Row) -> Json:
    """Take a member off a title's waiting list, or put the copy back that was set aside."""
    read_state(draft, "holds", key=arguments["hold_id"], states=_OPEN_HOLD)
    hold = draft.edit("holds", arguments["hold_id"])
    item = draft.edit("items", hold["item_id"])
    if hold["status"] == "waiting":
        item["waiting_holds"] -= 1
    else:
        item["copies"][hold["copy_id"]]["status"] = "on_shelf"
        hold["copy_id"] = None
    hold["status"] = "cancelled"
    return hold


def pay_fees(draft: Draft, arguments: Row) -> Json:
    """Settle fees of one member, all or none."""
    member_id, fee_ids, method = arguments["member_id"], arguments["fee_ids"], arguments["method"]
    member = draft.read("members", member_id, missing=UNKNOWN_ID)
    if not fee_ids or len(set(fee_ids)) < len(fee_ids):
        raise ToolError(BAD_VALUE, "fee_ids is empty or names a fee twice")
    fees = [draft.read("fees", fee_id, missing=UNKNOWN_ID) for fee_id in fee_ids]
    if strange := [fee["fee_id"] for fee in fees if fee["member_id"] != member_id]:
        raise ToolError("wrong owner", f"{strange[0]} is another member's")
    if settled := [fee for fee in fees if fee["status"] != "open"]:
        raise ToolError(WRONG_STATE, f"{settled[0]['fee_id']} is {settled[0]['status']}")
    due = round(sum(fee["amount"] for fee in fees), 2)
    if method == "card" and not member["card_on_file"]:
        raise ToolError("cannot pay", "no card is on file")
    if method == "credit":
        if member["credit"] < due:
            raise ToolError("cannot pay", f"the credit {member['credit']} is less than {due}")
        draft.edit("members", member_id)["credit"] = round(member["credit"] - due, 2)
    paid = [draft.edit("fees", fee_id) for fee_id in fee_ids]
    for fee in paid:
        fee.update(status="paid", settled_on=TODAY, paid_with=method)
    return list(paid)


def waive_fee(draft: Draft, arguments: Row) -> Json:
    """Let a member off a fee."""
    read_state(draft, "fees", key=arguments["fee_id"], states=("open",))
    fee = draft.edit("fees", arguments["fee_id"])
    fee.update(status="waived", settled_on=TODAY, waiver_reason=arguments["reason"])
    draft.edit("members", fee["member_id"])["last_waiver_on"] = TODAY
    return fee


def request_interlibrary(draft: Draft, arguments: Row) -> Json:
    """Ask another library for a title, for a fee."""
    member_id = arguments["member_id"]
    draft.read("members", member_id, missing=UNKNOWN_ID)
    key = new_id(draft, "requests", prefix="RQ")
    request = {
        **{"request_id": key, "member_id": member_id, "title": arguments["title"], "author": arguments["author"]},
        **{"requested_on": TODAY, "status": "open"},
    }
    add_row(draft, "requests", key=key, row=request)
    _add_fee(draft, member_id, kind="interlibrary", amount=_INTERLIBRARY, about=("request_id", request))
    return request

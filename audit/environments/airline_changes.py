"""τ airline: changes of reservations that exist."""

from __future__ import annotations

from audit.environments.airline_booking import BAG_PRICE, PASSENGER, SEGMENT, find_method, price_segment
from audit.environments.typed import records, whole
from audit.environments.view import Draft, Row, ToolError, copy_json
from audit.records.task import Json

_MISSING = "reservation not found"


def cancel_reservation(draft: Draft, arguments: Row) -> Json:
    """Mark a reservation cancelled and write its refunds; seats, cards and certificates stay as they are."""
    draft.read("reservations", arguments["reservation_id"], missing=_MISSING)
    reservation = draft.edit("reservations", arguments["reservation_id"])
    history = reservation["payment_history"]
    history += [{"payment_id": paid["payment_id"], "amount": -paid["amount"]} for paid in history]
    reservation["status"] = "cancelled"
    return reservation


def update_flights(draft: Draft, arguments: Row) -> Json:
    """Replace the flights of a reservation, and its cabin."""
    reservation = replace_flights(draft, arguments)
    reservation["cabin"] = arguments["cabin"]
    return {"status": None, **reservation}


def replace_flights(draft: Draft, arguments: Row) -> Row:
    """Replace the flights of a reservation, and settle the difference; return the reservation, to change further."""
    wanted = records(arguments["flights"], SEGMENT)
    old = draft.read("reservations", arguments["reservation_id"], missing=_MISSING)
    draft.read("users", old["user_id"], missing="user not found")
    cabin, n_passengers = arguments["cabin"], len(old["passengers"])
    new = [_keep_or_price(draft, old, segment, cabin) for segment in wanted]
    before, after = (sum(segment["price"] for segment in segments) for segments in (old["flights"], new))
    _pay(draft, arguments["reservation_id"], arguments["payment_id"], (after - before) * n_passengers)
    reservation = draft.edit("reservations", arguments["reservation_id"])
    reservation["flights"] = new
    return reservation


def _keep_or_price(draft: Draft, old: Row, segment: Row, cabin: str) -> Row:
    """Return a segment: as it was, old price included, where flight, date and cabin stay; else at today's price."""
    for kept in old["flights"] if cabin == old["cabin"] else ():
        if (kept["flight_number"], kept["date"]) == (segment["flight_number"], segment["date"]):
            copy: Row = copy_json(kept)
            return copy
    return price_segment(draft, segment, cabin=cabin, n_passengers=len(old["passengers"]))


def _pay(draft: Draft, reservation_id: str, payment_id: str, due: float) -> None:
    """Charge ``due``, or pay it back where it is negative; the method is checked even where nothing is due."""
    user_id = draft.read("reservations", reservation_id, missing=_MISSING)["user_id"]
    method = find_method(draft.read("users", user_id, missing="user not found")["payment_methods"], payment_id)
    if method["source"] == "certificate":
        raise ToolError("certificate not allowed", f"{payment_id} is a certificate")
    if method["source"] == "gift_card":
        if method["amount"] < due:
            raise ToolError("gift card balance too small", f"{method['amount']} is less than {due}")
        draft.edit("users", user_id)["payment_methods"][payment_id]["amount"] -= due
    if due != 0:
        entry = {"payment_id": payment_id, "amount": whole(due)}
        draft.edit("reservations", reservation_id)["payment_history"].append(entry)


def update_baggages(draft: Draft, arguments: Row) -> Json:
    """Set the numbers of bags; paid bags that are added are charged, those left out are not paid back."""
    old = draft.read("reservations", arguments["reservation_id"], missing=_MISSING)
    draft.read("users", old["user_id"], missing="user not found")
    due = BAG_PRICE * max(0, arguments["nonfree_baggages"] - old["nonfree_baggages"])
    _pay(draft, arguments["reservation_id"], arguments["payment_id"], due)
    reservation = draft.edit("reservations", arguments["reservation_id"])
    reservation["total_baggages"] = arguments["total_baggages"]
    reservation["nonfree_baggages"] = arguments["nonfree_baggages"]
    return {"status": None, **reservation}


def update_passengers(draft: Draft, arguments: Row) -> Json:
    """Replace the passengers by as many others."""
    passengers = arguments["passengers"]
    if all(isinstance(passenger, dict) for passenger in passengers):
        passengers = records(passengers, PASSENGER)
    old = draft.read("reservations", arguments["reservation_id"], missing=_MISSING)
    if len(passengers) != len(old["passengers"]):
        raise ToolError("another number of passengers", f"{len(passengers)} instead of {len(old['passengers'])}")
    draft.edit("reservations", arguments["reservation_id"])["passengers"] = passengers
    return {"status": None, **draft.edit("reservations", arguments["reservation_id"])}

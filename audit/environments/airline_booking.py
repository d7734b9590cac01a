"""τ airline: new reservations and certificates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from audit.environments.typed import number, one_of, record, records, text, whole
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json

NOW: Final = "2024-05-15T15:00:00"
"""The domain's clock; only written into new reservations."""
SEGMENT: Final = {"flight_number": text, "date": text}
PASSENGER: Final = {"first_name": text, "last_name": text, "dob": text}
PAYMENT: Final = {"payment_id": text, "amount": whole}
CABIN: Final = one_of("business", "economy", "basic_economy")
NEW_IDS: Final = ("HATHAT", "HATHAU", "HATHAV")
_NEW_CERTIFICATES: Final = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
_INSURANCE_PRICE: Final = 30
BAG_PRICE: Final = 50
_HEAD: Final = {
    "user_id": text,
    "origin": text,
    "destination": text,
    "flight_type": one_of("round_trip", "one_way"),
    "cabin": CABIN,
}
_TAIL: Final = {"total_baggages": whole, "nonfree_baggages": whole, "insurance": one_of("yes", "no")}


def book_reservation(draft: Draft, arguments: Row) -> Json:
    """Book flights, take the payments and the seats; nothing of the domain's policy is enforced."""
    reservation = make_reservation(draft, arguments, choose_id=_free_id)
    for segment in reservation["flights"]:
        day = draft.edit("flights", segment["flight_number"])["dates"][segment["date"]]
        day["available_seats"][reservation["cabin"]] -= len(reservation["passengers"])
    return reservation


def make_reservation(draft: Draft, arguments: Row, *, choose_id: Callable[[Draft], str]) -> Row:
    """Check a booking, take its payments and write it down; the seats are left to the caller."""
    segments = records(arguments["flights"], SEGMENT)
    passengers = records(arguments["passengers"], PASSENGER)
    payments = records(arguments["payment_methods"], PAYMENT)
    user_id = arguments["user_id"]
    draft.read("users", user_id, missing="user not found")
    new_id = choose_id(draft)
    head, tail = record(arguments, _HEAD), record(arguments, _TAIL)
    booked = [
        {**price_segment(draft, segment, cabin=head["cabin"], n_passengers=len(passengers)), "date": segment["date"]}
        for segment in segments
    ]
    price = sum(segment["price"] for segment in booked) * len(passengers)
    price += _INSURANCE_PRICE * len(passengers) if tail["insurance"] == "yes" else 0
    price += BAG_PRICE * arguments["nonfree_baggages"]
    _check_payments(draft, user_id, payments, price=price)
    _take_payments(draft, user_id, payments)
    reservation = {
        **{"reservation_id": new_id, **head, "flights": booked, "passengers": passengers},
        **{"payment_history": payments, "created_at": NOW, **tail, "status": None},
    }
    draft.put(("reservations", new_id), reservation)
    draft.edit("users", user_id)["reservations"].append(new_id)
    return reservation


def _free_id(draft: Draft) -> str:
    for new_id in NEW_IDS:
        if draft.find("reservations", new_id) is None:
            return new_id
    raise ToolError("too many reservations", "every id for new reservations is taken")


def price_segment(draft: Draft, segment: Row, *, cabin: str, n_passengers: int) -> Row:
    """Return a new segment at today's price, or raise why it can't be had."""
    flight = draft.read("flights", segment["flight_number"], missing="flight not found")
    if segment["date"] not in flight["dates"]:
        raise ToolError("flight not found on that date", f"{segment['flight_number']} on {segment['date']}")
    day = flight["dates"][segment["date"]]
    if day["status"] != "available":
        raise ToolError("flight not available", f"{segment['flight_number']} on {segment['date']} is {day['status']}")
    seats = day["available_seats"][cabin]
    if seats < n_passengers:
        raise ToolError("not enough seats", f"{seats} in {cabin} for {n_passengers}")
    return {
        "flight_number": segment["flight_number"],
        "origin": flight["origin"],
        "destination": flight["destination"],
        "date": segment["date"],
        "price": day["prices"][cabin],
    }


def _check_payments(draft: Draft, user_id: str, payments: list[Row], *, price: float) -> None:
    methods = draft.read("users", user_id, missing="user not found")["payment_methods"]
    for payment in payments:
        method = find_method(methods, payment["payment_id"])
        if method["source"] in {"gift_card", "certificate"} and method["amount"] < payment["amount"]:
            raise ToolError("not enough balance", f"{method['amount']} is less than {payment['amount']}")
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        raise ToolError("payments do not add up", f"the price is {price}, the payments make {paid}")


def find_method(methods: Row, payment_id: str) -> Row:
    """Return a payment method of a profile, or raise that it has none of this id."""
    if payment_id not in methods:
        raise ToolError("payment method not found", f"{payment_id} is not in the profile")
    method: Row = methods[payment_id]
    return method


def _take_payments(draft: Draft, user_id: str, payments: list[Row]) -> None:
    """Charge gift cards and use certificates up; a certificate that is used twice fails the second time."""
    methods = draft.edit("users", user_id)["payment_methods"]
    for payment in payments:
        method = find_method(methods, payment["payment_id"])
        if method["source"] == "gift_card":
            method["amount"] -= payment["amount"]
        elif method["source"] == "certificate":
            del methods[payment["payment_id"]]


def send_certificate(draft: Draft, arguments: Row) -> Json:
    """Add a certificate to a profile."""
    user_id, amount = arguments["user_id"], arguments["amount"]
    methods = draft.read("users", user_id, missing="user not found")["payment_methods"]
    free = [name for name in _NEW_CERTIFICATES if name not in methods]
    if not free:
        raise ToolError("too many certificates", "every id for new certificates is taken")
    made = {"source": "certificate", "id": free[0], "amount": number(amount)}
    draft.edit("users", user_id)["payment_methods"][free[0]] = made
    return f"Certificate {free[0]} added to user {user_id} with amount {amount}."

"""τ airline: what its tools do, and the reading ones."""

from __future__ import annotations

from typing import Final

from audit.environments.airline_booking import book_reservation, send_certificate
from audit.environments.airline_changes import (
    cancel_reservation,
    update_baggages,
    update_flights,
    update_passengers,
)
from audit.environments.arithmetic import calculate
from audit.environments.toolset import Domain, ToolBody
from audit.environments.typed import number, whole
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json, ToolKind

_AIRPORTS: Final = {
    "SFO": "San Francisco",
    "JFK": "New York",
    "LAX": "Los Angeles",
    "ORD": "Chicago",
    "DFW": "Dallas",
    "DEN": "Denver",
    "SEA": "Seattle",
    "ATL": "Atlanta",
    "MIA": "Miami",
    "BOS": "Boston",
    "PHX": "Phoenix",
    "IAH": "Houston",
    "LAS": "Las Vegas",
    "MCO": "Orlando",
    "EWR": "Newark",
    "CLT": "Charlotte",
    "MSP": "Minneapolis",
    "DTW": "Detroit",
    "PHL": "Philadelphia",
    "LGA": "LaGuardia",
}


def _get_user(draft: Draft, arguments: Row) -> Json:
    return draft.read("users", arguments["user_id"], missing="user not found")


def _get_reservation(draft: Draft, arguments: Row) -> Json:
    return {"status": None, **draft.read("reservations", arguments["reservation_id"], missing="reservation not found")}


def _get_status(draft: Draft, arguments: Row) -> Json:
    flight = draft.read("flights", arguments["flight_number"], missing="flight not found")
    if arguments["date"] not in flight["dates"]:
        raise ToolError("flight not found on that date")
    status: str = flight["dates"][arguments["date"]]["status"]
    return status


def _list_airports(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return [{"iata": code, "city": city} for code, city in _AIRPORTS.items()]


def _search_direct(draft: Draft, arguments: Row) -> Json:
    return _legs(draft, arguments["date"], origin=arguments["origin"], destination=arguments["destination"])


def _search_onestop(draft: Draft, arguments: Row) -> Json:
    found: list[Json] = []
    for first in _legs(draft, arguments["date"], origin=arguments["origin"]):
        arrival = first["scheduled_arrival_time_est"]
        date = _next_day(arguments["date"]) if "+1" in arrival else arguments["date"]
        found += (
            [{**first, "date": arguments["date"]}, {**second, "date": date}]
            for second in _legs(draft, date, origin=first["destination"], destination=arguments["destination"])
            if second["scheduled_departure_time_est"] >= arrival
        )
    return found


def _next_day(date: str) -> str:
    """Return the day after, without the zero that days before the tenth need: the domain's tools do so too."""
    return f"2024-05-{int(date[-2:]) + 1}"


def _legs(draft: Draft, date: str, *, origin: str, destination: str | None = None) -> list[Row]:
    """Return what is for sale on a date from an airport, to any airport where none is named."""
    return [
        {
            "flight_number": flight["flight_number"],
            "origin": flight["origin"],
            "destination": flight["destination"],
            "status": "available",
            "scheduled_departure_time_est": flight["scheduled_departure_time_est"],
            "scheduled_arrival_time_est": flight["scheduled_arrival_time_est"],
            "date": None,
            "available_seats": flight["dates"][date]["available_seats"],
            "prices": flight["dates"][date]["prices"],
        }
        for flight in draft.table("flights").values()
        if flight["origin"] == origin
        and destination in (None, flight["destination"])
        and date in flight["dates"]
        and flight["dates"][date]["status"] == "available"
    ]


def _calculate(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return calculate(arguments["expression"])


def _transfer(draft: Draft, arguments: Row) -> Json:  # noqa: ARG001  # the signature of every tool
    return "Transfer successful"


_BOOKING: Final = (
    *("user_id", "origin", "destination", "flight_type", "cabin", "flights", "passengers", "payment_methods"),
    *("total_baggages", "nonfree_baggages", "insurance"),
)
_ROUTE: Final = ("origin", "destination", "date")
_READ, _WRITE, _GENERIC = ToolKind.READ, ToolKind.WRITE, ToolKind.GENERIC
_TOOLS: Final = {
    "book_reservation": ToolBody(_WRITE, _BOOKING, book_reservation),
    "calculate": ToolBody(_GENERIC, ("expression",), _calculate),
    "cancel_reservation": ToolBody(_WRITE, ("reservation_id",), cancel_reservation),
    "get_flight_status": ToolBody(_READ, ("flight_number", "date"), _get_status),
    "get_reservation_details": ToolBody(_READ, ("reservation_id",), _get_reservation),
    "get_user_details": ToolBody(_READ, ("user_id",), _get_user),
    "list_all_airports": ToolBody(_READ, (), _list_airports),
    "search_direct_flight": ToolBody(_READ, _ROUTE, _search_direct),
    "search_onestop_flight": ToolBody(_READ, _ROUTE, _search_onestop),
    "send_certificate": ToolBody(_WRITE, ("user_id", "amount"), send_certificate),
    "transfer_to_human_agents": ToolBody(_GENERIC, ("summary",), _transfer),
    "update_reservation_baggages": ToolBody(
        _WRITE, ("reservation_id", "total_baggages", "nonfree_baggages", "payment_id"), update_baggages
    ),
    "update_reservation_flights": ToolBody(
        _WRITE, ("reservation_id", "cabin", "flights", "payment_id"), update_flights
    ),
    "update_reservation_passengers": ToolBody(_WRITE, ("reservation_id", "passengers"), update_passengers),
}

AIRLINE: Final = Domain(
    name="tau-airline",
    tools={("assistant", name): body for name, body in _TOOLS.items()},
    tables=("flights", "users", "reservations"),
    numbers=(
        ("users", ("payment_methods", "*", "amount"), number),
        ("flights", ("dates", "*", "prices", "*"), whole),
        ("flights", ("dates", "*", "available_seats", "*"), whole),
        ("reservations", ("flights", "*", "price"), whole),
        ("reservations", ("payment_history", "*", "amount"), whole),
        ("reservations", ("total_baggages",), whole),
        ("reservations", ("nonfree_baggages",), whole),
    ),
)

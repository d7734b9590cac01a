"""The sample's library: study rooms."""

from __future__ import annotations

import re
from typing import Final

from audit.environments.library_desk import BAD_VALUE, TODAY, UNKNOWN_ID, add_row, new_id, read_state
from audit.environments.view import Draft, Row, ToolError
from audit.records.task import Json

_NOW: Final = "10:00"
_FULL_HOUR: Final = re.compile(r"(?:[01][0-9]|2[0-3]):00")
_UNAVAILABLE: Final = "unavailable"


def book_room(draft: Draft, arguments: Row) -> Json:
    """Let a room for full hours within its opening times."""
    member_id, room_id = arguments["member_id"], arguments["room_id"]
    draft.read("members", member_id, missing=UNKNOWN_ID)
    room = draft.read("rooms", room_id, missing=UNKNOWN_ID)
    if not _FULL_HOUR.fullmatch(arguments["start"]) or arguments["hours"] < 1 or arguments["party_size"] < 1:
        raise ToolError(BAD_VALUE, "start is no full hour, or hours or party_size is below 1")
    date, start = arguments["date"], arguments["start"]
    end = f"{int(start[:2]) + arguments['hours']:02d}:00"
    _check_free(room["days"], date, start=start, end=end)
    key = new_id(draft, "bookings", prefix="BK")
    booking = {
        **{"booking_id": key, "member_id": member_id, "room_id": room_id, "date": date, "start": start},
        **{"end": end, "party_size": arguments["party_size"], "status": "booked"},
    }
    taken = draft.edit("rooms", room_id)["days"][date]["taken"]
    taken.append({"start": start, "end": end})
    taken.sort(key=lambda slot: slot["start"])
    return add_row(draft, "bookings", key=key, row=booking)


def _check_free(days: Row, date: str, *, start: str, end: str) -> None:
    if date not in days:
        raise ToolError(_UNAVAILABLE, f"the room is closed on {date}")
    day = days[date]
    if start < day["open"] or end > day["close"] or len(end) > len(day["close"]):
        raise ToolError(_UNAVAILABLE, f"the room is open from {day['open']} to {day['close']}")
    if (date, start) < (TODAY, _NOW):
        raise ToolError(_UNAVAILABLE, "this time is past")
    for slot in day["taken"]:
        if start < slot["end"] and slot["start"] < end:
            raise ToolError(_UNAVAILABLE, f"taken from {slot['start']} to {slot['end']}")


def cancel_booking(draft: Draft, arguments: Row) -> Json:
    """Give a booked room free."""
    read_state(draft, "bookings", key=arguments["booking_id"], states=("booked",))
    booking = draft.edit("bookings", arguments["booking_id"])
    booking["status"] = "cancelled"
    day = draft.edit("rooms", booking["room_id"])["days"][booking["date"]]
    day["taken"].remove({"start": booking["start"], "end": booking["end"]})
    return booking

"""A benchmark made in code: a music studio with members, bookings and rooms."""

from __future__ import annotations

from collections.abc import Sequence

from audit.records.task import Action, Benchmark, Json, Origin, Part, PartKind, Task, ToolKind
from tests.builders import benchmark

_FIRST = ("Ada", "Bela", "Cora", "Dino", "Edda", "Fynn")
_LAST = ("Quist", "Ruiz", "Sato", "Tran", "Ude")
_INSTRUMENTS = ("piano", "cello", "trumpet", "harp", "oboe", "guitar", "violin", "flute", "drums", "organ")
_WISHES = ("cancel", "move", "extend", "repeat", "shorten")
N_TASKS = 30


def studio(n_tasks: int = N_TASKS, *, with_database: bool = True) -> Benchmark:
    """Return a benchmark of ``n_tasks`` sound tasks, each of another member with two bookings."""
    tasks = tuple(_task(number) for number in range(n_tasks))
    return benchmark(*tasks, name="test/studio", database=_database() if with_database else {}, corpus=tasks)


def call(name: str, **arguments: Json) -> Action:
    return Action(name, arguments, ToolKind.UNKNOWN, Origin("tasks.json", "actions"))


def pair_task(id: str, description: str, assertions: Sequence[str] = (), actions: Sequence[Action] = ()) -> Task:
    origin = Origin("tasks.json", "field", id)
    return Task(
        id=id,
        description=(Part(PartKind.SCENARIO, "Scenario", description, origin),),
        behavior=tuple(Part(PartKind.ASSERTION, "The agent must", text, origin) for text in assertions),
        actions=tuple(actions),
        origin=origin,
    )


def member(number: int) -> tuple[str, str, str]:
    first, last = _FIRST[number % 6], _LAST[number % 5]
    return first, last, f"{first}_{last}_{7100 + number}".lower()


def booking(number: int, which: int) -> str:
    return f"#B{5000 + 2 * number + which}"


def _instrument(number: int) -> str:
    return _INSTRUMENTS[(number * 7) % 10]


def _task(number: int) -> Task:
    first, last, id = member(number)
    known = (
        f"Your member id is {id}.",
        f"Your e-mail address is player{number}@mail.example.",
        f"You live at zip {40000 + number}.",
    )[number % 3]
    wish, instrument = _WISHES[number % 5], _instrument(number)
    description = f"You are {first} {last}. {known} You want to {wish} your {instrument} lesson and get a receipt."
    return pair_task(
        f"t{number}",
        description,
        (f"The agent agrees to {wish} the {instrument} lesson.",),
        (
            call("get_booking", booking_id=booking(number, 0)),
            call(f"{wish}_booking", booking_id=booking(number, 1), payment_id=f"card_{8800 + number}"),
        ),
    )


def _database() -> dict[str, dict[str, Json]]:
    numbers = range(40)
    members: dict[str, Json] = {member(n)[2]: _member_row(n) for n in numbers}
    bookings: dict[str, Json] = {booking(n, which): _booking_row(n, which) for n in numbers for which in (0, 1)}
    rooms: dict[str, Json] = {f"R{100 + n}": _room_row(n) for n in range(4)}
    return {"members": members, "bookings": bookings, "rooms": rooms}


def _member_row(number: int) -> Json:
    first, last, id = member(number)
    return {
        "member_id": id,
        "name": {"first_name": first, "last_name": last},
        "address": {"zip": str(40000 + number), "city": "Nordhafen"},
        "email": f"player{number}@mail.example",
        "active": True,
        "payment_methods": {f"card_{8800 + number}": {"source": "card", "limit": 100.0}},
        "bookings": [booking(number, 0), booking(number, 1)],
    }


def _booking_row(number: int, which: int) -> Json:
    return {
        "booking_id": booking(number, which),
        "member_id": member(number)[2],
        "instrument": _instrument(number + which),
        "room": f"R{100 + number % 4}",
        "minutes": 45,
    }


def _room_row(number: int) -> Json:
    slots = {f"slot_{number}{hour:02d}": {"hour": str(hour), "taken_by": member(hour)[2]} for hour in range(9, 17)}
    return {"room_id": f"R{100 + number}", "name": f"Room {number}", "slots": slots}

"""A fact that the expected behavior relies on and nobody stated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import dates_in, fresh, leaves
from audit.records.task import Json

_TRIES = 20
_PERSONAL = re.compile(r"e-?mail|phone|birth", re.IGNORECASE)


def invent_fact(site: Site) -> Planted | Unfit:
    """Add a statement that rests on something which neither the description nor a row holds.

    What is invented is of the benchmark's own kind: an id of the shape of its ids, a person, a day near the task's.
    """
    options = [*(_for_plans(site) if site.is_plan else _for_talks(site))]
    text = options[int(site.rng.integers(len(options)))]
    return Planted(site.form.state(site.task.raw, text))


def _for_talks(site: Site) -> Iterator[str]:
    agent, amount = site.actor, f"{5 * int(site.rng.integers(5, 60))} dollars"
    yield f"The {agent} keeps to the promise of {amount} that a colleague made to the user in an earlier call."
    yield f"The {agent} takes into account that the user has already sent in a signed complaint about this."
    day = _day_before(site)
    if day:
        yield f"The {agent} goes by what the user asked for in the letter of {day}, and not by what is said today."
        yield f"The {agent} makes sure that all of it is done before {day}, the limit that the user has set."
    person = _stranger(site)
    if person:
        yield f"The {agent} has {person}, on whose behalf the user calls, confirm each step."
    key = _new_id(site)
    if key:
        yield f"The {agent} does the same for {key}, the other number that the user gives."


def _for_plans(site: Site) -> Iterator[str]:
    number = int(site.rng.integers(2, 40))
    yield f"The plan passes over the limit of {number} results that the user has set."
    yield f"The plan does not use the file of {number} pages that the user has attached."
    yield f"The plan leaves out that the user needs the answer within {number} minutes and in Portuguese."


def _day_before(site: Site) -> str:
    """Return a day some weeks before one that the task names, and that it does not name; empty if it names none."""
    known = dates_in(site.world, site.task)
    known = [day for day in known if day[:4] == max(known)[:4]]
    text = f"{site.task.description_text} {site.task.behavior_text}"
    for _ in range(_TRIES if known else 0):
        try:
            start = date.fromisoformat(known[int(site.rng.integers(len(known)))])
            day = (start - timedelta(days=int(site.rng.integers(3, 40)))).isoformat()
        except (ValueError, OverflowError):
            continue
        if day not in known and day not in text:
            return day
    return ""


def _stranger(site: Site) -> str:
    """Return the name of a person of another row whom the task does not name."""
    own = {row.key for row in site.task.rows}
    people = [
        row for entries in site.world.rows.values() for key, row in entries.items() if key not in own and person_in(row)
    ]
    text = f"{site.task.description_text} {site.task.behavior_text} {[row.value for row in site.task.rows]}"
    for _ in range(_TRIES if people else 0):
        name = person_in(people[int(site.rng.integers(len(people)))])
        if not any(word in text for word in name.split()):
            return name
    return ""


def person_in(row: Json) -> str:
    """Return the first and last name that a row holds, as one text; empty if it holds none.

    Examples
    --------
    >>> person_in({"name": {"first_name": "Ada", "last_name": "Noor"}}), person_in({"name": "Blue Room"})
    ('Ada Noor', '')
    >>> person_in({"name": "Ada Noor", "email": "ada@mail.example"})
    'Ada Noor'
    """
    if not isinstance(row, Mapping):
        return ""
    near = [row, *row.values()]
    for node in near:
        if isinstance(node, Mapping):
            names = [node.get("first_name"), node.get("last_name")]
            if all(isinstance(name, str) and name for name in names):
                return " ".join(map(str, names))
    whole = row.get("full_name", row.get("name"))
    is_person = isinstance(whole, str) and " " in whole.strip() and any(_PERSONAL.search(name) for name in row)
    return whole.strip() if is_person and isinstance(whole, str) else ""


def _new_id(site: Site) -> str:
    """Return an id of the shape of one in the task's rows or texts, that no row has."""
    keys = sorted({row.key for row in site.task.rows} & site.world.table_of.keys())
    known = {str(value) for row in site.task.rows for _, value in leaves(row.value)} | set(site.world.table_of)
    for _ in range(_TRIES if keys else 0):
        key = fresh(keys[int(site.rng.integers(len(keys)))], site.rng)
        if key not in known:
            return key
    return ""

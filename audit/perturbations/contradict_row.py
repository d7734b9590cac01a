"""A value in the expected behavior that the description and the task's own row contradict."""

from __future__ import annotations

from collections.abc import Iterator

from audit.databases.tables import is_big_map
from audit.loaders.tau_task import USER_TABLE
from audit.perturbations.invent_fact import person_in
from audit.perturbations.json_paths import Path, look
from audit.perturbations.plan_claims import contradict_node
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import holds, leaves
from audit.records.task import Json, Row

_LEAST, _MOST = 3, 60
"""Characters of a value that can be told from an ordinary word, and stated in a sentence."""
_TRIES = 200


def contradict_row(site: Site) -> Planted | Unfit:
    """State another row's value of a field of one of the task's rows, of which the description holds the true one.

    The row is the user's own, or one that the description or a gold call names, so that it is told which row is meant.
    """
    if site.is_plan:
        return contradict_node(site)
    found = list(_known(site))
    for place in site.rng.permutation(len(found)):
        row, path, value = found[int(place)]
        other = _other_value(site, row, path, value=value)
        if other is not None:
            key, wrong = other
            text = f"The {site.actor} finds that {_name(site, row, path)} is {wrong}."
            return Planted(site.form.state(site.task.raw, text), f"{row.table} {key}")
    return Unfit("no value of a row that it names, and of which other rows have another, stands in its description")


def _known(site: Site) -> Iterator[tuple[Row, Path, str]]:
    """Yield the values of the task's rows that its description holds; ids of rows are none."""
    text = _told(site)
    for row in site.task.rows:
        if row.table == USER_TABLE or row.table not in site.world.rows or not _is_named(site, row):
            continue
        for path, value in leaves(_without_maps(row.value)):
            shown = str(value)
            is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
            is_said = is_plain and _LEAST <= len(shown) <= _MOST and holds(text, shown)
            if is_said and shown != row.key and shown not in site.world.table_of:
                yield row, path, shown


def _told(site: Site) -> str:
    return "\n".join(text for _, text in site.texts({part.kind for part in site.task.description}))


def _is_named(site: Site, row: Row) -> bool:
    """Return whether a task says which row is meant: by its key, or by the name of the person that it is."""
    called = " ".join(str(value) for action in site.task.actions or () for _, value in leaves(dict(action.arguments)))
    is_called = row.key in site.world.table_of and holds(f"{_told(site)} {called}", row.key.lstrip("#"))
    return is_called or _is_user(site, row)


def _is_user(site: Site, row: Row) -> bool:
    return bool(person_in(row.value)) and person_in(row.value) in _told(site)


def _name(site: Site, row: Row, path: Path) -> str:
    """Return what a field of a row is called in a sentence."""
    names = [str(name).replace("_", " ") for name in path if not isinstance(name, int)]
    inner = names[-2:] if len(names) > 1 and names[-2] not in names[-1] else names[-1:]
    field = " ".join(inner)
    return f"the user's {field}" if _is_user(site, row) else f"the {field} of {row.key} in {row.table}"


def _without_maps(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _without_maps(part) for name, part in value.items() if not is_big_map(part)}
    return value if not isinstance(value, list) else None


def _other_value(site: Site, row: Row, path: Path, *, value: str) -> tuple[str, str] | None:
    table = site.world.rows[row.table]
    keys = list(table)
    text = site.task.description_text
    for _ in range(_TRIES):
        key = keys[int(site.rng.integers(len(keys)))]
        other = look(table[key], path)
        shown = str(other) if isinstance(other, str | int | float) else ""
        if 0 < len(shown.strip()) <= _MOST and shown.lower() != value.lower() and not holds(text, shown):
            return key, shown
    return None

"""Another row's id in the expected behavior."""

from __future__ import annotations

from collections.abc import Iterator

from audit.databases.tables import tokens
from audit.perturbations.drop_step import required_calls
from audit.perturbations.edits import behavior_of, exchange_in
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import holds, leaves


def wrong_entity(site: Site) -> Planted | Unfit:
    """Put the id of another row of the same table in the place of one that the expected behavior names, throughout it.

    Chosen is an id that the description names, else one of the task's rows; first one that is written to. The other
    row is none of the task's.
    """
    written = {value for call in required_calls(site) for _, value in leaves(dict(call.arguments))}
    named = set(_named(site))
    groups = [sorted(named & group) for group in _groups(site, {str(value) for value in written})]
    for group in groups:
        order = [group[int(place)] for place in site.rng.permutation(len(group))]
        for old in order:
            new = _another(site, old)
            if new:
                raw = exchange_in(site.raw, site.form.behavior, old, new=new)
                return Planted(raw, f"{site.world.table_of[old]} {new}")
    return Unfit("its expected behavior names no row that the description leads to")


def _groups(site: Site, written: set[str]) -> Iterator[set[str]]:
    said = set(tokens(site.task.description_text)) & site.world.table_of.keys()
    rows = {row.key for row in site.task.rows}
    yield said & written
    yield rows & written
    yield said
    yield rows


def _named(site: Site) -> Iterator[str]:
    """Yield the row keys that the expected behavior names."""
    for value in behavior_of(site.raw, site.form):
        for _, text in leaves(value):
            if isinstance(text, str):
                yield from (word for word in (text, *tokens(text)) if word in site.world.table_of and holds(text, word))


def _another(site: Site, old: str) -> str:
    """Return the key of another row of the same table that the task has nothing to do with; empty if there is none."""
    own = {row.key for row in site.task.rows}
    own |= set(tokens(f"{site.task.description_text} {site.task.behavior_text}"))
    table = site.world.rows[site.world.table_of[old]]
    others = [key for key in table if key in site.world.table_of and key not in own]
    return others[int(site.rng.integers(len(others)))] if others else ""

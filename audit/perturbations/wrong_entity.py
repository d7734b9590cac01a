"""Another row's id in the expected behavior."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.databases.words import tokens
from audit.perturbations.drop_step import required_calls
from audit.perturbations.edits import behavior_of, exchange_in
from audit.perturbations.plan_claims import name_other_tool
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import holds, leaves


def wrong_entity(site: Site) -> Planted | Unfit:
    """Put the id of another row of the same table in the place of one that the expected behavior names, throughout it.

    Only ids that the description names, or the words of which they are made, can be told to be wrong; those that are
    written to come first. The other row is none of the task's.
    """
    if site.is_plan:
        return name_other_tool(site)
    written = {str(value) for call in required_calls(site) for _, value in leaves(dict(call.arguments))}
    named = {key for key in _named(site) if _is_told(site, key)}
    for group in (sorted(named & written), sorted(named - written)):
        for place in site.rng.permutation(len(group)):
            old = group[int(place)]
            new = _another(site, old)
            if new:
                raw = exchange_in(site.raw, site.form.behavior, old=old, new=new)
                return Planted(raw, f"{site.world.table_of[old]} {new}")
    return Unfit("its expected behavior names no row that its description names")


def _is_told(site: Site, key: str) -> bool:
    """Return whether a description names a key, or all of the words in it."""
    text = site.task.description_text
    words = [word for word in re.findall(r"[^\W\d_]+", key) if len(word) > 1]
    return holds(text, key.lstrip("#")) or (len(words) > 1 and all(holds(text.lower(), word.lower()) for word in words))


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

"""Lists in another order, where order says nothing."""

from __future__ import annotations

from audit.perturbations.json_paths import look, put, spell
from audit.perturbations.sites import Planted, Site, Unfit
from audit.plans.nested import read_nested
from audit.records.task import Json


def reorder_items(site: Site) -> Planted | Unfit:
    """Shuffle every list whose order says nothing, such as statements, rows, tools and calls that only read."""
    raw = site.raw
    for path, run in site.form.unordered(site.task):
        found = look(raw, path)
        items = read_nested(found).value
        if isinstance(items, list):
            shuffled = _shuffle(site, items, run)
            raw = put(raw, path, new=spell(shuffled) if isinstance(found, str) else shuffled)
    if spell(raw) == spell(site.raw):
        return Unfit("it has no list of several things whose order says nothing")
    return Planted(raw)


def _shuffle(site: Site, items: list[Json], run: range) -> list[Json]:
    """Return a list with a run of it in another order, if any other order reads differently."""
    part = items[run.start : run.stop]
    order = [int(place) for place in site.rng.permutation(len(part))]
    moved = [part[place] for place in order]
    if spell(moved) == spell(part):
        moved = part[1:] + part[:1]
    return [*items[: run.start], *moved, *items[run.stop :]]

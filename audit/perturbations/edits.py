"""Several values of an entry taken out or exchanged at once."""

from __future__ import annotations

from collections.abc import Iterable

from audit.perturbations.forms.protocol import Form
from audit.perturbations.json_paths import Path, look, put, take
from audit.perturbations.world import exchange
from audit.records.task import Json


def take_all(raw: Json, paths: Iterable[Path]) -> Json:
    """Return an entry without what stands at any of the paths, which are those of the entry as it is."""
    for path in sorted(set(paths), key=_order, reverse=True):
        raw = take(raw, path)
    return raw


def _order(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple((key, "") if isinstance(key, int) else (-1, key) for key in path)


def exchange_in(raw: Json, paths: Iterable[Path], *, old: str, new: str) -> Json:
    """Return an entry in which one word or id stands for another in all texts below some paths."""
    for path in paths:
        found = look(raw, path)
        if found is not None:
            raw = put(raw, path, new=exchange(found, old=old, new=new))
    return raw


def behavior_of(raw: Json, form: Form) -> list[Json]:
    """Return what stands in the fields of the expected behavior."""
    return [look(raw, path) for path in form.behavior]

"""A required step that the expected behavior no longer names."""

from __future__ import annotations

from collections.abc import Iterator

from audit.perturbations.edits import take_all
from audit.perturbations.json_paths import Path, put
from audit.perturbations.language import pieces
from audit.perturbations.paths import path_of
from audit.perturbations.sites import STATED, Planted, Site, Unfit
from audit.perturbations.world import holds, leaves
from audit.records.task import Action, PartKind, ToolKind

HAND_OVER = "transfer_to_"
_LEAST = 20
"""Characters of a sentence that may be a step."""


def drop_step(site: Site) -> Planted | Unfit:
    """Take out one step: a gold call that changes a record, with the statements that are about it alone.

    Where there is none, a thing to be told or to hold; of prose, a sentence. One step at least stays.
    """
    calls = required_calls(site)
    if calls:
        chosen = calls[int(site.rng.integers(len(calls)))]
        return Planted(take_all(site.raw, (path_of(chosen.origin), *about(site, chosen))))
    listed = [path for path, _ in site.texts({PartKind.ASSERTION, PartKind.COMMUNICATE})]
    if len(listed) > 1:
        return Planted(take_all(site.raw, [listed[int(site.rng.integers(len(listed)))]]))
    for path, text in site.texts({PartKind.PROSE}):
        cut = pieces(text)
        steps = [number for number, piece in enumerate(cut) if len(piece) >= _LEAST]
        if len(steps) > 1:
            gone = steps[int(site.rng.integers(len(steps)))]
            rest = "".join(piece for number, piece in enumerate(cut) if number != gone)
            return Planted(put(site.raw, path, rest.strip()))
    return Unfit("its expected behavior has no step that could be left out and leave another")


def required_calls(site: Site) -> list[Action]:
    """Return the gold calls without which the task is not done: those that change a record or hand the talk over."""
    return [
        action
        for action in site.task.actions or ()
        if action.kind is ToolKind.WRITE or (action.kind is not ToolKind.READ and action.name.startswith(HAND_OVER))
    ]


def about(site: Site, call: Action) -> Iterator[Path]:
    """Yield the statements that name something which this required call has and no other."""
    others = {value for other in required_calls(site) if other is not call for value in _values(other)}
    own = {value for value in _values(call) if value not in others}
    for path, text in site.texts(STATED - {PartKind.PROSE}):
        if any(holds(text, value) for value in own):
            yield path


def _values(call: Action) -> set[str]:
    return {str(value) for _, value in leaves(dict(call.arguments)) if isinstance(value, str) and len(value) > 2}

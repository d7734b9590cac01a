"""A required step that the expected behavior no longer names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.perturbations.edits import take_all
from audit.perturbations.json_paths import Path, put
from audit.perturbations.language import is_negative, pieces
from audit.perturbations.sites import STATED, Planted, Site, Unfit
from audit.perturbations.world import holds, leaves, stems_of
from audit.records.task import Action, PartKind, ToolKind

HAND_OVER = "transfer_to_"
_LOOKS = re.compile(r"\b(?:check|verif|detect|reali[sz]e|notice)", re.IGNORECASE)
"""What an agent does on the way to an outcome, and nobody misses."""
_CASE = re.compile(r"^\W*(?:if|in case|unless|otherwise)\b", re.IGNORECASE)
"""How a step begins that need not come up."""
_LEAST = 20
"""Characters of a sentence that may be a step."""


def drop_step(site: Site) -> Planted | Unfit:
    """Take out one step: a gold call that changes a record, with the statements that are about it alone.

    Where there is none, a thing to be told or to hold; of prose, a sentence. One step at least stays.
    """
    calls = without_preparations(required_calls(site))
    if calls:
        chosen = calls[int(site.rng.integers(len(calls)))]
        return Planted(take_all(site.raw, (site.path(chosen.origin), *about(site, chosen))))
    listed = list(site.texts({PartKind.ASSERTION, PartKind.COMMUNICATE}))
    if len(listed) > 1:
        outcomes = [path for path, text in listed if not _LOOKS.search(text)] or [path for path, _ in listed]
        return Planted(take_all(site.raw, [outcomes[int(site.rng.integers(len(outcomes)))]]))
    for path, text in site.texts({PartKind.PROSE}):
        cut = pieces(text)
        steps = [number for number, piece in enumerate(cut) if len(piece) >= _LEAST]
        if len(steps) > 1:
            steps = [number for number in steps if not _CASE.search(cut[number])] or steps
            gone = steps[int(site.rng.integers(len(steps)))]
            rest = "".join(piece for number, piece in enumerate(cut) if number != gone)
            return Planted(put(site.raw, path, new=rest.strip()))
    return Unfit("its expected behavior has no step that could be left out and leave another")


def required_calls(site: Site) -> list[Action]:
    """Return the gold calls without which the task is not done: those that change a record or hand the talk over."""
    return [
        action
        for action in site.task.actions or ()
        if action.kind is ToolKind.WRITE or (action.kind is not ToolKind.READ and action.name.startswith(HAND_OVER))
    ]


def without_preparations(calls: list[Action]) -> list[Action]:
    """Leave out calls of which every value stands in another one, such as the unlocking of a tool; not all calls."""
    ends = [call for call in calls if not any(_prepares(call, other) for other in calls if other is not call)]
    return ends or calls


def _prepares(call: Action, other: Action) -> bool:
    values = _values(call)
    return bool(values) and values < _values(other)


def about(site: Site, call: Action) -> Iterator[Path]:
    """Yield the statements that name something which this required call alone has, or an act that it alone is."""
    others = [other for other in required_calls(site) if other is not call]
    own = {value for value in _values(call) if not any(value in _values(other) for other in others)}
    verb = verb_of(call)
    is_only = not any(verb_of(other) == verb for other in others)
    for path, text in site.texts(STATED - {PartKind.PROSE}):
        if any(holds(text, value) for value in own) or (is_only and not is_negative(text) and verb in stems_of(text)):
            yield path


def verb_of(call: Action) -> str:
    """Return the stem of the first word of a tool's name, which is what it does."""
    return min(stems_of(call.name.partition("_")[0]), default=call.name)


def _values(call: Action) -> set[str]:
    return {str(value) for _, value in leaves(dict(call.arguments)) if isinstance(value, str) and len(value) > 2}

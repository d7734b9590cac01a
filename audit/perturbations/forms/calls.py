"""Gold calls in another shape that says the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from audit.perturbations.json_paths import look, put
from audit.perturbations.paths import path_in
from audit.records.task import Action, Json, PartKind, Task, ToolKind


def in_prose(task: Task) -> Iterator[str]:
    """Yield a sentence for each gold call, as binding as the call is; and one where no record may change."""
    labels = [part.label for part in task.behavior if part.kind is PartKind.ACTION]
    for action, label in zip(task.actions or (), labels, strict=True):
        yield _sentence(action, is_required="not required" not in label and "one way" not in label)
    if any(part.kind is PartKind.NO_WRITE for part in task.behavior):
        yield "The agent changes no record."


def _sentence(action: Action, *, is_required: bool) -> str:
    who = "user" if action.requestor == "user" else "agent"
    given = "; ".join(f"{name.replace('_', ' ')}: {_spell(value)}" for name, value in action.arguments.items())
    with_what = f" with {given}" if given else ""
    if is_required:
        return f"The {who} must use {action.name}{with_what}."
    return f"The {who} can use {action.name}{with_what}; this is one way, and not required."


def _spell(value: Json) -> str:
    """Return a value without the marks of JSON."""
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{name.replace('_', ' ')} {_spell(part)}" for name, part in value.items()) + ")"
    if isinstance(value, list | tuple):
        return " and ".join(map(_spell, value)) if value else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def reads_in_a_row(task: Task) -> Iterator[range]:
    """Yield where several gold calls that only read follow one another: their order says nothing."""
    kinds = [action.kind for action in task.actions or ()]
    for kind, group in groupby(range(len(kinds)), key=kinds.__getitem__):
        places = list(group)
        if kind is ToolKind.READ and len(places) > 1:
            yield range(places[0], places[-1] + 1)


def turn(fields: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return an object with its fields from last to first."""
    return {name: fields[name] for name in reversed(list(fields))}


def reorder_arguments(task: Task, *fields: str) -> Iterator[tuple[str, Json]]:
    """Yield the entry with the arguments of all calls from last to first, if any has several."""
    raw: Json = task.raw
    for action in task.actions or ():
        for field in fields:
            path = (*path_in(task.raw, action.origin), field)
            found = look(raw, path)
            if isinstance(found, Mapping) and len(found) > 1:
                raw = put(raw, path, new=turn(found))
    if raw is not task.raw:
        yield "arguments from last to first", raw

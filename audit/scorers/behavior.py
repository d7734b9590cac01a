"""The words of an expected behavior that are the benchmark's own, without the labels and sentences that loaders add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from audit.records.task import Action, Json, PartKind, Task
from audit.scorers.reachability import DatabaseIndex, find_ids, read_phrases
from audit.scorers.words import is_id, phrase

_SHARE_KNOWN = 0.8
"""An action argument names rows when this share of its values are keys of the database."""
_LEAST_VALUES = 5


def behavior_text(task: Task, kinds: frozenset[PartKind]) -> str:
    """Return the chosen parts of the expected behavior as one text.

    Actions enter as the tool's name and the values of its arguments, since their parts hold our own rendering; those
    parts are read only where a format has no calls. Our sentence on unchanged databases never enters.
    """
    has_calls = bool(task.actions)
    parts = [
        part.text
        for part in task.behavior
        if part.kind in kinds
        and part.kind is not PartKind.NO_WRITE
        and not (part.kind is PartKind.ACTION and has_calls)
    ]
    calls = [_call_text(action) for action in task.actions or ()] if PartKind.ACTION in kinds else []
    return "\n".join(text for text in (*calls, *parts) if text.strip())


def id_arguments(tasks: Iterable[Task], index: DatabaseIndex) -> frozenset[str]:
    """Return the names of action arguments whose values are, nearly always, ids of the database."""
    known: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for name, value in {pair for task in tasks for pair in _argument_values(task)}:
        total[name] += 1
        known[name] += _has_id(index, value)
    return frozenset(name for name, n in total.items() if n >= _LEAST_VALUES and known[name] >= _SHARE_KNOWN * n)


def unknown_ids(task: Task, names: frozenset[str], *, index: DatabaseIndex) -> dict[str, str]:
    """Return the values of the id arguments ``names`` that the database lacks: phrase to spelling."""
    values = (value for name, value in _argument_values(task) if name in names and not _has_id(index, value))
    return {phrase(value): value for value in values if is_id(phrase(value))}


def _has_id(index: DatabaseIndex, value: str) -> bool:
    return bool(find_ids(index, read_phrases(index, value)))


def _call_text(action: Action) -> str:
    return "\n".join((action.name, *_scalars(action.arguments)))


def _scalars(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _scalars(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from _scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _argument_values(task: Task) -> Iterator[tuple[str, str]]:
    for action in task.actions or ():
        for name, value in action.arguments.items():
            plain = [value] if isinstance(value, str) else value
            if isinstance(plain, Sequence):
                yield from ((name, item) for item in plain if isinstance(item, str))

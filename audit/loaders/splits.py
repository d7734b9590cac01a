"""Splits of a benchmark, and the choice among its tasks."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from audit.errors import LoadError, UsageError
from audit.loaders.entry import Entry
from audit.loaders.json_file import InputFile, parse_json
from audit.records.task import Benchmark, Origin, Task


def read_splits(file: InputFile, task_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the task ids of each split.

    Raises
    ------
    LoadError
        If the file is not an object of lists of ids, or names a task that does not exist.
    """
    value = parse_json(file)
    if not isinstance(value, dict):
        raise LoadError("must be an object of lists of task ids", where=str(file.path), mend="Correct the file")
    entry = Entry(value, Origin(file.shown, ""), file.path)
    splits = {name: entry.texts(name) or () for name in value}
    for name, ids in splits.items():
        unknown = next((task_id for task_id in ids if task_id not in task_ids), None)
        if unknown is not None:
            what = f"task {unknown!r} is not among the tasks"
            raise entry.error(what, field=name, mend="Remove it from the split, or add the task")
    return splits


def choose_tasks(
    benchmark: Benchmark, *, tasks: Sequence[str] = (), limit: int | None = None, split: str | None = None
) -> Benchmark:
    """Return ``benchmark`` with only the chosen tasks; its corpus stays whole.

    Parameters
    ----------
    benchmark
        As loaded: with the tasks of its default split.
    tasks
        Ids to take, in this order; empty for all of the split.
    limit
        Take at most the first ``limit`` of them, at least 1.
    split
        Choose from this split; ``None`` for the default one. Ids of other splits can be asked for only by name of
        their split, or with ``None``.

    Raises
    ------
    UsageError
        If a split or a task does not exist, or nothing is left.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is {limit}", mend="Give a number of at least 1")
    everything = benchmark.corpus or benchmark.tasks
    chosen = benchmark.tasks if split is None else _in_split(benchmark, everything, split)
    if tasks:
        chosen = _by_id(everything if split is None else chosen, tasks, place=split or benchmark.name)
    if not chosen:
        name = "default split" if split is None else f"split {split!r}"
        raise UsageError(f"the {name} of {benchmark.name} holds no task", mend="Choose another split")
    return replace(benchmark, tasks=chosen[:limit], corpus=everything)


def _in_split(benchmark: Benchmark, everything: Sequence[Task], split: str) -> tuple[Task, ...]:
    if split not in benchmark.splits:
        known = ", ".join(sorted(benchmark.splits)) or "none"
        raise UsageError(f"{benchmark.name} has no split {split!r}", mend=f"Its splits: {known}")
    by_id = {task.id: task for task in everything}
    return tuple(by_id[task_id] for task_id in benchmark.splits[split])


def _by_id(among: Sequence[Task], wanted: Sequence[str], *, place: str) -> tuple[Task, ...]:
    by_id: Mapping[str, Task] = {task.id: task for task in among}
    for task_id in wanted:
        if task_id not in by_id:
            raise UsageError(f"no task {task_id!r} in {place}", mend=suggest(task_id, list(by_id)))
    return tuple(by_id[task_id] for task_id in dict.fromkeys(wanted))


def suggest(wanted: str, known: Sequence[str]) -> str:
    """Return advice that names what comes close to ``wanted``, or else some of what there is.

    Examples
    --------
    >>> suggest("cancel_lone", ["cancel_loan", "renew_loan"])
    'Perhaps you meant cancel_loan'
    >>> suggest("zzz", ["1", "2"])
    'There are: 1, 2'
    """
    close = difflib.get_close_matches(wanted, known, n=3)
    if close:
        return f"Perhaps you meant {' or '.join(close)}"
    some = ", ".join(known[:8])
    return f"There are: {some}{f' and {len(known) - 8} more' if len(known) > 8 else ''}"

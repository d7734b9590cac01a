"""A run's questions in chunks, each of which one worker is told to ask."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from audit.judges.one_model import AskingOptions
from audit.judges.panel import ModelMemory
from audit.judges.protocol import VerdictStore
from audit.judges.questions import Questions
from audit.providers.registry import ProviderOptions
from audit.records.run import JudgeStop
from audit.records.task import Task
from audit.records.verdict import Verdict

FEWEST_CALLS, MOST_CALLS = 100, 500
"""In a chunk: enough that starting it costs nothing beside it, and few enough that all workers end at about once."""
_CHUNKS_A_SLOT = 4


class WorkerStore(VerdictStore, ModelMemory, Protocol):
    """The run's store, as a worker sees it."""


class SharedStore(Protocol):
    """How a worker opens the run's store; can be pickled, and holds no password."""

    def open(self) -> AbstractContextManager[WorkerStore]:
        """Return the store, opened; raise ``StoreError`` where this very store can't be reached."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """What a worker is told; holds no key and no password.

    Parameters
    ----------
    run
        Tells runs from each other.
    judges
        By the names that the user gave them; where their keys are, not the keys.
    requests
        Of each judge the endpoint, the model and the parameters that the command's keys are made of.
    options
        Concurrency of a whole worker, retries, prices.
    """

    run: str
    questions: Questions
    judges: Mapping[str, ProviderOptions]
    requests: Mapping[str, tuple[str, str, str]]
    store: SharedStore
    options: AskingOptions


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker says of a chunk; the verdicts are in the store.

    Parameters
    ----------
    failed
        What was asked and brought no verdict.
    stops
        Judges that were stopped.
    refusal
        What is wrong, where, and what to do, if the worker can't ask at all.
    """

    worker: str
    failed: tuple[Verdict, ...] = ()
    stops: tuple[JudgeStop, ...] = ()
    refusal: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A task of one benchmark with all criteria and trials, which are asked by one worker.

    Parameters
    ----------
    numbers
        Its places among a model's verdicts.
    """

    part: int
    task: Task
    numbers: tuple[int, ...]


class Layout:
    """Where the tasks of a run's benchmarks stand among a model's verdicts."""

    def __init__(self, questions: Questions) -> None:
        self._parts = tuple(_flatten(questions))
        self._firsts = [0]
        for part in self._parts[:-1]:
            self._firsts.append(self._firsts[-1] + part.n_own)

    def unit_at(self, number: int) -> tuple[int, int]:
        """Return the benchmark and the task, both as numbers, that a place belongs to."""
        place = bisect_right(self._firsts, number) - 1
        part = self._parts[place]
        return place, (number - self._firsts[place]) // part.trials % len(part.benchmark.tasks)

    def unit(self, place: int, task: int) -> Unit:
        """Return a task with its places."""
        part, first = self._parts[place], self._firsts[place]
        n_tasks = len(part.benchmark.tasks)
        numbers = tuple(
            first + (judge * n_tasks + task) * part.trials + trial
            for judge in range(len(part.judges))
            for trial in range(part.trials)
        )
        return Unit(place, part.benchmark.tasks[task], numbers)

    def questions_of(self, units: Sequence[Unit]) -> Questions:
        """Return what is asked about ``units`` alone, with nothing that no prompt shows."""
        first, *others = (
            _restrict(self._parts[place], [unit.task for unit in group])
            for place, group in groupby(units, key=lambda unit: unit.part)
        )
        return replace(first, more=tuple(others))


def _flatten(questions: Questions) -> Iterator[Questions]:
    """Yield the questions about each benchmark, in the order in which they are numbered."""
    if questions.n_own:
        yield replace(questions, more=())
    for each in questions.more:
        yield from _flatten(each)


def _restrict(part: Questions, tasks: Iterable[Task]) -> Questions:
    benchmark = part.benchmark
    lean = replace(
        benchmark,
        tasks=tuple(replace(task, raw={}) for task in tasks),
        database={},
        corpus=(),
        tools=(),
        files=(),
        splits={},
        other_policies=(),
        experiments=(),
        twin=None,
    )
    return replace(part, benchmark=lean)


def gather_units(layout: Layout, keys: Iterable[tuple[int, str]]) -> list[list[Unit]]:
    """Return the units that are to be asked about, in order; those that share a question stand together.

    Parameters
    ----------
    keys
        Place and key of every question without an answer. Two with the same key are the same question.
    """
    owner: dict[str, tuple[int, int]] = {}
    joined: dict[tuple[int, int], tuple[int, int]] = {}

    def root(unit: tuple[int, int]) -> tuple[int, int]:
        while joined[unit] != unit:
            joined[unit] = unit = joined[joined[unit]]
        return unit

    for number, key in keys:
        unit = layout.unit_at(number)
        joined.setdefault(unit, unit)
        other = owner.setdefault(key, unit)
        low, high = sorted((root(unit), root(other)))
        joined[high] = low
    groups: dict[tuple[int, int], list[Unit]] = {}
    for unit in sorted(joined):
        groups.setdefault(root(unit), []).append(layout.unit(*unit))
    return list(groups.values())


def cut(groups: Sequence[Sequence[Unit]], n_calls: Mapping[int, int], *, n_slots: int) -> list[tuple[Unit, ...]]:
    """Return the chunks, none of which tears a group apart.

    Parameters
    ----------
    n_calls
        Calls by place, over all judges.
    n_slots
        Chunks that the workers take at once.
    """
    sizes = [sum(n_calls[number] for unit in group for number in unit.numbers if number in n_calls) for group in groups]
    most = min(max(sum(sizes) // (n_slots * _CHUNKS_A_SLOT), FEWEST_CALLS), MOST_CALLS)
    chunks: list[list[Unit]] = []
    room = 0
    for group, size in zip(groups, sizes, strict=True):
        if not chunks or size > room:
            chunks.append([])
            room = most
        chunks[-1] += group
        room -= size
    return [tuple(sorted(chunk, key=lambda unit: unit.numbers)) for chunk in chunks]

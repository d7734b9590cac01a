"""What every check of references asks of a benchmark, computed once: ids, owners, people, tools, runs of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from audit.checks.protocol import Subject
from audit.checks.raw import Call, calls_of, leaves
from audit.databases.spaces import Spaces, build_spaces, owners
from audit.databases.tables import Index, Ref, build_index
from audit.environments.replay import Replay, replay
from audit.records.task import Benchmark, Task, Tool

_LEARN_FROM = 4
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class World:
    """A benchmark with what is known of its database and tools.

    Parameters
    ----------
    owner_of
        Rows that belong to persons, and to whom.
    id_arguments
        Argument names whose values are ids though no field of the database has that name, learnt from the gold
        actions, with the spaces of the values.
    """

    subject: Subject
    tools: Mapping[tuple[str, str], Tool]
    index: Index
    spaces: Spaces
    owner_of: Mapping[Ref, frozenset[Ref]]
    id_arguments: Mapping[str, frozenset[str]]
    tasks: Mapping[str, Task] = field(repr=False)
    calls: Mapping[str, tuple[Call, ...]] = field(repr=False)
    """By task id."""

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark."""
        return self.subject.benchmark

    def spaces_for(self, name: str) -> tuple[frozenset[str], bool]:
        """Return the id spaces of an argument, and whether the database itself says so."""
        known = self.spaces.spaces_for(name)
        if known:
            return known, True
        return (self.id_arguments[name], False) if name in self.id_arguments else (frozenset(), False)

    def people_of(self, task: Task) -> frozenset[Ref]:
        """Return the persons among the task's rows."""
        return frozenset((row.table, row.key) for row in task.rows if row.table in self.index.people)

    def replay(self, task: Task) -> Replay | None:
        """Return the run of the task's gold actions, where there is an environment."""
        environment = self.subject.environment
        return None if environment is None else _replays(_Same(self.subject), task.id)


class _Same:
    """Wraps a subject so that it can be a key: two wrappers are equal if they hold the same benchmark object."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def __hash__(self) -> int:
        return id(self.subject.benchmark)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Same)
            and other.subject.benchmark is self.subject.benchmark
            and other.subject.environment is self.subject.environment
        )


def world_of(subject: Subject) -> World:
    """Return what is known of a benchmark; computed at its first use and kept for the last few benchmarks."""
    return _build(_Same(subject))


@lru_cache(maxsize=2)
def _build(held: _Same) -> World:
    benchmark = held.subject.benchmark
    tools = {(tool.caller, tool.name): tool for tool in benchmark.tools}
    index = build_index(benchmark.database)
    spaces = build_spaces(benchmark.database)
    calls = {task.id: tuple(calls_of(task, tools)) for task in benchmark.tasks}
    return World(
        subject=held.subject,
        tools=tools,
        index=index,
        spaces=spaces,
        owner_of=owners(benchmark.database, index.people),
        id_arguments=_learn(calls, spaces),
        tasks={task.id: task for task in benchmark.tasks},
        calls=calls,
    )


@lru_cache(maxsize=4096)
def _replays(held: _Same, task_id: str) -> Replay | None:
    environment = held.subject.environment
    return None if environment is None else replay(environment, _build(held).tasks[task_id])


def _learn(calls: Mapping[str, tuple[Call, ...]], spaces: Spaces) -> dict[str, frozenset[str]]:
    """Return the argument names of which most values, of four different ones or more, are ids."""
    values: dict[str, set[str]] = {}
    for call in (call for made in calls.values() for call in made):
        for leaf in leaves(dict(call.arguments)):
            if isinstance(leaf.value, str):
                values.setdefault(leaf.name, set()).add(leaf.value)
    found: dict[str, frozenset[str]] = {}
    for name, seen in values.items():
        hits = [value for value in seen if value in spaces.by_id]
        if len(seen) >= _LEARN_FROM and len(hits) >= _MOSTLY * len(seen):
            found[name] = frozenset(space for value in hits for space in spaces.spaces_of(value))
    return found

"""What every check of references asks of a benchmark, computed once: ids, owners, people, tools, runs of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from audit.checks.protocol import Subject
from audit.checks.raw import Call, calls_of, leaves
from audit.databases.spaces import Spaces, build_spaces, owners
from audit.databases.tables import Index, Ref, Tables, build_index
from audit.environments.replay import Replay, replay
from audit.records.same import Same
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
    calls: Mapping[str, tuple[Call, ...]] = field(repr=False)
    """By task id."""
    runs: dict[str, Replay] = field(default_factory=dict, repr=False)
    """Filled by :meth:`replay`."""
    spaces_by_argument: dict[str, tuple[frozenset[str], bool]] = field(default_factory=dict, repr=False)
    """Filled by :meth:`spaces_for`."""

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark."""
        return self.subject.benchmark

    def spaces_for(self, name: str) -> tuple[frozenset[str], bool]:
        """Return the id spaces of an argument, and whether the database itself says so."""
        if name not in self.spaces_by_argument:
            known = self.spaces.spaces_for(name)
            self.spaces_by_argument[name] = (known or self.id_arguments.get(name, frozenset()), bool(known))
        return self.spaces_by_argument[name]

    def people_of(self, task: Task) -> frozenset[Ref]:
        """Return the persons among the task's rows."""
        return frozenset((row.table, row.key) for row in task.rows if row.table in self.index.people)

    def replay(self, task: Task) -> Replay | None:
        """Return the run of the task's gold actions, where there is an environment; each task runs once."""
        if self.subject.environment is None:
            return None
        if task.id not in self.runs:
            self.runs[task.id] = replay(self.subject.environment, task)
        return self.runs[task.id]


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a database alone tells."""

    index: Index
    spaces: Spaces
    owner_of: Mapping[Ref, frozenset[Ref]]


def world_of(subject: Subject) -> World:
    """Return what is known of a benchmark; computed at its first use and kept for the last few benchmarks."""
    return _build(Same(subject, subject.benchmark, subject.environment))


@lru_cache(maxsize=2)
def _build(held: Same[Subject]) -> World:
    benchmark = held.value.benchmark
    tools = {(tool.caller, tool.name): tool for tool in benchmark.tools}
    stored = _store(Same(benchmark.database))
    calls = {task.id: tuple(calls_of(task, tools)) for task in benchmark.tasks}
    return World(
        subject=held.value,
        tools=tools,
        index=stored.index,
        spaces=stored.spaces,
        owner_of=stored.owner_of,
        id_arguments=_learn(calls, stored.spaces),
        calls=calls,
    )


@lru_cache(maxsize=2)
def _store(held: Same[Tables]) -> _Stored:
    index = build_index(held.value)
    return _Stored(index, build_spaces(held.value), owners(held.value, index.people))


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

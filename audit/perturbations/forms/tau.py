"""Entries in the layout of τ²-bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit.loaders.database_view import Database
from audit.loaders.entry import Entry
from audit.loaders.tau_policy import Policies
from audit.loaders.tau_task import Surroundings, read_task
from audit.loaders.tools import by_caller
from audit.perturbations.forms.calls import in_prose, reads_in_a_row, reorder_arguments
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.forms.rows import remake_tasks
from audit.perturbations.json_paths import Path, look, put, take
from audit.records.task import Benchmark, Json, Task

_CRITERIA = "evaluation_criteria"
_ASSERTIONS = (_CRITERIA, "nl_assertions")
_ACTIONS = (_CRITERIA, "actions")
_UNORDERED = tuple((_CRITERIA, name) for name in ("nl_assertions", "communicate_info", "env_assertions"))


@dataclass(frozen=True, slots=True)
class TauForm:
    """A user's script, and criteria with gold calls and statements."""

    behavior: tuple[Path, ...] = ((_CRITERIA,), ("description", "purpose"))

    def state(self, raw: Raw, text: str) -> Json:
        """Return an entry with one more assertion."""
        stated = look(raw, _ASSERTIONS)
        return put(raw, (*_ASSERTIONS, len(stated) if isinstance(stated, list) else 0), new=text)

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield the lists of statements, and runs of calls that change nothing."""
        yield from whole_lists(task.raw, _UNORDERED)
        yield from ((_ACTIONS, run) for run in reads_in_a_row(task))

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield the entry with its calls in prose, and with their arguments in another order."""
        if task.actions:
            raw: Json = take(task.raw, _ACTIONS)
            for text in in_prose(task):
                raw = self.state(raw, text) if isinstance(raw, Mapping) else raw
            yield "calls in prose", raw
        yield from reorder_arguments(task, "arguments")

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        tools, policies = by_caller(benchmark.tools), Policies(benchmark.policy, {}, ())

        def read(entry: Entry, database: Database | None) -> Task:
            return read_task(entry, Surroundings(tools, database, {}, policies))

        return remake_tasks(benchmark, raws, read=read)


def whole_lists(raw: Json, paths: tuple[Path, ...]) -> Iterator[tuple[Path, range]]:
    """Yield the lists at these paths that have several entries, whole."""
    for path in paths:
        found = look(raw, path)
        if isinstance(found, list) and len(found) > 1:
            yield path, range(len(found))

"""Entries in the layout of τ1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit.loaders.database_view import Database
from audit.loaders.entry import Entry
from audit.loaders.tau1_task import read_task
from audit.loaders.tools import by_caller
from audit.perturbations.forms.calls import reads_in_a_row, reorder_arguments
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.forms.rows import remake_tasks
from audit.perturbations.forms.tau import whole_lists
from audit.perturbations.json_paths import Path, look, put
from audit.records.task import Benchmark, Json, Task


@dataclass(frozen=True, slots=True)
class Tau1Form:
    """An instruction, gold calls, and outputs that have to be said; there are no statements but these."""

    behavior: tuple[Path, ...] = (("actions",), ("outputs",))

    def state(self, raw: Raw, text: str) -> Json:
        """Return an entry with one more output."""
        stated = look(raw, ("outputs",))
        return put(raw, ("outputs", len(stated) if isinstance(stated, list) else 0), new=text)

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield the outputs, and runs of calls that change nothing."""
        yield from whole_lists(task.raw, (("outputs",),))
        yield from ((("actions",), run) for run in reads_in_a_row(task))

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield the entry with the arguments of its calls in another order."""
        yield from reorder_arguments(task, "kwargs", "arguments")

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        tools = by_caller(benchmark.tools)

        def read(entry: Entry, database: Database | None) -> Task:
            return read_task(entry, split="", tools=tools, database=database)

        return remake_tasks(benchmark, raws, read=read)

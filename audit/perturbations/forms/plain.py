"""Records of a plain table, whose columns the user chose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from audit.loaders.database_view import Database
from audit.loaders.entry import Entry
from audit.loaders.json_file import InputFile
from audit.loaders.plain_task import Cells, Surroundings, read_task
from audit.loaders.table_file import Record
from audit.loaders.tools import by_caller
from audit.perturbations.forms.calls import reads_in_a_row, reorder_arguments
from audit.perturbations.forms.merging import add_sentence
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.forms.rows import remake_tasks
from audit.perturbations.forms.tau import whole_lists
from audit.perturbations.json_paths import Path, look, put
from audit.perturbations.paths import path_in
from audit.records.task import Benchmark, Json, Origin, PartKind, Task

_NUMBER = re.compile(r"\[\d+\]$")


@dataclass(frozen=True, slots=True)
class PlainForm:
    """Cells by column.

    Parameters
    ----------
    columns, paths
        Field of a task to the column that holds it, and to the place of that column in a record; of fields that any
        task has.
    """

    columns: Mapping[str, str]
    paths: Mapping[str, Path]

    @property
    def behavior(self) -> tuple[Path, ...]:
        """The columns of expected behavior and gold calls."""
        return tuple(self.paths[field] for field in ("behavior", "actions") if field in self.paths)

    def state(self, raw: Raw, text: str) -> Json:
        """Return a record whose expected behavior says one more thing; the same record if no column is for that."""
        path = self.paths.get("behavior")
        if path is None:
            return raw
        stated = look(raw, path)
        return (
            put(raw, (*path, len(stated)), new=text) if isinstance(stated, list) else add_sentence(raw, path, text=text)
        )

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield a list of expected behaviors, and runs of calls that change nothing."""
        for field, path in self.paths.items():
            if field == "behavior":
                yield from whole_lists(task.raw, (path,))
            elif field == "actions":
                yield from ((path, run) for run in reads_in_a_row(task))

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield the record with the arguments of its calls in another order."""
        yield from reorder_arguments(task, "arguments", "kwargs")

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        tools = by_caller(benchmark.tools)

        def read(entry: Entry, database: Database | None) -> Task:
            file = InputFile(entry.path, entry.origin.file, b"")
            record = Record(entry.values, f"task {entry.origin.task_id}", entry.origin.line or 0)
            around = Surroundings(self.columns, tools, database, {})
            made = read_task(Cells(record, file, self.columns), entry.origin.task_id or "", around=around)
            return replace(made, raw=entry.values)

        return remake_tasks(benchmark, raws, read=read)


def plain_form(benchmark: Benchmark) -> PlainForm:
    """Return the form of a table's records: its columns are read off the places that parts, calls and rows have."""
    columns: dict[str, str] = {}
    paths: dict[str, Path] = {}
    for task in benchmark.tasks:
        for field, origin in _origins(task):
            column = _NUMBER.sub("", origin.field)
            columns.setdefault(field, column)
            paths.setdefault(field, path_in(task.raw, replace(origin, field=column)))
    return PlainForm(columns, paths)


def _origins(task: Task) -> Iterator[tuple[str, Origin]]:
    yield from (("description", part.origin) for part in task.description)
    yield from (("behavior", part.origin) for part in task.behavior if part.kind is PartKind.PROSE)
    yield from (("actions", action.origin) for action in task.actions or ())
    yield from (("state", row.origin) for row in task.rows if row.origin.task_id is not None)

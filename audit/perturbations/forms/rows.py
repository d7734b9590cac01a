"""Tasks that find their rows in a shared database, made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from audit.loaders.database_view import Database, build_database
from audit.loaders.entry import Entry
from audit.loaders.tau_task import CUT_ROWS, USER_TABLE
from audit.perturbations.forms.merging import with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.records.task import Benchmark, Row, Task

Read: TypeAlias = Callable[[Entry, Database | None], Task]
"""A loader's own reading of one entry; without a database it looks for no rows."""


def remake_tasks(benchmark: Benchmark, raws: Mapping[str, Raw], *, read: Read) -> Benchmark:
    """Return the benchmark with these tasks read anew.

    Relevant rows are looked for anew only where what the task says of itself has changed.
    """
    index: Database | None = None
    made: dict[str, Task] = {}
    for task in benchmark.tasks:
        if task.id not in raws:
            continue
        entry = Entry(raws[task.id], task.origin, Path(task.origin.file))
        new = read(entry, None)
        if _needs_rows(task, new, benchmark):
            index = index or (_index(benchmark) if benchmark.database else None)
            new = _keep(task, read(entry, index))
        else:
            new = replace(new, rows=task.rows, tags=task.tags)
        made[task.id] = replace(new, policy=task.policy)
    return with_tasks(benchmark, made)


def _needs_rows(old: Task, new: Task, benchmark: Benchmark) -> bool:
    """Return whether a task's rows may be others: by what it says, by what it changes, or by another database."""
    if old.description_text != new.description_text or old.raw.get("initial_state") != new.raw.get("initial_state"):
        return True
    if new.rows and new.rows != tuple(row for row in old.rows if row.origin.task_id is not None):
        return True
    shared = [row for row in old.rows if row.origin.task_id is None and row.table != USER_TABLE]
    shared = [row for row in old.rows if row.origin.task_id is None and row.table != USER_TABLE]
    return bool(benchmark.database) and any(row.key not in benchmark.database.get(row.table, ()) for row in shared)


def _index(benchmark: Benchmark) -> Database:
    files = (row.origin.file for task in benchmark.tasks for row in task.rows if row.origin.task_id is None)
    return build_database(benchmark.database, file=next(files, ""))


def _keep(old: Task, new: Task) -> Task:
    """Return the new task with the places of rows that it still has, and what does not hang on its own entry."""
    known = dict(_by_ref(old.rows))
    rows = [known[ref] if ref in known and known[ref].value == row.value else row for ref, row in _by_ref(new.rows)]
    user = [row for row in old.rows if row.table == USER_TABLE]
    tags = [tag for tag in old.tags if tag != CUT_ROWS]
    return replace(new, rows=(*rows, *user), tags=(*tags, *(tag for tag in new.tags if tag == CUT_ROWS)))


def _by_ref(rows: Iterable[Row]) -> Iterator[tuple[tuple[str, str], Row]]:
    return (((row.table, row.key), row) for row in rows)

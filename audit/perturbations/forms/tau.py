"""Entries in the layout of τ²-bench."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from audit.loaders.database_view import Database, build_database
from audit.loaders.entry import Entry
from audit.loaders.tau_policy import Policies
from audit.loaders.tau_task import CUT_ROWS, USER_TABLE, Surroundings, read_task
from audit.loaders.tools import by_caller
from audit.perturbations.forms.merging import with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.json_paths import Path
from audit.records.task import Benchmark, Row, Task

_CRITERIA = "evaluation_criteria"


@dataclass(frozen=True, slots=True)
class TauForm:
    """A user's script, and criteria with gold calls and statements."""

    behavior: tuple[Path, ...] = ((_CRITERIA,), ("description", "purpose"))

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`.

        Relevant rows are looked for anew only where what the task says of itself has changed.
        """
        plain = Surroundings(by_caller(benchmark.tools), None, {}, Policies(benchmark.policy, {}, ()))
        whole: Surroundings | None = None
        made: dict[str, Task] = {}
        for task in benchmark.tasks:
            if task.id not in raws:
                continue
            entry = Entry(raws[task.id], task.origin, FilePath(task.origin.file))
            new = read_task(entry, plain)
            if _needs_rows(task, new, raws[task.id]) and benchmark.database:
                whole = whole or replace(plain, database=_index(benchmark))
                new = _keep(task, read_task(entry, whole))
            else:
                new = replace(new, rows=task.rows, tags=task.tags)
            made[task.id] = replace(new, policy=task.policy)
        return with_tasks(benchmark, made)


def _needs_rows(old: Task, new: Task, raw: Raw) -> bool:
    return old.description_text != new.description_text or old.raw.get("initial_state") != raw.get("initial_state")


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

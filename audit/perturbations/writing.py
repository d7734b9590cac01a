"""The folder that a perturbed benchmark is written to, and the proof that it loads as it is in memory."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from audit import pipeline
from audit.errors import AuditError, OutputError
from audit.records.source import Source
from audit.records.task import Benchmark, Task
from audit.reports.perturbed import FORMAT, JSON_NAME, Account, render_json
from audit.writers.folder import check_target, new_folder, stated_files
from audit.writers.registry import find_writer


def check_folder(source: Source, target: Path, *, may_replace: bool) -> None:
    """Raise an error now if :func:`write_perturbed` could not write ``target`` at the end."""
    find_writer(source.loader)
    check_target(target, may_replace=may_replace, names=stated_files(target, record=JSON_NAME, form=FORMAT))


def write_perturbed(account: Account, source: Source, *, target: Path) -> tuple[str, ...]:
    """Write the benchmark in its own format with the record of what was changed, whole or not at all.

    Parameters
    ----------
    source
        What the benchmark was read from before it was changed.

    Returns
    -------
    tuple[str, ...]
        What is other in the folder than in memory, though no judge of a task sees it: sentences.

    Raises
    ------
    OutputError
        If something can't be written, or a judge would see something else in the folder than in memory.
    """
    made = account.perturbed.benchmark
    with new_folder(target) as folder:
        has_new_rows = made.database != account.original.database
        find_writer(source.loader).write(source, made, folder=folder, has_new_rows=has_new_rows)
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        notes = _prove(made, folder, use_items=source.use_items)
        (folder / JSON_NAME).write_bytes(render_json(account, files))
    return notes


def _prove(made: Benchmark, folder: Path, *, use_items: bool) -> tuple[str, ...]:
    """Raise :class:`OutputError` unless the folder loads as what a judge sees of ``made``."""
    try:
        loaded = pipeline.load(str(folder), pipeline.Places(use_items=use_items))
    except AuditError as error:
        raise _unlike(made, error.what) from error
    if [task.id for task in loaded.tasks] != [task.id for task in made.tasks]:
        raise _unlike(made, "its tasks would differ")
    if loaded.database != made.database:
        raise _unlike(made, "its database would differ")
    for new, old in zip(loaded.tasks, made.tasks, strict=True):
        for name, is_same in _compare((loaded, new), (made, old)):
            if not is_same:
                raise _unlike(made, f"the {name} of task {old.id} would differ")
    if loaded.policy.items != made.policy.items:
        return (f"The policy in the folder has {len(loaded.policy.items)} items, not {len(made.policy.items)}",)
    return ()


def _compare(new: tuple[Benchmark, Task], old: tuple[Benchmark, Task]) -> list[tuple[str, bool]]:
    seen, wanted = seen_of(*new), seen_of(*old)
    return [(name, seen[name] == wanted[name]) for name in seen]


def seen_of(benchmark: Benchmark, task: Task) -> dict[str, object]:
    """Return what any judge or scorer may see of a task; where it stands in which file has no part in it."""
    return {
        "description": [(part.kind, part.label, part.text) for part in task.description],
        "expected behavior": [(part.kind, part.label, part.text) for part in task.behavior],
        "calls": None if task.actions is None else [asdict(action) | {"origin": None} for action in task.actions],
        "rows": [(row.table, row.key, row.value) for row in task.rows],
        "policy": benchmark.policy_of(task).text,
    }


def _unlike(made: Benchmark, why: str) -> OutputError:
    what = f"a folder of its own would not load as the perturbed benchmark ({why})"
    return OutputError(what, where=made.name, mend="Nothing was written; leave out --out to see the changes")

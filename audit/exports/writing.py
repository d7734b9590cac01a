"""The folder that an export writes, and the proof that it loads with the same records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit import pipeline
from audit.errors import AuditError, OutputError
from audit.records.export import Selection
from audit.records.source import Source
from audit.records.task import Benchmark, Json
from audit.reports.left_out import CSV_NAME, FORMAT, JSON_NAME, render_csv, render_json
from audit.writers.folder import check_target, new_folder, stated_files
from audit.writers.registry import find_writer


def check_folder(source: Source, target: Path, *, may_replace: bool) -> None:
    """Raise an error now if :func:`write_export` could not write ``target`` at the end."""
    find_writer(source.loader)
    names = stated_files(target, record=JSON_NAME, form=FORMAT) | {CSV_NAME}
    check_target(target, may_replace=may_replace, names=names)


def write_export(selection: Selection, source: Source, *, target: Path) -> None:
    """Write the kept tasks in the benchmark's own format, with the list of what was left out, whole or not at all.

    Raises
    ------
    OutputError
        If something can't be written, or the folder would not load with the same records.
    """
    ids = frozenset(selection.kept)
    everything = selection.benchmark.corpus or selection.benchmark.tasks
    kept = replace(selection.benchmark, tasks=tuple(task for task in everything if task.id in ids))
    with new_folder(target) as folder:
        find_writer(source.loader).write(source, kept, folder=folder)
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        _prove(kept, folder, use_items=source.use_items)
        (folder / JSON_NAME).write_bytes(render_json(selection, files))
        (folder / CSV_NAME).write_bytes(render_csv(selection))


def _prove(kept: Benchmark, folder: Path, *, use_items: bool) -> None:
    """Raise :class:`OutputError` unless the folder loads with the records of ``kept``."""
    try:
        loaded = pipeline.load(str(folder), pipeline.Places(use_items=use_items))
    except AuditError as error:
        raise _unlike(kept, error.what) from error
    pairs = {
        "tasks": ([task.id for task in loaded.tasks], [task.id for task in kept.tasks]),
        "entries": ([task.raw for task in loaded.tasks], [task.raw for task in kept.tasks]),
        "policy": (_policies(loaded), _policies(kept)),
        "rows": (_rows(loaded), _rows(kept)),
        "database": (loaded.database, kept.database),
        "tools": (loaded.tools, kept.tools),
    }
    for name, (found, wanted) in pairs.items():
        if found != wanted:
            raise _unlike(kept, f"its {name} would differ")


def _policies(benchmark: Benchmark) -> list[str]:
    return [benchmark.policy_of(task).sha256 for task in benchmark.tasks]


def _rows(benchmark: Benchmark) -> list[list[tuple[str, str, Json]]]:
    return [[(row.table, row.key, row.value) for row in task.rows] for task in benchmark.tasks]


def _unlike(kept: Benchmark, why: str) -> OutputError:
    what = f"a folder of its own would not load with the same records ({why})"
    mend = "Nothing was written; keep the original files, and choose among their tasks with --tasks or --split"
    return OutputError(what, where=kept.name, mend=mend)

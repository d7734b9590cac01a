"""Tasks that stand twice: as a folder with a file each, and as one file beside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.json_file import show_path
from audit.loaders.tau_entries import load_entries
from audit.records.source import Source
from audit.records.task import Twin


def read_twin(source: Source, task_ids: Collection[str]) -> Twin | None:
    """Return what stands beside a folder of tasks as a file of its name, or beside a file of tasks as such a folder.

    Parameters
    ----------
    task_ids
        Of the tasks that were read. What holds none of them, or no tasks at all, is no twin.
    """
    path = _beside(source.tasks)
    if path is None:
        return None
    try:
        _, entries = load_entries(replace(source, tasks=path))
    except LoadError:
        return None
    values = {entry.origin.task_id or "": entry.values for entry in entries}
    return Twin(show_path(path, source.root), values) if values.keys() & set(task_ids) else None


def _beside(tasks: Path) -> Path | None:
    if tasks.is_dir():
        file = tasks.parent / f"{tasks.name}.json"
        return file if file.is_file() else None
    folder = tasks.parent / tasks.stem
    return folder if tasks.suffix == ".json" and folder.is_dir() and any(folder.glob("*.json")) else None

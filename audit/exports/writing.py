"""The folder that an export writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit.records.export import Selection
from audit.records.source import Source
from audit.reports.left_out import CSV_NAME, JSON_NAME, render_csv, render_json
from audit.writers.folder import check_target, new_folder
from audit.writers.registry import find_writer
from audit.writers.tau import NAMES

FILES = (*NAMES, JSON_NAME, CSV_NAME)


def check_folder(source: Source, target: Path, *, may_replace: bool) -> None:
    """Raise an error now if :func:`write_export` could not write ``target`` at the end."""
    find_writer(source.loader)
    check_target(target, may_replace=may_replace, names=FILES)


def write_export(selection: Selection, source: Source, *, target: Path) -> None:
    """Write the kept tasks in the benchmark's own format, with the list of what was left out, whole or not at all."""
    ids = frozenset(selection.kept)
    tasks = tuple(task for task in selection.benchmark.tasks if task.id in ids)
    with new_folder(target) as folder:
        find_writer(source.loader).write(source, replace(selection.benchmark, tasks=tasks), folder=folder)
        (folder / JSON_NAME).write_bytes(render_json(selection))
        (folder / CSV_NAME).write_bytes(render_csv(selection))

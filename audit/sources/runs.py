"""Output folders of IntellAgent: which dataset a path means."""

from __future__ import annotations

from pathlib import Path

from audit.errors import LoadError

_DATASETS, _CONVERTED, _GRAPH = "datasets", "events.json", "descriptions_generator.pickle"
_PICKLE = ".pickle"
_TAU = "tasks.json"


def find_dataset(path: Path) -> Path | None:
    """Return the dataset that a path means: itself, the only one in an output folder, or that folder's conversion.

    Returns
    -------
    Path or None
        ``None`` where the path is nothing that IntellAgent writes.

    Raises
    ------
    LoadError
        If a folder holds several datasets: their times are no guide after a copy, so one has to be named.
    """
    if path.is_file():
        return _check(path) if path.suffix == _PICKLE or path.name == _CONVERTED else None
    folder = path if path.name == _DATASETS else path / _DATASETS
    found = sorted(folder.glob(f"*{_PICKLE}"))
    if len(found) > 1:
        names = ", ".join(one.name for one in found[:5])
        raise LoadError(f"there are {len(found)} datasets: {names}", where=str(folder), mend="Name one of them by path")
    if found:
        return found[0]
    converted = path / _CONVERTED
    return converted if converted.is_file() and not (path / _TAU).exists() else None


def run_folder(dataset: Path) -> Path:
    """Return the output folder that a dataset belongs to."""
    return dataset.parent.parent if dataset.parent.name == _DATASETS else dataset.parent


def _check(path: Path) -> Path:
    if path.name in (_GRAPH, "res_dump.pickle"):
        mend = "Give the output folder, or the file below datasets/"
        raise LoadError("this file of IntellAgent holds no events", where=str(path), mend=mend)
    return path

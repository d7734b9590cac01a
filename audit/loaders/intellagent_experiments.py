"""Simulations that IntellAgent ran on a dataset: what became of the dialogs."""

from __future__ import annotations

import csv
import io
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.json_file import MAX_BYTES, decode, read_input, show_path
from audit.records.experiment import Experiment

logger = logging.getLogger(__name__)

_MEMORY, _RESULTS, _WITHOUT = "memory.db", "results.csv", "err_events.csv"
_SUCCESS, _FAILURE = "###STOP SUCCESS###", "###STOP FAILURE###"
_MOST_STEPS = 2_000
"""Thousands of steps of the database's machine that a query may take; real ones take a few."""


def experiment_folders(root: Path, dataset: str) -> list[Path]:
    """Return the folders of the simulations of a dataset, by its name without the ending; all if that is empty."""
    found = (folder for folder in sorted((root / "experiments").glob("*")) if folder.is_dir())
    return [folder for folder in found if not dataset or folder.name.startswith(f"{dataset}__")]


def read_experiments(root: Path, dataset: str) -> tuple[Experiment, ...]:
    """Return the simulations of a dataset. One whose files can't be read is left out, with a warning.

    Parameters
    ----------
    root
        The output folder.
    dataset
        As in :func:`experiment_folders`.
    """
    return tuple(found for folder in experiment_folders(root, dataset) if (found := _read(folder, root)) is not None)


def _read(folder: Path, root: Path) -> Experiment | None:
    try:
        if (folder / _RESULTS).is_file():
            return _from_results(folder, root)
        if (folder / _MEMORY).is_file():
            return _from_memory(folder, root)
    except (LoadError, sqlite3.Error, csv.Error) as error:
        logger.warning("the results in %s can't be read and are left out: %s", folder, error)
    return None


def _from_results(folder: Path, root: Path) -> Experiment:
    scores = [_score(row) for row in _table(folder / _RESULTS, root)]
    without = [row["id"] for row in _table(folder / _WITHOUT, root) if row.get("id")]
    return Experiment(
        name=folder.name,
        file=show_path(folder / _RESULTS, root),
        n_dialogs=len(scores),
        n_success=sum(score == 1 for score in scores),
        n_failure=sum(score == 0 for score in scores),
        without_dialog=tuple(without) if (folder / _WITHOUT).is_file() else None,
    )


def _score(row: dict[str, str]) -> float | None:
    try:
        return float(row["score"])
    except (KeyError, ValueError):
        return None


def _table(path: Path, root: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file; none where there is no such file, or nothing but a line end in it."""
    if path.is_file():
        text = decode(read_input(path, root=root, role="result"))
        for row in csv.DictReader(io.StringIO(text.lstrip("\n"), newline="")):
            yield {name: value for name, value in row.items() if isinstance(name, str) and isinstance(value, str)}


def _from_memory(folder: Path, root: Path) -> Experiment:
    path = folder / _MEMORY
    if path.stat().st_size > MAX_BYTES:
        what = f"longer than {MAX_BYTES // 1_000_000} MB"
        raise LoadError(what, where=str(path), mend="Leave it out")
    ends = _last_messages(path)
    return Experiment(
        name=folder.name,
        file=show_path(path, root),
        n_dialogs=len(ends),
        n_success=sum(_SUCCESS in end for end in ends),
        n_failure=sum(_FAILURE in end for end in ends),
    )


def _last_messages(path: Path) -> list[str]:
    """Return the end of each dialog's last message; the file is not written to, and nothing stored in it runs."""
    steps = iter(range(_MOST_STEPS))
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.set_progress_handler(lambda: next(steps, None) is None, 1_000)
        kind = connection.execute("SELECT type FROM sqlite_master WHERE name = 'Dialog'").fetchone()
        if kind != ("table",):
            raise LoadError("holds no table of dialogs", where=str(path), mend="Leave it out")
        rows = connection.execute("SELECT thread_id, substr(message, -200) FROM Dialog ORDER BY time, rowid").fetchall()
    return list({str(thread): str(message) for thread, message in rows}.values())

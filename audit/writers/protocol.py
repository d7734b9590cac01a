"""The seam from a benchmark back to files of its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from audit.records.source import Source
from audit.records.task import Benchmark


class Writer(Protocol):
    """Writes one format."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:
        """Write the files of a benchmark with the tasks of ``kept`` alone into an empty folder.

        Parameters
        ----------
        source
            What the benchmark was read from.
        kept
            Its tasks. An entry that is still as it was read is copied to the byte; one that was changed is written
            anew. A policy that names no file of the benchmark is written as its text.
        has_new_rows
            Whether the database is to be written from ``kept`` as well.

        Raises
        ------
        audit.errors.OutputError
            If a file changed since ``kept`` was read from it.
        OSError
            If a file can't be written.
        """
        ...

"""The seam from a benchmark back to files of its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from audit.records.source import Source
from audit.records.task import Benchmark


class Writer(Protocol):
    """Writes one format."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path) -> None:
        """Write the files of a benchmark with the tasks of ``kept`` alone into an empty folder.

        What a task's entry in the files looks like is not touched. Raises :class:`audit.errors.OutputError` if a
        file changed since ``kept`` was read from it, and :class:`OSError` if a file can't be written.
        """
        ...

"""The seam from files to benchmarks."""

from __future__ import annotations

from typing import Protocol

from audit.records.source import Source
from audit.records.task import Benchmark

__all__ = ["Loader", "Source"]


class Loader(Protocol):
    """Reads one format."""

    def load(self, source: Source) -> Benchmark:
        """Read every task of ``source``; raise :class:`audit.errors.LoadError` naming file, task and field."""
        ...

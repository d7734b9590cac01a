"""The seam from a format's entries to what can be changed in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

from audit.perturbations.json_paths import Path
from audit.records.task import Benchmark, Json, Task

Raw: TypeAlias = Mapping[str, Json]
"""A task's entry as parsed."""


class Form(Protocol):
    """What one format's entries hold, by path."""

    @property
    def behavior(self) -> tuple[Path, ...]:
        """The fields that make up the expected behavior, whatever a run selects of it."""
        ...

    def state(self, raw: Raw, text: str) -> Json:
        """Return an entry whose expected behavior says one more thing."""
        ...

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield lists of a task's entry, or runs of their entries, whose order says nothing."""
        ...

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield entries that say the same in another shape, each with the name of the shape."""
        ...

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """Return the benchmark with the tasks of these ids made anew from changed entries, as its loader does."""
        ...

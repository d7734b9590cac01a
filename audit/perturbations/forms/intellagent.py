"""Events of IntellAgent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from audit.loaders.entry import Entry
from audit.loaders.intellagent_event import read_event
from audit.perturbations.forms.merging import with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.json_paths import Path
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class IntellAgentForm:
    """A scenario, an expected behavior in prose, and a small database of its own."""

    behavior: tuple[Path, ...] = (("description", "expected_behaviour"),)

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        made = {
            task.id: read_event(Entry(raws[task.id], task.origin, FilePath(task.origin.file)))
            for task in benchmark.tasks
            if task.id in raws
        }
        return with_tasks(benchmark, made)

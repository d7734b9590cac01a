"""Instances of ParaRecover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from audit.loaders.entry import Entry
from audit.loaders.pararecover_task import read_task
from audit.perturbations.forms.merging import with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.json_paths import Path
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class ParaRecoverForm:
    """A request with tools, a plan that went wrong, and tags that say how."""

    behavior: tuple[Path, ...] = (
        *((name,) for name in ("tag", "tag_1", "tag_2", "tag_3")),
        ("error_reason",),
        ("funcall_times_gt",),
        ("round_gt",),
    )

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        made = {
            task.id: read_task(Entry(raws[task.id], task.origin, FilePath(task.origin.file)))
            for task in benchmark.tasks
            if task.id in raws
        }
        return with_tasks(benchmark, made)

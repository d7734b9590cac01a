"""Instances of ParaRecover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from audit.loaders.entry import Entry
from audit.loaders.pararecover_task import read_task
from audit.perturbations.forms.calls import turn
from audit.perturbations.forms.merging import add_sentence, with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.json_paths import Path, put, spell
from audit.plans.nested import read_nested
from audit.records.task import Benchmark, Json, Task


@dataclass(frozen=True, slots=True)
class ParaRecoverForm:
    """A request with tools, a plan that went wrong, and tags that say how."""

    behavior: tuple[Path, ...] = (
        *((name,) for name in ("tag", "tag_1", "tag_2", "tag_3")),
        ("error_reason",),
        ("funcall_times_gt",),
        ("round_gt",),
    )

    def state(self, raw: Raw, text: str) -> Json:
        """Return an instance whose annotator gives one more reason."""
        return add_sentence(raw, ("error_reason",), text=text)

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield the list of tools."""
        tools = read_nested(task.raw.get("tool_list")).value
        if isinstance(tools, list) and len(tools) > 1:
            yield ("tool_list",), range(len(tools))

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield the instance with the fields of its tools in another order."""
        tools = read_nested(task.raw.get("tool_list")).value
        if isinstance(tools, list):
            turned = [turn(tool) if isinstance(tool, dict) else tool for tool in tools]
            yield "fields of tools from last to first", put(task.raw, ("tool_list",), new=spell(turned))

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        made = {
            task.id: read_task(Entry(raws[task.id], task.origin, FilePath(task.origin.file)))
            for task in benchmark.tasks
            if task.id in raws
        }
        return with_tasks(benchmark, made)

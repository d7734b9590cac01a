"""Events of IntellAgent with the policy that they were generated with."""

from __future__ import annotations

import json
from pathlib import Path

from audit.records.source import Source
from audit.records.task import Benchmark, Json

EVENTS, GRAPH = "events.json", "policy_graph.json"


class IntellAgentWriter:
    """Writes events and policy as JSON, in the shape that a conversion of an output folder has.

    What else an output folder holds, such as the graph itself and dialogs, has no part in it.
    """

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:  # noqa: ARG002  # an event holds its rows, and was unpickled whole
        """Write both files; an event without an id gets the one that it is known by."""
        events: list[Json] = [
            dict(task.raw) if task.raw.get("id") is not None else {"id": task.id, **task.raw} for task in kept.tasks
        ]
        _write(folder / EVENTS, {"events": events})
        _write(folder / GRAPH, {"prompt": kept.policy.text})


def _write(path: Path, value: Json) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="")

"""Events of IntellAgent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from audit.loaders.entry import Entry
from audit.loaders.intellagent_event import read_event
from audit.perturbations.forms.calls import turn
from audit.perturbations.forms.merging import add_sentence, with_tasks
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.forms.tau import whole_lists
from audit.perturbations.json_paths import Path, look, put, spell
from audit.records.task import Benchmark, Json, Task


@dataclass(frozen=True, slots=True)
class IntellAgentForm:
    """A scenario, an expected behavior in prose, and a small database of its own."""

    behavior: tuple[Path, ...] = (("description", "expected_behaviour"),)

    def state(self, raw: Raw, text: str) -> Json:
        """Return an event whose expected behavior has one more sentence."""
        return add_sentence(raw, ("description", "expected_behaviour"), text=text)

    def unordered(self, task: Task) -> Iterator[tuple[Path, range]]:
        """Yield the tables of the event's own database."""
        return whole_lists(task.raw, tuple(_tables(task)))

    def reshaped(self, task: Task) -> Iterator[tuple[str, Json]]:
        """Yield the event with the columns of its rows in another order, and with their names in another case."""
        for name, change in (("columns from last to first", turn), ("names of columns in capitals", _capitalise)):
            raw: Json = task.raw
            for path in _tables(task):
                rows = look(task.raw, path)
                if isinstance(rows, list):
                    raw = put(raw, path, new=[change(row) if isinstance(row, dict) else row for row in rows])
            if spell(raw) != spell(task.raw):
                yield name, raw

    def remake(self, benchmark: Benchmark, raws: Mapping[str, Raw]) -> Benchmark:
        """See :class:`audit.perturbations.forms.protocol.Form`."""
        made = {
            task.id: read_event(Entry(raws[task.id], task.origin, FilePath(task.origin.file)))
            for task in benchmark.tasks
            if task.id in raws
        }
        return with_tasks(benchmark, made)


def _tables(task: Task) -> Iterator[Path]:
    database = task.raw.get("database")
    for name, table in database.items() if isinstance(database, dict) else ():
        yield ("database", name) if isinstance(table, list) else ("database", name, "rows")


def _capitalise(row: Mapping[str, Json]) -> Json:
    return {name.title(): value for name, value in row.items()}

"""A big benchmark made of the sample's tasks, for measurements."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from audit.resources import resource

_FILES = ("policy.md", "db.json", "tools.json")


def write_benchmark(folder: Path, *, n_tasks: int) -> Path:
    """Write the sample's library with ``n_tasks`` tasks, each of them different, in the layout of τ².

    Returns
    -------
    Path
        The folder, which the commands take.
    """
    source = resource("benchmarks", "sample", "library")
    folder.mkdir(parents=True)
    for name in _FILES:
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)
    tasks = json.loads((source / "tasks.json").read_bytes())
    (folder / "tasks.json").write_text(json.dumps([_copy(tasks[n % len(tasks)], n) for n in range(n_tasks)]))
    return folder


def _copy(task: dict[str, object], number: int) -> dict[str, object]:
    """Return a task under another id, with a text that no other one has."""
    copied = json.loads(json.dumps(task))
    copied["id"] = f"{number:06d}"
    scenario = copied["user_scenario"]["instructions"]
    scenario["task_instructions"] = f"{scenario['task_instructions']} You call for the {number + 1}. time this year."
    assert isinstance(copied, dict)
    return copied

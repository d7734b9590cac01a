"""Files of plans to repair: whether a path means some."""

from __future__ import annotations

from pathlib import Path

from audit.plans.files import find_record_files, is_record_file

_TASKS = ("tasks", "tasks.json")


def holds_instances(path: Path) -> bool:
    """Return whether a path is a file of plans, or a folder of such files that is no benchmark of another kind."""
    if not path.is_dir():
        return is_record_file(path)
    return not any((path / name).exists() for name in _TASKS) and bool(find_record_files(path))

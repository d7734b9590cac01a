"""Files and folders that no manifest speaks of: their format, by name and by what the first task looks like."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from audit.errors import LoadError
from audit.sources.find import holds_tasks

_TASKS = ("tasks", "tasks.json")
"""The folder wins: where a set has both, the file is what it was made from once."""
_SPLITS = tuple(f"tasks_{split}{suffix}" for split in ("test", "train", "dev") for suffix in (".py", ".json"))
_TABLES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson")
_NO_TASKS = ("documents.jsonl", "left_out.csv")
"""Tables beside tasks that hold none."""
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
_TAU_KEYS = frozenset({"user_scenario", "evaluation_criteria", "initial_state", "ticket"})
_TAU1_KEYS = frozenset({"instruction", "actions"})
_HEAD = 2_000_000
_OPENING = re.compile(r"\s*(?:\{.*?\"tasks\"\s*:\s*)?\[\s*(?=\{)", re.DOTALL)
LOOKED_FOR = (
    "tasks.json or a folder tasks (τ², τ³), tasks_test.py or .json (τ1), datasets/*.pickle (IntellAgent), "
    ".jsonl files of plans (ParaRecover), one .csv, .tsv or .jsonl table, benchmark.toml"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The loader that a path asks for, and the file or folder of tasks that it means."""

    loader: str
    tasks: Path


def find_shape(path: Path) -> Shape:
    """Return what a path means that is there.

    Raises
    ------
    LoadError
        Saying what was looked for, if it is no benchmark; or that one of several tables has to be named.
    """
    if path.is_dir():
        return _of_folder(path)
    if path.exists() and not path.is_file():  # to open it would wait for a writer
        raise LoadError("is a pipe or a device, not a file", where=str(path), mend="Save it to a file first")
    suffix = path.suffix.lower()
    if suffix in _WORKBOOKS:
        what, mend = "a workbook of a spreadsheet program", "Save the sheet with the tasks as CSV UTF-8"
        raise LoadError(what, where=str(path), mend=mend)
    if suffix == ".py":
        return Shape("tau1", path)
    if suffix in _TABLES:
        return Shape("plain", path)
    if suffix == ".json" or _begins_as_json(path):
        return Shape(_of_json(path), path)
    what = f"no format has files of tasks that end in {suffix!r}" if suffix else "this file is not of a known format"
    raise LoadError(
        what, where=str(path), mend="Give .json, .jsonl, .csv, .tsv, a .py of τ1, or a .pickle of IntellAgent"
    )


def _of_folder(folder: Path) -> Shape:
    for tasks in (folder / name for name in _TASKS):
        if tasks.is_file() or holds_tasks(tasks):
            return Shape("tau" if tasks.is_dir() else _of_json(tasks), tasks)
    if folder.name in _TASKS and holds_tasks(folder):
        return Shape("tau", folder)
    for tasks in (folder / name for name in (*_SPLITS, "tasks.py")):
        if tasks.is_file():
            return Shape("tau1", tasks)
    tables = [
        each for each in sorted(folder.iterdir()) if each.suffix.lower() in _TABLES and each.name not in _NO_TASKS
    ]
    if len(tables) > 1:
        names = ", ".join(each.name for each in tables[:5]) + (" and more" if len(tables) > 5 else "")
        raise LoadError(f"there are {len(tables)} tables: {names}", where=str(folder), mend="Name one of them by path")
    if tables:
        return Shape("plain", tables[0])
    what = f"no benchmark is in this folder; looked for {LOOKED_FOR}"
    raise LoadError(what, where=str(folder), mend="Give the folder of one domain, or a set's name with --data-dir")


def _of_json(path: Path) -> str:
    """Return the loader of a JSON file by the keys of its first task; τ²'s where they can't be read, which says why."""
    keys = _first_keys(path)
    if keys is None or keys & _TAU_KEYS:
        return "tau"
    if keys >= _TAU1_KEYS:
        return "tau1"
    return "tau" if path.name in _TASKS else "plain"


def _first_keys(path: Path) -> frozenset[str] | None:
    try:
        with path.open("rb") as file:
            text = file.read(_HEAD).decode("utf-8-sig", "replace")
        opening = _OPENING.match(text)
        first = json.JSONDecoder().raw_decode(text, opening.end())[0] if opening else None
    except (OSError, ValueError, RecursionError):
        return None
    return frozenset(first) if isinstance(first, dict) else None


def _begins_as_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")
    except OSError:
        return True  # the loader says why it can't be read

"""The tasks of a τ-style benchmark as objects with their place: from one file, or from a folder with one a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from audit.errors import LoadError
from audit.loaders.entry import Entry, name_type
from audit.loaders.json_file import InputFile, parse_json, read_input
from audit.records.source import Source
from audit.records.task import Json, Origin


def load_entries(source: Source) -> tuple[tuple[InputFile, ...], list[Entry]]:
    """Return the files of the tasks, and every task's object; each has its id in its origin, and no id comes twice.

    The files of a folder are taken in the order of their names.

    Raises
    ------
    LoadError
        If a file is no list of tasks or, in a folder, no task; or if an id is missing or comes twice.
    """
    if not source.tasks.is_dir():
        file = read_input(source.tasks, root=source.root, role="tasks")
        return (file,), list(_unique(_listed(parse_json(file), file)))
    paths = sorted(source.tasks.glob("*.json"))
    files = tuple(read_input(path, root=source.root, role="task") for path in paths)
    return files, list(_unique((parse_json(file), "", file) for file in files))


_Placed = tuple[Json, str, InputFile]
"""A task's value, which of its file's tasks it is where there are several, and the file."""


def _listed(value: Json, file: InputFile) -> Iterator[_Placed]:
    if isinstance(value, dict):
        value = value.get("tasks")
    if not isinstance(value, list):
        raise LoadError("must be a list of tasks", where=str(file.path), mend='Give a list, or {"tasks": [...]}')
    if not value:
        raise LoadError("holds no task", where=str(file.path), mend="Add tasks")
    for position, entry in enumerate(value, 1):
        yield entry, f"task number {position}", file


def _unique(placed: Iterable[_Placed]) -> Iterator[Entry]:
    seen: dict[str, str] = {}
    for entry, number, file in placed:
        where = f"{file.path} {number}".rstrip()
        if not isinstance(entry, dict):
            raise LoadError(f"must be an object, not {name_type(entry)}", where=where, mend="Correct the task")
        task_id = _read_id(entry, where)
        if task_id in seen:
            what = f"the id {task_id!r} is that of {seen[task_id]} too"
            raise LoadError(what, where=where, mend="Give every task its own id")
        seen[task_id] = number or file.shown
        yield Entry(entry, Origin(file.shown, "", task_id), file.path)


def _read_id(entry: Mapping[str, Json], where: str) -> str:
    value = entry.get("id")
    if value is None or value == "":
        raise LoadError("the task has no 'id'", where=where, mend="Add one")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise LoadError(f"the task's 'id' must be a text, not {name_type(value)}", where=where, mend="Correct it")
    return value

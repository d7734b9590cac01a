"""Findings' places as lines of the files that they were read from."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from audit.errors import LoadError
from audit.json_text import Span, elements, follow, top
from audit.literal_text import follow_literal
from audit.loaders.json_file import InputFile, decode, read_input
from audit.loaders.literals import read_list
from audit.loaders.tau1 import CONSTRUCTORS
from audit.records.finding import Finding
from audit.records.task import Origin, SourceFile, Task
from audit.resources import resource


def locate(
    findings: Sequence[Finding], files: Sequence[SourceFile], *, root: Path, tasks: Sequence[Task] = ()
) -> tuple[Finding, ...]:
    """Return ``findings`` with the line of each, where it can be told.

    Parameters
    ----------
    files
        The files that the benchmark was read from. One that is not JSON, or that has changed since, has no lines.
    root
        The benchmark's folder, which the origins are relative to.
    tasks
        Those of the findings; some know from their loader on which line they stand.

    Returns
    -------
    tuple of Finding
        In the same order. One whose field has no place of its own, because it is missing, gets the line of what
        should hold it; one that has a line already keeps it.
    """
    known = {task.id: task.origin.line for task in tasks if task.origin.line is not None}
    findings = [
        finding if finding.line is not None else replace(finding, line=known.get(finding.origin.task_id or ""))
        for finding in findings
    ]
    names = {finding.origin.file for finding in findings if finding.line is None}
    maps = {file.path: lines for file in files if file.path in names and (lines := _open(file, root)) is not None}
    return tuple(
        finding
        if finding.line is not None or finding.origin.file not in maps
        else replace(finding, line=maps[finding.origin.file].line_of(finding.origin))
        for finding in findings
    )


def seen_from(here: Path, names: Iterable[str], *, root: Path) -> dict[str, str]:
    """Return the paths, relative to ``here``, of those named files and folders that lie below it."""
    found = {name: path.resolve() for name in dict.fromkeys(names) if (path := _find(name, root)) is not None}
    return {name: path.relative_to(here).as_posix() for name, path in found.items() if path.is_relative_to(here)}


_STRIDE = 65_536
"""Characters between the places in a file up to which its lines are counted beforehand."""


class LineMap:
    """The lines of one JSON file.

    Parameters
    ----------
    text
        The document, known to be sound.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._root = top(text)

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return task_spans(self._text, self._root)

    @cached_property
    def _breaks(self) -> list[int]:
        """How many lines end before each stride."""
        text = self._text
        counts = (text.count("\n", start, start + _STRIDE) for start in range(0, len(text), _STRIDE))
        return list(accumulate(counts, initial=0))

    def line_of(self, origin: Origin) -> int:
        """Return the 1-based line of a task's field, or of a path from the document's root."""
        span = self._root
        if origin.task_id is None:
            span = follow(self._text, origin.field, start=span)
        else:
            named = (self._spans[name] for name in _names_of(origin.task_id) if name in self._spans)
            task = next(named, None)
            span = span if task is None else follow(self._text, origin.field, start=task)
        stride = span.first // _STRIDE
        return self._breaks[stride] + self._text.count("\n", stride * _STRIDE, span.first) + 1


class LiteralLines:
    """The lines of a Python file of tasks, whose ids are their places where they have none.

    Parameters
    ----------
    file
        The file, known to be sound.
    """

    def __init__(self, file: InputFile) -> None:
        listed = read_list(file, constructors=CONSTRUCTORS)
        self._nodes: dict[str, ast.expr] = {}
        for position, (value, node) in enumerate(zip(listed.values, listed.nodes, strict=True)):
            own = value.get("id") if isinstance(value, dict) else None
            self._nodes[str(position if own is None else own)] = node

    def line_of(self, origin: Origin) -> int:
        """Return the 1-based line of a task's field."""
        found = [self._nodes[name] for name in _names_of(origin.task_id) if name in self._nodes]
        return follow_literal(found[0], origin.field).lineno if found else 1


class RecordLines:
    """The lines of a file with one task a line.

    Parameters
    ----------
    text
        The document, known to be sound.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                task_id = _id_of(line, top(line))
                if task_id is not None:
                    self._lines[task_id] = number

    def line_of(self, origin: Origin) -> int:
        """Return the 1-based line of a task, whose id may have the file's name before it."""
        return next((self._lines[name] for name in _names_of(origin.task_id) if name in self._lines), 1)


def _names_of(task_id: str | None) -> tuple[str, ...]:
    """Return what a file may know a task by: its id, or what comes after the name of the file or split in it."""
    return () if task_id is None else (task_id, task_id.rpartition(":")[2])


def task_spans(text: str, root: Span) -> dict[str, Span]:
    """Return the spans of a task file's tasks by id, or by place where they have none; the file is a list, has it
    under ``tasks``, or is one task.
    """
    listed = follow(text, "tasks", start=root) if text[root.start] == "{" else root
    entries = elements(text, listed) if text[listed.start] == "[" else [root]
    named = ((_id_of(text, span), place, span) for place, span in enumerate(entries))
    return {str(place) if task_id is None else task_id: span for task_id, place, span in named}


def _id_of(text: str, task: Span) -> str | None:
    if text[task.start] != "{":
        return None
    return next(
        (str(json.loads(text[member.start : member.end])) for member in elements(text, task) if member.key == "id"),
        None,
    )


def _open(file: SourceFile, root: Path) -> LineMap | RecordLines | LiteralLines | None:
    path = _find(file.path, root)
    if path is None or not path.is_file() or path.suffix not in (".json", ".jsonl", ".py"):
        return None
    try:
        read = read_input(path, root=root, role="benchmark")
        if read.record.sha256 != file.sha256:
            return None
        if path.suffix == ".py":
            return LiteralLines(read)
        return LineMap(decode(read)) if path.suffix == ".json" else RecordLines(decode(read))
    except LoadError:
        return None


def _find(name: str, root: Path) -> Path | None:
    """Return the file or folder that an origin names: below the root, below what ships, or as it stands."""
    places = (root / name, resource("benchmarks").parent / name, Path(name)) if name else ()
    return next((path for path in places if path.exists()), None)

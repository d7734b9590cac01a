"""What lies in a folder: runs, studies, suites and pages of ours, known by their first bytes."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict, ValidationError

from audit.errors import LoadError, first_fault
from audit.loaders.json_file import MAX_BYTES, parse_json, read_input
from audit.loaders.saved_run import RUN, run_of
from audit.loaders.saved_study import STUDY, study_of
from audit.reports import numbers, study_html
from audit.reports.registry import HTML
from audit.serving.leading import leading_fields

MAX_FILES = 2_000
MAX_DEPTH = 8
PAGE = "page"
_SUITE = "bench-audit/suite"
_KINDS = {RUN: "run", STUDY: "study", _SUITE: "suite"}
_UNKNOWN = "file"
_HEAD = 4_096
_FORMAT = re.compile(rb'\s*\{\s*"format"\s*:\s*"(bench-audit/[a-z]+)"')
_TITLE = re.compile(rb"<title>([^<]{0,1000})</title>")
_MOST_PAGES = 8


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Benchmark(_Part):
    name: str
    title: str
    version: str
    n_tasks: int


class _Summary(_Part):
    level: str
    headline: str


class _Settings(_Part):
    judges: tuple[str, ...]


class _Run(_Part):
    created_at: str
    is_complete: bool
    trust: tuple[str, ...]
    summary: _Summary
    benchmark: _Benchmark
    settings: _Settings


class _Study(_Part):
    created_at: str
    kind: str
    title: str
    is_complete: bool
    labels: tuple[str, ...]
    summary: tuple[str, ...]


_WANTED: Mapping[str, frozenset[str]] = {
    RUN: frozenset(_Run.model_fields),
    STUDY: frozenset(_Study.model_fields),
    _SUITE: frozenset({"summary"}),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the folder; all of it is untrusted text.

    Parameters
    ----------
    name
        Path below the folder, with slashes.
    kind
        ``run``, ``study``, ``suite``, ``page``, or ``file`` where it can't be read.
    date
        As the file says it; empty for pages.
    level
        A run's verdict, by its level.
    problem
        Why it can't be shown; empty where it can.
    """

    name: str
    kind: str
    title: str = ""
    says: str = ""
    level: str = ""
    judges: str = ""
    labels: tuple[str, ...] = ()
    date: str = ""
    n_tasks: int | None = None
    is_complete: bool = True
    problem: str = ""


class Shelf:
    """A folder, looked at anew whenever it is asked; what did not change is not read again.

    Parameters
    ----------
    root
        The folder; links in it are not followed.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._known: dict[str, tuple[tuple[int, int], Entry | None]] = {}
        self._pages: dict[tuple[str, int, int], bytes] = {}
        self._lock, self._drawing = threading.Lock(), threading.Lock()

    def entries(self) -> tuple[Entry, ...]:
        """Return what there is, in the order of the names; at most :data:`MAX_FILES`."""
        with self._lock:
            found = [entry for path in self._files() if (entry := self._look(path)) is not None]
        return tuple(sorted(found, key=lambda entry: entry.name))

    def page(self, name: str) -> bytes | None:
        """Return the page of an entry, or ``None`` if there is no such entry.

        Raises
        ------
        LoadError
            If the file is damaged.
        """
        entry = next((each for each in self.entries() if each.name == name), None)
        if entry is None:
            return None
        path = self.root / name
        if path.is_symlink() or not path.resolve().is_relative_to(self.root):
            return None
        if entry.kind == PAGE:
            return read_input(path, root=self.root, role="page").content
        with self._drawing:  # the list need not wait for a long page
            return self._render(path, name)

    def _render(self, path: Path, name: str) -> bytes:
        key = (name, *_stamp(path))
        if key not in self._pages:
            while len(self._pages) >= _MOST_PAGES:
                self._pages.pop(next(iter(self._pages)))
            self._pages[key] = _page_of(parse_json(read_input(path, root=self.root, role="saved run")), name)
        return self._pages[key]

    def _files(self) -> Iterator[Path]:
        n = 0
        for folder, folders, names in os.walk(self.root):
            depth = len(Path(folder).relative_to(self.root).parts)
            folders[:] = sorted(each for each in folders if not each.startswith(".")) if depth < MAX_DEPTH else []
            for name in sorted(names):
                path = Path(folder, name)
                if name.startswith(".") or not name.endswith((".json", ".html")) or path.is_symlink():
                    continue
                n += 1
                if n > MAX_FILES:
                    return
                yield path

    def _look(self, path: Path) -> Entry | None:
        name = path.relative_to(self.root).as_posix()
        try:
            stamp = _stamp(path)
            if name not in self._known or self._known[name][0] != stamp:
                self._known[name] = (stamp, _entry(path, name, size=stamp[1]))
        except FileNotFoundError:  # gone since the folder was listed
            return None
        except OSError as error:
            return Entry(name, _UNKNOWN, problem=f"can't be read: {error.strerror}")
        return self._known[name][1]


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def _entry(path: Path, name: str, *, size: int) -> Entry | None:
    if not path.is_file():
        return None
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if name.endswith(".html"):
            return _of_page(head, name)
        stated = _FORMAT.match(head)
        kind = stated[1].decode() if stated else ""
        if kind not in _KINDS:
            return None
        if size > MAX_BYTES:
            return Entry(name, _KINDS[kind], problem=f"is longer than {numbers.count(MAX_BYTES)} bytes")
        return _of_json(file, name, kind)


def _of_page(head: bytes, name: str) -> Entry | None:
    found = _TITLE.search(head)
    is_ours = found is not None and b"bench-audit" in found[1]
    return Entry(name, PAGE, title=found[1].decode(errors="replace")) if found and is_ours else None


def _of_json(file: BinaryIO, name: str, kind: str) -> Entry:
    try:
        return _described(leading_fields(file, _WANTED[kind]), name, kind)
    except ValidationError as error:
        problem = f"is damaged: {first_fault(error)}"
    except json.JSONDecodeError as error:
        problem = f"is damaged: no JSON after line {numbers.count(error.lineno)}"
    except (ValueError, RecursionError):
        problem = "is damaged: no JSON that can be read"
    return Entry(name, _KINDS[kind], problem=problem)


def _described(document: Mapping[str, Any], name: str, kind: str) -> Entry:
    if kind == RUN:
        return _run(_Run.model_validate(document), name)
    told = document["summary"] if kind == _SUITE and "summary" in document else document
    return _study(_Study.model_validate(told), name, kind=_KINDS[kind])


def _run(run: _Run, name: str) -> Entry:
    return Entry(
        name=name,
        kind="run",
        title=run.benchmark.name,
        says=run.summary.headline,
        level=run.summary.level,
        judges=", ".join(run.settings.judges),
        labels=tuple(label for label in run.trust if label != "model"),
        date=run.created_at,
        n_tasks=run.benchmark.n_tasks,
        is_complete=run.is_complete,
    )


def _study(study: _Study, name: str, *, kind: str) -> Entry:
    return Entry(
        name=name,
        kind=kind if kind == "suite" else f"study: {study.kind}",
        title=study.title,
        says=study.summary[0] if study.summary else "",
        labels=study.labels,
        date=study.created_at,
        is_complete=study.is_complete,
    )


def _page_of(document: object, name: str) -> bytes:
    stated = document["format"] if isinstance(document, Mapping) and "format" in document else None
    if stated == RUN:
        return HTML.render(run_of(document, where=name))
    if stated == STUDY:
        return study_html.render(study_of(document, where=name))
    if stated == _SUITE and isinstance(document, Mapping) and "summary" in document:
        return study_html.render(study_of(document["summary"], where=name))
    raise LoadError("is no run, study or suite", where=name)

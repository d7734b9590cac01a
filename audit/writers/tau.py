"""Benchmarks in the layout of τ²-bench, with fewer tasks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path

from audit.errors import OutputError
from audit.json_text import Span, elements, follow, top
from audit.records.source import Source
from audit.records.task import Benchmark

TASKS, SPLITS = "tasks.json", "split_tasks.json"
DEFAULT_SPLIT = "base"
POLICY, DATABASE, TOOLS = "policy.md", "db", "tools.json"
_PLACE = "{{required_documents}}"
_FIRST, _LAST = '<document id="', "</document>"
"""How the documents begin and end in the policy of a task that adds some."""


class TauWriter:
    """Writes tasks, policy, database, tool table and splits side by side: a folder that loads by its path."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path) -> None:
        """Write the files; entries of tasks and the files that all tasks share are the same to the byte.

        A policy that is put together from several files is written as one.
        """
        ids = frozenset(task.id for task in kept.tasks)
        known = frozenset(file.sha256 for file in kept.files)
        done = {source.tasks}
        if source.tasks.is_dir():
            done |= _write_task_files(source.tasks, folder / source.tasks.name, ids=ids, known=known)
        else:
            tasks = _read(source.tasks, known).decode("utf-8-sig")
            (folder / TASKS).write_text(keep_entries(tasks, ids), encoding="utf-8", newline="")
        if source.splits is not None:
            done.add(source.splits)
            splits = keep_splits(_read(source.splits, known).decode("utf-8-sig"), ids)
            (folder / SPLITS).write_text(splits, encoding="utf-8", newline="")
        database = DATABASE + (source.database.suffix if source.database else "")
        policy = None if source.policy_template else source.policy
        for path, name in ((policy, POLICY), (source.database, database), (source.tools, TOOLS)):
            if path is not None:
                done.add(path)
                (folder / name).write_bytes(_read(path, known))
        if kept.policy.pieces:
            done |= {source.root / name for name in kept.policy.files}
            (folder / POLICY).write_text(join_policy(kept), encoding="utf-8", newline="")
        _copy_others(source, kept, folder=folder, done=done)


def join_policy(benchmark: Benchmark) -> str:
    """Return the shared policy as one text, with a place for the documents that tasks add to it, where some do."""
    own = next((task.policy.text for task in benchmark.tasks if task.policy is not None), None)
    if own is None:
        return benchmark.policy.text
    first = own.index(_FIRST, len(benchmark.policy.text))
    return f"{own[:first]}{_PLACE}{own[own.rindex(_LAST) + len(_LAST) :]}"


def _write_task_files(tasks: Path, folder: Path, *, ids: Collection[str], known: Collection[str]) -> set[Path]:
    """Copy the files of the tasks that are kept, one task a file; return all files of the old folder."""
    folder.mkdir()
    files = set(tasks.glob("*.json"))
    for path in files:
        text = _read(path, known).decode("utf-8-sig")
        if _id_of(text, top(text)) in ids:
            (folder / path.name).write_bytes(path.read_bytes())
    return files


def _copy_others(source: Source, kept: Benchmark, *, folder: Path, done: Collection[Path]) -> None:
    """Copy what else the benchmark was read from below its folder, such as documents, to the same place."""
    for file in kept.files:
        path = source.root / file.path
        if not Path(file.path).is_absolute() and path.is_file() and path not in done:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_read(path, {file.sha256}))


def keep_entries(text: str, ids: Collection[str]) -> str:
    r"""Return a task file with the entries of these tasks alone; everything else in it stays as it is.

    Examples
    --------
    >>> keep_entries('[{"id": 1},\n {"id": "2"}]', {"2"})
    '[{"id": "2"}]'
    """
    root = top(text)
    listed = follow(text, "tasks", start=root) if text[root.start] == "{" else root
    spans = list(elements(text, listed))
    kept = [position for position, span in enumerate(spans) if _id_of(text, span) in ids]
    pieces = [text[: spans[0].start]]
    for position in kept:
        if len(pieces) > 1:
            pieces.append(text[spans[position - 1].end : spans[position].start])
        pieces.append(text[spans[position].start : spans[position].end])
    return "".join([*pieces, text[spans[-1].end :]])


def keep_splits(text: str, ids: Collection[str]) -> str:
    r"""Return a split file with these tasks alone.

    A split that is left without a task is dropped, and so is the one that is loaded by default if it lacks any of
    the tasks, which would then not be loaded at all.

    Examples
    --------
    >>> keep_splits('{"train": ["1", "2"], "test": ["3"]}', {"1"})
    '{\n  "train": [\n    "1"\n  ]\n}\n'
    """
    splits = {
        name: [task_id for task_id in listed or () if task_id in ids] for name, listed in json.loads(text).items()
    }
    hidden = set(ids) - set(splits[DEFAULT_SPLIT]) if DEFAULT_SPLIT in splits else set()
    filled = {name: listed for name, listed in splits.items() if listed and not (hidden and name == DEFAULT_SPLIT)}
    return json.dumps(filled, indent=2, ensure_ascii=False) + "\n"


def _id_of(text: str, entry: Span) -> str:
    return next(str(json.loads(text[span.start : span.end])) for span in elements(text, entry) if span.key == "id")


def _read(path: Path, known: Collection[str]) -> bytes:
    """Return a file's bytes if they are those that the benchmark was read from."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in known:
        raise OutputError("has changed since it was read", where=str(path), mend="Run the command again")
    return content

"""Benchmarks in the layout of τ1, with fewer tasks or with changed ones, in Python or JSON as they were."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from audit.json_text import Span, elements, top
from audit.literal_text import element_spans
from audit.records.source import Source
from audit.records.task import Benchmark, Json, Task
from audit.writers.known_files import copy_policy, hashes, read_known

SPLITS = ("test", "train", "dev")
_NAME = re.compile(rf"tasks_({'|'.join(SPLITS)})")
_OPENING = re.compile(r"\A(\w+\s*\(|\{)(\s*)")
_FIELDS = ("id", "annotator", "user_id", "instruction", "actions", "outputs")
_CALL_FIELDS = ("name", "kwargs", "arguments")
Raws = Mapping[str, Mapping[str, Json]]
"""Task id to entry."""


class Tau1Writer:
    """Writes each file of tasks, the wiki, the tables and the tool table: a folder that loads by its path."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:
        """Write the files; entries that are as they were read are the same to the byte.

        But one whose place is no longer its id gets its id written into it.
        """
        known = hashes(kept)
        by_file: dict[str, list[Task]] = {}
        for task in kept.tasks:
            by_file.setdefault(task.origin.file, []).append(task)
        names = sorted(by_file, key=_rank)
        for name in names:
            path = source.root / name
            text = read_known(path, known).decode("utf-8-sig")
            split = _NAME.fullmatch(path.stem)
            prefix = "" if name == names[0] or split is None else f"{split[1]}:"
            spell = _Speller(path.suffix == ".py", {task.id: task.raw for task in by_file[name]}, prefix)
            target = path.name if split else f"tasks{path.suffix}"
            (folder / target).write_text(spell.keep(text), encoding="utf-8", newline="")
        copy_policy(source, kept, folder=folder, name="wiki.md")
        _write_database(source, kept, folder=folder, has_new_rows=has_new_rows)
        if source.tools is not None:
            (folder / "tools.json").write_bytes(read_known(source.tools, known))
        for rules in kept.other_policies:
            (folder / rules.file).write_bytes(read_known(source.root / rules.file, known))


def _rank(name: str) -> tuple[int, str]:
    """Return the order in which files are looked for: the first of them is the one that a folder means."""
    found = _NAME.fullmatch(Path(name).stem)
    return (SPLITS.index(found[1]) if found else -1, name)


def _write_database(source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool) -> None:
    if source.database is None:
        return
    if has_new_rows:
        (folder / "db.json").write_text(json.dumps(kept.database, ensure_ascii=False, indent=2), encoding="utf-8")
    elif source.database.is_dir():
        (folder / "data").mkdir()
        for path in source.database.glob("*.json"):
            (folder / "data" / path.name).write_bytes(read_known(path, hashes(kept)))
    else:
        (folder / f"db{source.database.suffix}").write_bytes(read_known(source.database, hashes(kept)))


class _Speller:
    """Entries as text.

    Parameters
    ----------
    raws
        The entries to keep.
    prefix
        What stands before ids that are places, when the file is read.
    """

    def __init__(self, is_python: bool, raws: Raws, prefix: str) -> None:
        self._is_python = is_python
        self._raws = {task_id.rpartition(":")[2]: raw for task_id, raw in raws.items()} | dict(raws)
        self._prefix = prefix

    def keep(self, text: str) -> str:
        """Return a file with the entries that are kept."""
        spans = element_spans(text) if self._is_python else list(elements(text, top(text)))
        pieces: list[str] = [text[: spans[0].start]]
        n_kept = 0
        for position, span in enumerate(spans):
            entry = text[span.start : span.end]
            value = _value(ast.parse(entry, mode="eval").body) if self._is_python else json.loads(entry)
            raw = self._raws.get(str(value.get("id", position)))
            if raw is None:
                continue
            if n_kept:
                pieces.append(_between(text, spans, position))
            pieces.append(self._spell(entry, value, raw, position=n_kept))
            n_kept += 1
        return "".join([*pieces, text[spans[-1].end :]])

    def _spell(self, entry: str, value: Mapping[str, Json], raw: Mapping[str, Json], *, position: int) -> str:
        needs_id = "id" not in value and raw["id"] != f"{self._prefix}{position}"
        if json.dumps(_bare(value)) == json.dumps(_bare(raw)):
            return _with_id(entry, str(raw["id"]), self._is_python) if needs_id else entry
        stated = raw if needs_id or "id" in value else _bare(raw)
        return _as_python(stated) if self._is_python else json.dumps(stated, ensure_ascii=False, indent=2)


def _between(text: str, spans: Sequence[Span], position: int) -> str:
    return text[spans[position - 1].end : spans[position].start]


def _bare(entry: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in entry.items() if name != "id"}


def _with_id(entry: str, task_id: str, is_python: bool) -> str:
    r"""Return an entry's text with an id as its first member.

    Examples
    --------
    >>> _with_id('{\n  "user_id": "u"}', "7", False), _with_id('Task(user_id="u")', "7", True)
    ('{\n  "id": "7",\n  "user_id": "u"}', 'Task(id="7", user_id="u")')
    """
    said = json.dumps(task_id, ensure_ascii=False)
    member = f"id={said}" if is_python and not entry.startswith("{") else f'"id": {said}'
    return _OPENING.sub(lambda opening: f"{opening[0]}{member},{opening[2] or ' '}", entry)


def _value(node: ast.expr) -> dict[str, Json]:
    """Return an entry that is known to be sound: a dictionary, or a call with keywords."""
    if isinstance(node, ast.Call):
        return {str(each.arg): _part(each.value) for each in node.keywords}
    found = _part(node)
    return found if isinstance(found, dict) else {}


def _part(node: ast.expr) -> Json:
    if isinstance(node, ast.Call):
        return _value(node)
    if isinstance(node, ast.List | ast.Tuple):
        return [_part(each) for each in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {str(ast.literal_eval(key)): _part(value) for key, value in pairs if key is not None}
    found: Json = ast.literal_eval(node)
    return found


def _as_python(raw: Mapping[str, Json]) -> str:
    """Return an entry as a call of ``Task``, or as a dictionary where it has fields that none has."""
    if not set(raw) <= set(_FIELDS):
        return repr(dict(raw))
    parts = [f"{name}={_calls(value) if name == 'actions' else repr(value)}" for name, value in raw.items()]
    return f"Task({', '.join(parts)})"


def _calls(actions: Json) -> str:
    listed = actions if isinstance(actions, list) else []
    if not all(isinstance(call, dict) and set(call) <= set(_CALL_FIELDS) for call in listed) or not listed:
        return repr(actions)
    calls = [dict(call) for call in listed if isinstance(call, dict)]
    return f"[{', '.join(_action(call) for call in calls)}]"


def _action(call: Mapping[str, Json]) -> str:
    return f"Action({', '.join(f'{name}={value!r}' for name, value in call.items())})"

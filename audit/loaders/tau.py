"""Benchmarks in the layout of τ²-bench and τ³-bench, public and private."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from audit.databases.tables import Tables, as_tables
from audit.errors import LoadError
from audit.loaders.entry import Entry, name_type
from audit.loaders.json_file import InputFile, parse_json, read_input
from audit.loaders.policy import read_policy
from audit.loaders.relevant_rows import build_database
from audit.loaders.splits import read_splits
from audit.loaders.tau_task import Surroundings, read_task
from audit.loaders.tools import by_caller, read_tools
from audit.records.policy import Policy
from audit.records.source import Source
from audit.records.task import Benchmark, Json, Origin, Task, Tool


class TauLoader:
    """Reads a task file with its policy, and the database, tool table and splits where they are."""

    def load(self, source: Source) -> Benchmark:
        """Read every task of ``source``.

        Returns
        -------
        Benchmark
            Its tasks are those of the default split, where the set has one; its corpus is every task.

        Raises
        ------
        LoadError
            Naming file, task and field.
        """
        tasks_file = read_input(source.tasks, root=source.root, role="tasks")
        tools_file, tools = _load_tools(source)
        database_file, tables = _load_tables(source)
        entries = list(_task_entries(parse_json(tasks_file), tasks_file))
        splits_file, splits = _load_splits(source, [entry.origin.task_id or "" for entry in entries])
        database = build_database(tables, file=database_file.shown) if database_file else None
        surroundings = Surroundings(by_caller(tools), database, {n: frozenset(ids) for n, ids in splits.items()})
        corpus = tuple(read_task(entry, surroundings) for entry in entries)
        policy_file, policy = _load_policy(source)
        files = (tasks_file, policy_file, database_file, tools_file, splits_file)
        return Benchmark(
            name=source.name,
            policy=policy,
            tasks=_default_tasks(corpus, splits, source.default_split),
            tools=tools,
            style=source.style,
            title=source.title,
            version=source.version,
            database=tables,
            files=tuple(file.record for file in files if file is not None),
            splits=splits,
            corpus=corpus,
            author_family=source.author_family,
        )


def _optional(path: Path | None, source: Source, role: str) -> InputFile | None:
    return None if path is None else read_input(path, root=source.root, role=role)


def _load_tools(source: Source) -> tuple[InputFile | None, tuple[Tool, ...]]:
    file = _optional(source.tools, source, "tools")
    return file, read_tools(file) if file else ()


def _load_tables(source: Source) -> tuple[InputFile | None, Tables]:
    file = _optional(source.database, source, "database")
    if file is None:
        return None, {}
    value = parse_json(file)
    if not isinstance(value, dict):
        what = f"the database must be an object of tables, not {name_type(value)}"
        raise LoadError(what, where=str(file.path), mend="Give an object: table, row key, row")
    tables = as_tables(value)
    if value and not tables:
        what = "the database holds no table"
        raise LoadError(what, where=str(file.path), mend="Give an object: table, row key, row")
    return file, tables


def _load_splits(source: Source, task_ids: Sequence[str]) -> tuple[InputFile | None, Mapping[str, tuple[str, ...]]]:
    file = _optional(source.splits, source, "splits")
    return file, read_splits(file, frozenset(task_ids)) if file else {}


def _load_policy(source: Source) -> tuple[InputFile, Policy]:
    if source.policy is None:
        raise LoadError("no policy was given", where=source.name, mend="Name it with --policy")
    file = read_input(source.policy, root=source.root, role="policy")
    policy = read_policy(source.policy, items=source.items, use_items=source.use_items)
    return file, replace(policy, name=policy.name if policy.items else source.name, file=file.shown)


def _default_tasks(
    corpus: tuple[Task, ...], splits: Mapping[str, tuple[str, ...]], name: str | None
) -> tuple[Task, ...]:
    if name is None or name not in splits:
        return corpus
    wanted = frozenset(splits[name])
    return tuple(task for task in corpus if task.id in wanted)


def _task_entries(value: Json, file: InputFile) -> Iterator[Entry]:
    """Yield the tasks' objects; each has its id in its origin, and no id comes twice."""
    if isinstance(value, dict):
        value = value.get("tasks")
    if not isinstance(value, list):
        raise LoadError("must be a list of tasks", where=str(file.path), mend='Give a list, or {"tasks": [...]}')
    if not value:
        raise LoadError("holds no task", where=str(file.path), mend="Add tasks")
    seen: dict[str, int] = {}
    for position, entry in enumerate(value, 1):
        where = f"{file.path} task number {position}"
        if not isinstance(entry, dict):
            raise LoadError(f"must be an object, not {name_type(entry)}", where=where, mend="Correct the task")
        task_id = _read_id(entry, where)
        if task_id in seen:
            what = f"the id {task_id!r} is that of task number {seen[task_id]} too"
            raise LoadError(what, where=where, mend="Give every task its own id")
        seen[task_id] = position
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

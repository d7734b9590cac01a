"""Benchmarks in the layout of τ²-bench and τ³-bench, public and private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.loaders.beside import load_database, load_tools, need_object, read_optional
from audit.loaders.json_file import InputFile
from audit.loaders.splits import read_splits
from audit.loaders.tau_entries import load_entries
from audit.loaders.tau_policy import load_policies
from audit.loaders.tau_task import Surroundings, UserRecords, read_task
from audit.loaders.tools import by_caller
from audit.loaders.twins import read_twin
from audit.records.source import Source
from audit.records.task import Benchmark, Task


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
        tasks_files, entries = load_entries(source)
        tools_file, tools = load_tools(source)
        database_files, database = load_database(source)
        user_file, user = _load_user(source)
        splits_file, splits = _load_splits(source, [entry.origin.task_id or "" for entry in entries])
        policies = load_policies(source, entries)
        surroundings = Surroundings(
            tools=by_caller(tools),
            database=database,
            splits={name: frozenset(ids) for name, ids in splits.items()},
            user=user,
            policies=policies,
        )
        corpus = tuple(read_task(entry, surroundings) for entry in entries)
        files = (*tasks_files, *policies.files, *database_files, user_file, tools_file, splits_file)
        return Benchmark(
            name=source.name,
            policy=policies.shared,
            tasks=_default_tasks(corpus, splits, source.default_split),
            tools=tools,
            style=source.style,
            title=source.title,
            version=source.version,
            database=database.tables if database else {},
            files=tuple(file.record for file in files if file is not None),
            splits=splits,
            corpus=corpus,
            twin=read_twin(source, [task.id for task in corpus]),
            author_family=source.author_family,
        )


def _load_user(source: Source) -> tuple[InputFile | None, UserRecords | None]:
    file = read_optional(source.user_database, source, role="user database")
    if file is None:
        return None, None
    return file, UserRecords(file.shown, need_object(file, "the user's records must be an object"))


def _load_splits(source: Source, task_ids: Sequence[str]) -> tuple[InputFile | None, Mapping[str, tuple[str, ...]]]:
    file = read_optional(source.splits, source, role="splits")
    return file, read_splits(file, frozenset(task_ids)) if file else {}


def _default_tasks(
    corpus: tuple[Task, ...], splits: Mapping[str, tuple[str, ...]], name: str | None
) -> tuple[Task, ...]:
    if name is None or name not in splits:
        return corpus
    wanted = frozenset(splits[name])
    return tuple(task for task in corpus if task.id in wanted)

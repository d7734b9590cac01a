"""Benchmarks in the layout of τ1, the first τ-bench: Python files of literals, or the same as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.beside import load_database, load_tools
from audit.loaders.entry import Entry, name_type
from audit.loaders.json_file import InputFile, decode, parse_json, read_input
from audit.loaders.literals import read_list
from audit.loaders.policy import fit_items, make_policy
from audit.loaders.tau1_task import read_task
from audit.loaders.tools import by_caller
from audit.records.policy import Policy
from audit.records.source import Source
from audit.records.task import Benchmark, Json, Origin, Task

SPLITS = ("test", "train", "dev")
"""Names of splits; each is a file, and the first that is there is the one that is loaded by default."""
CONSTRUCTORS = {
    "Task": frozenset({"id", "annotator", "user_id", "instruction", "actions", "outputs"}),
    "Action": frozenset({"name", "kwargs", "arguments"}),
}
"""What a Python file of tasks may seem to call; nothing is called."""
RULES = "rules that come with the tasks and that no agent is shown"
_FILE = re.compile(r"tasks_(\w+)")


class Tau1Loader:
    """Reads a file of tasks, and those of the other splits, with the wiki, the tables and the tool table."""

    def load(self, source: Source) -> Benchmark:
        """Read every task of ``source``.

        Tasks have no ids but their places, from 0; in the files of other splits than the one that is asked for,
        the split's name stands before it, as in ``train:12``. An entry that has an ``id`` keeps it, and all have one
        in :attr:`audit.records.task.Task.raw`.

        Raises
        ------
        LoadError
            Naming file, task and field; also for a Python file that holds anything but literals.
        """
        tools_file, tools = load_tools(source)
        database_files, database = load_database(source)
        policy_file, policy = _load_policy(source)
        task_files: list[InputFile] = []
        corpus: list[Task] = []
        n_main = 0
        for path, name in split_files(source):
            file = read_input(path, root=source.root, role="tasks")
            prefix = f"{name}:" if task_files else ""
            made = [
                read_task(entry, split=name, tools=by_caller(tools), database=database)
                for entry in _entries(file, prefix)
            ]
            n_main = n_main or len(made)
            task_files.append(file)
            corpus += made
        rules_files, rules = _load_rules(source)
        files = (*task_files, policy_file, *rules_files, *database_files, *([tools_file] if tools_file else []))
        return Benchmark(
            name=source.name,
            policy=policy,
            tasks=tuple(corpus[:n_main]),
            tools=tools,
            style=source.style,
            title=source.title,
            version=source.version,
            database=database.tables if database else {},
            files=tuple(file.record for file in files),
            splits=_splits(corpus),
            corpus=tuple(corpus),
            author_family=source.author_family,
            other_policies=rules,
        )


def split_files(source: Source) -> Iterator[tuple[Path, str]]:
    """Yield the file that is asked for and those of the other splits beside it, each with its split's name."""
    match = _FILE.fullmatch(source.tasks.stem)
    own = match[1] if match else ""
    yield source.tasks, own
    for name in SPLITS if source.splits is not None else ():
        path = source.tasks.with_name(f"tasks_{name}{source.tasks.suffix}")
        if name != own and path.is_file():
            yield path, name


def _splits(tasks: Sequence[Task]) -> Mapping[str, tuple[str, ...]]:
    names = dict.fromkeys(task.tags[0] for task in tasks if task.tags and task.tags[0] in SPLITS)
    return {name: tuple(task.id for task in tasks if task.tags[:1] == (name,)) for name in names}


def _entries(file: InputFile, prefix: str) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for position, value in enumerate(read_values(file)):
        where = f"{file.path} task number {position}, counted from 0"
        if not isinstance(value, dict):
            raise LoadError(f"must be an object, not {name_type(value)}", where=where, mend="Correct the task")
        own = _read_id(value, position, where)
        if own in seen:
            what = f"the id {own!r} is that of task number {seen[own]} too"
            raise LoadError(what, where=where, mend="Give every task its own id, or none at all")
        seen[own] = position
        task_id = own if own.startswith(prefix) else f"{prefix}{own}"
        yield Entry({"id": task_id, **value} | {"id": task_id}, Origin(file.shown, "", task_id), file.path)
    if not seen:
        raise LoadError("holds no task", where=str(file.path), mend="Add tasks")


def _read_id(value: Mapping[str, Json], position: int, where: str) -> str:
    stated = value.get("id")
    if isinstance(stated, bool) or not isinstance(stated, int | str | None) or stated == "":
        raise LoadError(f"the task's id is {name_type(stated)}", where=where, mend="Give a number or a text, or none")
    return str(position if stated is None else stated)


def read_values(file: InputFile) -> Sequence[Json]:
    """Return the entries of a file of tasks, Python or JSON.

    Raises
    ------
    LoadError
        If it is no list, or a Python file does more than assign literals.
    """
    if file.path.suffix == ".py":
        return read_list(file, constructors=CONSTRUCTORS).values
    value = parse_json(file)
    if not isinstance(value, list):
        raise LoadError(f"must be a list of tasks, not {name_type(value)}", where=str(file.path), mend="Give a list")
    return value


def _load_rules(source: Source) -> tuple[tuple[InputFile, ...], tuple[Policy, ...]]:
    """Return the list of rules beside the tasks, where there is one: no prompt of the benchmark's agents holds it."""
    path = source.tasks.with_name(f"rules{source.tasks.suffix}")
    if not path.is_file():
        return (), ()
    file = read_input(path, root=source.root, role="rules")
    values = read_values(file)
    rules = [rule for rule in values if isinstance(rule, str)]
    if len(rules) < len(values):
        raise LoadError("a rule is no text", where=str(path), mend="Correct the list, or remove the file")
    return (file,), (make_policy("\n".join(rules), name=RULES, file=file.shown),) if rules else ()


def _load_policy(source: Source) -> tuple[InputFile, Policy]:
    if source.policy is None:
        raise LoadError("no policy was given", where=source.name, mend="Name it with --policy")
    file = read_input(source.policy, root=source.root, role="policy")
    policy = make_policy(decode(file), name=source.name, file=file.shown)
    if not policy.text:
        raise LoadError("the policy is empty", where=str(file.path), mend="Give the document that the agent gets")
    return file, fit_items(policy, items=source.items, use_items=source.use_items)

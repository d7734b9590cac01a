"""ParaRecover and benchmarks in its layout: plans of tool calls that went wrong, one instance a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.entry import Entry
from audit.loaders.json_file import decode, read_input
from audit.loaders.pararecover_lines import Line, LineFile, open_lines, read_lines
from audit.loaders.pararecover_task import read_task
from audit.loaders.policy import fit_items, make_policy
from audit.plans.files import find_record_files
from audit.plans.instance import NEEDED
from audit.records.policy import Policy
from audit.records.source import Source
from audit.records.task import Benchmark, Json, Origin, SourceFile, Task
from audit.resources import resource


class ParaRecoverLoader:
    """Reads one file of instances, or all of a folder."""

    def load(self, source: Source) -> Benchmark:
        """Read every instance of ``source``.

        Ids are unique in a file only; where several files are read, a task's id is ``FILE:ID``, and each file is a
        split. The policy is the one that was given, else the rules for plans that ship with the program.

        Raises
        ------
        LoadError
            Naming file, line and field. What is wrong inside a plan is no such error but for the checks to find.
        """
        _refuse_tables(source)
        files = [open_lines(path, root=source.root) for path in _paths(source.tasks)]
        tasks = tuple(task for file in files for task in _tasks(file, has_prefix=len(files) > 1))
        policy_file, policy = _load_policy(source)
        return Benchmark(
            name=source.name,
            policy=policy,
            tasks=tasks,
            style=source.style,
            title=source.title,
            version=source.version,
            files=(*(file.record for file in files), policy_file),
            splits=_splits(files, tasks) if len(files) > 1 else {},
            author_family=source.author_family,
        )


def _refuse_tables(source: Source) -> None:
    for flag, path in (("--db", source.database), ("--tools", source.tools)):
        if path is not None:
            what = f"{flag} has no meaning for plans, each of which holds its own tools and results"
            raise LoadError(what, where=str(path), mend="Leave it out")


def _paths(tasks: Path) -> list[Path]:
    if not tasks.is_dir():
        return [tasks]
    found = find_record_files(tasks)
    stems: dict[str, Path] = {}
    for path in found:
        if path.stem in stems:
            what = f"has the name of {stems[path.stem]}, so that ids would clash"
            raise LoadError(what, where=str(path), mend="Rename one of the files")
        stems[path.stem] = path
    if not found:
        raise LoadError("there is no file of instances below this folder", where=str(tasks), mend="Check the path")
    return found


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A line with the id that its task gets."""

    id: str
    line: Line


def _tasks(file: LineFile, *, has_prefix: bool) -> Iterator[Task]:
    n_read = 0
    for numbered in _numbered(file):
        n_read += 1
        task_id = f"{file.path.stem}:{numbered.id}" if has_prefix else numbered.id
        yield read_task(Entry(numbered.line.values, Origin(file.shown, "", task_id), file.path))
    if not n_read:
        raise LoadError("holds no instance", where=str(file.path), mend="Check the file")


def _numbered(file: LineFile) -> Iterator[_Numbered]:
    seen: dict[str, int] = {}
    for line in read_lines(file):
        where = f"{file.path}:{line.number}"
        for name in NEEDED:
            if name not in line.values:
                raise LoadError(f"the instance has no {name!r}", where=where, mend="Give a file of instances")
        task_id = _read_id(line.values, where)
        if task_id in seen:
            what = f"the id {task_id!r} is that of line {seen[task_id]} too"
            raise LoadError(what, where=where, mend="Give every instance of a file its own id")
        seen[task_id] = line.number
        yield _Numbered(task_id, line)


def _read_id(values: Mapping[str, Json], where: str) -> str:
    value = values.get("id")
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        raise LoadError("the instance has no id that is a number or a text", where=where, mend="Number it")
    return str(value)


def _load_policy(source: Source) -> tuple[SourceFile, Policy]:
    path = source.policy or resource("policies", "pararecover", "policy.md")
    file = read_input(path, root=source.root, role="policy")
    policy = make_policy(decode(file), name=path.name, file=file.shown)
    if not policy.text:
        raise LoadError("the policy is empty", where=str(path), mend="Give the rules that plans have to keep")
    return file.record, replace(fit_items(policy, items=source.items, use_items=source.use_items), file=file.shown)


def _splits(files: Sequence[LineFile], tasks: Sequence[Task]) -> dict[str, tuple[str, ...]]:
    return {file.path.stem: tuple(task.id for task in tasks if task.origin.file == file.shown) for file in files}

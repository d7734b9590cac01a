"""Benchmarks that are a plain table: CSV and its kin, a JSON array, or one JSON object a line."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.beside import load_database, load_tools
from audit.loaders.columns import Columns, choose_columns
from audit.loaders.json_file import InputFile, decode, read_input
from audit.loaders.plain_task import Cells, Surroundings, read_task
from audit.loaders.policy import fit_items, make_policy
from audit.loaders.table_file import Table, read_table
from audit.loaders.tools import by_caller
from audit.records.policy import Policy
from audit.records.source import Source
from audit.records.task import Benchmark

logger = logging.getLogger(__name__)

_DOCUMENTS = (".md", ".txt")
_DECISIVE = frozenset({"description", "behavior", "actions"})
"""Fields whose column, when guessed, the user has to be told of."""
_MEANT = {"tau": "outcomes", "workflow": "whole procedures"}


class PlainLoader:
    """Reads one table, with the policy that was named or that its rows hold."""

    def load(self, source: Source) -> Benchmark:
        """Read every task of ``source``.

        Columns are those that the source names, else those with the usual headings, which is then said. Records
        without an id are known by their place, from 1.

        Raises
        ------
        LoadError
            Naming file, row and column.
        """
        file = read_input(source.tasks, root=source.root, role="tasks")
        table = read_table(file)
        headings = (*table.headings, *(column for _, column in source.columns if _leads_inside(column, table)))
        columns = choose_columns(headings, source.columns, where=str(file.path))
        _say(columns, table, source)
        tools_file, tools = load_tools(source)
        database_files, database = load_database(source)
        rows = tuple(Cells(record, file, columns.by_field) for record in table.records)
        policy_files, policy, own = _load_policies(source, rows)
        around = Surroundings(columns.by_field, by_caller(tools), database, own)
        tasks = tuple(read_task(cells, task_id, around=around) for task_id, cells in _identified(rows))
        files = (file, *policy_files, *database_files, *([tools_file] if tools_file else []))
        return Benchmark(
            name=source.name,
            policy=policy,
            tasks=tasks,
            tools=tools,
            style=source.style,
            title=source.title,
            version=source.version,
            database=database.tables if database else {},
            files=tuple(each.record for each in dict.fromkeys(files)),
            author_family=source.author_family,
            columns=tuple(columns.by_field.items()),
        )


def _leads_inside(column: str, table: Table) -> bool:
    """Return whether a column's name has dots that lead into the objects of a column."""
    return not table.separator and column not in table.headings and column.partition(".")[0] in table.headings


def _say(columns: Columns, table: Table, source: Source) -> None:
    """Tell which columns were taken by their headings: they may not be the ones that were meant."""
    if _DECISIVE & set(columns.guessed):
        others = [f"{each!r} too" for rivals in columns.rivals.values() for each in rivals]
        beside = f" (there is {', '.join(others)})" if others else ""
        logger.warning(
            "%s: %s, by the headings%s; judged as %s. To choose others: --map FIELD=COLUMN, --style tau|workflow",
            table.file.path.name,
            columns.describe(columns.guessed),
            beside,
            _MEANT.get(source.style, source.style),
        )


def _identified(rows: tuple[Cells, ...]) -> Iterator[tuple[str, Cells]]:
    seen: dict[str, str] = {}
    for number, cells in enumerate(rows, 1):
        stated = cells.text("id")
        task_id = str(number) if stated is None else stated.strip()
        if task_id in seen:
            what = f"the id {task_id!r} is that of {seen[task_id]} too"
            raise cells.error("id", what, mend="Give every task its own id")
        seen[task_id] = cells.record.place
        yield task_id, cells


def _load_policies(
    source: Source, rows: tuple[Cells, ...]
) -> tuple[tuple[InputFile, ...], Policy, Mapping[str, Policy]]:
    """Return the policy that all tasks share, and those of tasks that hold their own, by what their cell says."""
    own = {text: _read_own(text, cells, source) for cells in rows if (text := cells.text("policy")) is not None}
    files = tuple(file for file, _ in own.values() if file is not None)
    policies = {text: policy for text, (_, policy) in own.items()}
    if source.policy is not None:
        file = read_input(source.policy, root=source.root, role="policy")
        document = make_policy(decode(file), name=file.path.name, file=file.shown)
        shared = fit_items(document, items=source.items, use_items=source.use_items)
        if not shared.text:
            raise LoadError("the policy is empty", where=str(file.path), mend="Give the document that the agent gets")
        return (file, *files), shared, policies
    distinct = {policy.sha256: policy for policy in policies.values()}
    if len(distinct) == 1 and all(cells.value("policy") is not None for cells in rows):
        return files, next(iter(distinct.values())), {}
    mend = "Name the document that the agent gets with --policy FILE"
    if not distinct:
        raise LoadError("there is no policy: no policy.md beside the table", where=str(source.tasks), mend=mend)
    what = f"the rows have {len(distinct)} policies, or none, and no policy is shared by all"
    raise LoadError(what, where=str(source.tasks), mend=mend)


def _read_own(text: str, cells: Cells, source: Source) -> tuple[InputFile | None, Policy]:
    """Return a task's own policy: the text of the cell, or of the file beside the table that it names."""
    name = text.strip()
    if "\n" in name or not name.lower().endswith(_DOCUMENTS):
        return None, _fit_own(make_policy(text, name=f"policy of {cells.record.place}", file=cells.file.shown), source)
    path = source.tasks.parent / name
    is_beside = path.resolve().is_relative_to(source.tasks.parent.resolve())
    if not is_beside or not path.is_file():
        raise cells.error("policy", f"there is no file {name!r} beside the table", mend="Correct the name")
    file = read_input(path, root=source.root, role="policy")
    return file, _fit_own(make_policy(decode(file), name=Path(name).name, file=file.shown), source)


def _fit_own(policy: Policy, source: Source) -> Policy:
    return fit_items(policy, use_items=source.use_items)

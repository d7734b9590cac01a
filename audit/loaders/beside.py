"""What lies beside a benchmark's tasks: a tool table and a database, in one file or a folder with a file a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from audit.databases.tables import as_tables, row_places
from audit.errors import LoadError
from audit.loaders.database_view import Database, build_database
from audit.loaders.entry import name_type
from audit.loaders.json_file import InputFile, read_input
from audit.loaders.toml_file import parse_data
from audit.loaders.tools import read_tools
from audit.records.source import Source
from audit.records.task import Json, Tool


def read_optional(path: Path | None, source: Source, *, role: str) -> InputFile | None:
    """Read a file that a benchmark may lack."""
    return None if path is None else read_input(path, root=source.root, role=role)


def load_tools(source: Source) -> tuple[InputFile | None, tuple[Tool, ...]]:
    """Read the tool table, where there is one."""
    file = read_optional(source.tools, source, role="tools")
    return file, read_tools(file) if file else ()


def load_database(source: Source) -> tuple[tuple[InputFile, ...], Database | None]:
    """Read and index the database, where there is one.

    Raises
    ------
    LoadError
        If a file can't be read or holds no table.
    """
    if source.database is not None and source.database.is_dir():
        return _load_folder(source.database, source)
    file = read_optional(source.database, source, role="database")
    if file is None:
        return (), None
    value = need_object(file, "the database must be an object of tables")
    tables = as_tables(value)
    if value and not tables:
        what = "the database holds no table"
        raise LoadError(what, where=str(file.path), mend="Give an object: table, row key, row")
    return (file,), build_database(tables, file=file.shown, places=row_places(value))


def _load_folder(folder: Path, source: Source) -> tuple[tuple[InputFile, ...], Database | None]:
    """Read a folder of tables, each a file of rows by key."""
    files = tuple(read_input(path, root=source.root, role="database") for path in sorted(folder.glob("*.json")))
    if not files:
        raise LoadError("the folder of the database holds no table", where=str(folder), mend="Put TABLE.json there")
    values = {file.path.stem: need_object(file, "a table must be an object of rows") for file in files}
    tables = as_tables(values)
    for file in files:
        if file.path.stem not in tables:
            raise LoadError("the rows of a table must be objects", where=str(file.path), mend="Give row key, row")
    shown = {file.path.stem: file.shown for file in files}
    return files, build_database(tables, file=files[0].shown, files=shown)


def need_object(file: InputFile, what: str) -> Mapping[str, Json]:
    """Return the object that a data file holds; ``what`` says in the message why nothing else will do."""
    value = parse_data(file)
    if not isinstance(value, dict):
        mend = "Give an object: table, row key, row"
        raise LoadError(f"{what}, not {name_type(value)}", where=str(file.path), mend=mend)
    return value

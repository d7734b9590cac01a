"""A SQLite file as the place of a verdict store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from audit.errors import StoreError

_APPLICATION_ID = 0x62617564
_MAX_VALUE_BYTES = 4_000_000
"""Of one value; no row that was written here comes near."""


class SqliteFile:
    """An open file, for one thread at a time.

    Parameters
    ----------
    path
        It and its folder are made if they are not there.
    timeout_s
        How long to wait while another process writes.

    Raises
    ------
    StoreError
        If the file can't be opened.
    """

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        self.where = str(path)
        with self.told("can't be opened"):
            _make_private_file(path)
            self.connection = sqlite3.connect(path, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)

    def close(self) -> None:
        """Close the file; what was written is on disk already."""
        self.connection.close()

    def run(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run one statement, ``?`` standing for each of ``values``, and return its rows."""
        return self.connection.execute(query, values).fetchall()

    def run_many(self, query: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        self.connection.executemany(query, rows)

    def prepare(self, version: int, tables: Mapping[str, str]) -> None:
        """Make the store's tables if the file is new; refuse a file of another program or version.

        Parameters
        ----------
        version
            Of the tables.
        tables
            The columns of each by its name, ``id`` of a row that counts up written as ``{id}``.
        """
        if not self._is_new():
            self._check_ours(version)
        if self.run("PRAGMA journal_mode = WAL")[0][0] != "wal":
            raise StoreError(
                "write-ahead logging does not work here", where=self.where, mend="Put --store on a local disk"
            )
        self.run("PRAGMA synchronous = FULL")
        with self.transaction():
            if self._is_new():
                for name, columns in tables.items():
                    self.run(f"CREATE TABLE {name} ({columns.format(id='id INTEGER PRIMARY KEY')})")
                self.run("CREATE INDEX verdicts_by_key ON verdicts (key)")
                self.run(f"PRAGMA application_id = {_APPLICATION_ID}")
                self.run(f"PRAGMA user_version = {version}")
        self._check_ours(version)

    def lock(self) -> None:
        """Do nothing: a transaction here has the file to itself."""

    def has_table(self, name: str) -> bool:
        """Whether there is a table of this name."""
        return bool(self.run("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?", (name,)))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything that is written inside, or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # which a full disk has ended already
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Turn what goes wrong inside into a ``StoreError`` that says ``what``."""
        try:
            yield
        except (OSError, sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            message = f"the verdict store {what}: {_cause(error)}"
            raise StoreError(message, where=self.where, mend=_advice(error)) from error

    def _is_new(self) -> bool:
        n_tables = self.run("SELECT count(*) FROM sqlite_schema")[0][0]
        return n_tables == 0 and self._pragma("application_id") == 0 and self._pragma("user_version") == 0

    def _check_ours(self, version: int) -> None:
        if self._pragma("application_id") != _APPLICATION_ID:
            what = "this is a database of another program"
            raise StoreError(what, where=self.where, mend="Name another file with --store")
        found = self._pragma("user_version")
        if found != version:
            what = f"the store has schema version {found}, this program reads version {version}"
            raise StoreError(what, where=self.where, mend="Use the bench-audit that wrote it, or another --store")

    def _pragma(self, name: str) -> object:
        return self.run(f"PRAGMA {name}")[0][0]


def _make_private_file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)


def _cause(error: Exception) -> str:
    return f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)


def _advice(error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "Another process holds it; wait for that one to end, or name another file with --store"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return "It is damaged or no SQLite file; name another file with --store"
    if code == sqlite3.SQLITE_FULL:
        return "The disk is full; make room, then run the same command again"
    return "Check the path and its permissions, or name another file with --store"

"""The verdict store: one SQLite file to which every verdict is appended as it arrives.

Rows are never changed and never removed. Of several rows with the same key the newest settled one counts (a verdict,
or a question that can't be put); a malformed, refused or truncated reply is kept, because it was paid for, and asked
again. Two rows that settle one key come from ``--fresh``, or from two processes that asked at the same time.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import platformdirs

from audit.batch_book import BatchBook
from audit.errors import StoreError
from audit.records.verdict import Verdict, VerdictState
from audit.records.verdict_row import COLUMNS, TYPES, make_row, read_row

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x62617564
_KEYS_AT_ONCE = 900
_MAX_VALUE_BYTES = 4_000_000
"""Of one value; no row that was written here comes near."""
_SETTLED = (VerdictState.OK.value, VerdictState.UNDEFINED.value)
_INSERT = f"INSERT INTO verdicts ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608  # our own names
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM verdicts"  # noqa: S608  # our own names


def default_store_path() -> Path:
    """Return the store's place in the user's data folder."""
    return platformdirs.user_data_path("bench-audit", appauthor=False) / "verdicts.sqlite3"


class Store:
    """An open store, a context manager. It may be used from several threads; calls take turns.

    Parameters
    ----------
    path
        The file; it and its folder are made if they are not there.
    timeout_s
        How long to wait while another process writes.

    Raises
    ------
    StoreError
        If the file can't be opened or written, is no store, or is one of another version.
    """

    def __init__(self, path: Path, *, timeout_s: float = 60.0) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._told("can't be opened"):
            _make_private_file(path)
            self._connection = sqlite3.connect(path, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
        try:
            with self._told("can't be opened"):
                self._prepare()
        except StoreError:
            self._connection.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was appended is on disk already."""
        with self._lock:
            self._connection.close()

    def find(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """Return the verdict that counts for each of ``keys``, with ``n_calls`` 0; keys without one are absent.

        Raises
        ------
        StoreError
            If the file can't be read.
        """
        rows: list[tuple[object, ...]] = []
        with self._lock, self._told("can't be read"):
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ", ".join("?" * len(some))
                query = f"{_SELECT} WHERE key IN ({marks}) AND state IN (?, ?) ORDER BY id"
                rows += self._connection.execute(query, (*some, *_SETTLED)).fetchall()
        return {verdict.key: verdict for verdict in (self._read(row, n_calls=0) for row in rows)}

    def append(self, verdict: Verdict, *, is_interim: bool = False) -> None:
        """Write ``verdict`` to the disk before returning.

        Parameters
        ----------
        verdict
            With its key.
        is_interim
            Whether it holds an unreadable reply that a repair request follows. The next row of the key then counts
            the tokens and the cost of both calls.

        Raises
        ------
        StoreError
            If it can't be written.
        """
        with self._lock, self._told("can't be written"):
            self._connection.execute(_INSERT, make_row(verdict, is_interim=is_interim))

    def append_many(self, verdicts: Sequence[Verdict]) -> None:
        """Write verdicts that cost nothing to get, all or none of them.

        Raises
        ------
        StoreError
            If they can't be written.
        """
        self.append_all([(verdict, False) for verdict in verdicts])

    def append_all(self, entries: Sequence[tuple[Verdict, bool]]) -> None:
        """Write verdicts to the disk before returning, all or none of them.

        Parameters
        ----------
        entries
            Each with whether it is interim, as for :meth:`append`.

        Raises
        ------
        StoreError
            If they can't be written.
        """
        rows = [make_row(verdict, is_interim=is_interim) for verdict, is_interim in entries]
        with self._lock, self._told("can't be written"), self._transaction():
            self._connection.executemany(_INSERT, rows)

    def history(self, key: str) -> tuple[Verdict, ...]:
        """Return every row of ``key``, the oldest first.

        Raises
        ------
        StoreError
            If the file can't be read.
        """
        with self._lock, self._told("can't be read"):
            rows = self._connection.execute(f"{_SELECT} WHERE key = ? ORDER BY id", (key,)).fetchall()
        return tuple(self._read(row) for row in rows)

    def recall_model(self, endpoint: str, *, model: str) -> str | None:
        """Return what :meth:`remember_model` kept in the last thirty days; servers change."""
        query = (
            "SELECT record FROM models WHERE endpoint = ? AND model = ? AND learned_at > datetime('now', '-30 days')"
        )
        with self._lock, self._told("can't be read"):
            row = self._connection.execute(query, (endpoint, model)).fetchone()
        return None if row is None else str(row[0])

    def remember_model(self, endpoint: str, *, model: str, record: str) -> None:
        """Keep what was found out about a model, instead of what was known before."""
        insert = "INSERT OR REPLACE INTO models VALUES (?, ?, ?, datetime('now'))"
        with self._lock, self._told("can't be written"), self._transaction():
            self._connection.execute(insert, (endpoint, model, record))

    @property
    def batches(self) -> BatchBook:
        """What is known of batches, in the same file."""
        return BatchBook(self)

    @contextmanager
    def access(self, what: str) -> Iterator[sqlite3.Connection]:
        """Give the file's connection for one transaction; ``what`` is told when it fails.

        Raises
        ------
        StoreError
            If the file can't be read or written.
        """
        with self._lock, self._told(what), self._transaction():
            yield self._connection

    def __len__(self) -> int:
        with self._lock, self._told("can't be read"):
            return int(self._connection.execute("SELECT count(*) FROM verdicts").fetchone()[0])

    def _read(self, row: tuple[object, ...], *, n_calls: int | None = None) -> Verdict:
        try:
            return read_row(row, n_calls=n_calls)
        except (ValueError, RecursionError) as error:
            what = f"a row of the verdict store is damaged: {error}"
            mend = "Nothing that this program writes; name another file with --store"
            raise StoreError(what, where=f"{self.path} key {str(row[0])[:12]}", mend=mend) from error

    def _prepare(self) -> None:
        if not self._is_new():
            self._check_ours()
        mode = self._connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StoreError(
                "write-ahead logging does not work here", where=str(self.path), mend="Put --store on a local disk"
            )
        self._connection.execute("PRAGMA synchronous = FULL")
        with self._transaction():
            if self._is_new():
                self._create()
        self._check_ours()

    def _is_new(self) -> bool:
        n_tables = self._connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return n_tables == 0 and self._pragma("application_id") == 0 and self._pragma("user_version") == 0

    def _check_ours(self) -> None:
        where = str(self.path)
        if self._pragma("application_id") != _APPLICATION_ID:
            what = "this is a database of another program"
            raise StoreError(what, where=where, mend="Name another file with --store")
        version = self._pragma("user_version")
        if version != SCHEMA_VERSION:
            what = f"the store has schema version {version}, this program reads version {SCHEMA_VERSION}"
            raise StoreError(what, where=where, mend="Use the bench-audit that wrote it, or another --store")

    def _create(self) -> None:
        columns = ", ".join(f"{name} {type_}" for name, type_ in TYPES.items())
        self._connection.execute(f"CREATE TABLE verdicts (id INTEGER PRIMARY KEY, {columns})")
        self._connection.execute("CREATE INDEX verdicts_by_key ON verdicts (key)")
        self._connection.execute(
            "CREATE TABLE models (endpoint TEXT, model TEXT, record TEXT NOT NULL, learned_at TEXT NOT NULL, "
            "PRIMARY KEY (endpoint, model))"
        )
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            raise StoreError(
                f"the verdict store {what}: {_cause(error)}", where=str(self.path), mend=_advice(error)
            ) from error


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

"""The verdict store: a SQLite file, or a PostgreSQL database, to which every verdict is appended as it arrives.

Rows are never changed and never removed. Of several rows with the same key the newest settled one counts (a verdict,
or a question that can't be put); a malformed, refused or truncated reply is kept, because it was paid for, and asked
again. Two rows that settle one key come from ``--fresh``, or from two processes that asked at the same time.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType

import platformdirs

from audit.batch_book import BatchBook
from audit.errors import StoreError
from audit.postgres import PostgresDatabase, StorePlace, StoreUrl, with_own_password
from audit.records.verdict import Verdict, VerdictState
from audit.records.verdict_row import COLUMNS, make_row, read_row
from audit.sqlite_file import SqliteFile
from audit.store_tables import CERTIFICATES, IDENTITY, INSERT_VERDICT, SCHEMA_VERSION, TABLES, Database, cut_keys

_MODEL_DAYS = 30
_SETTLED = (VerdictState.OK.value, VerdictState.UNDEFINED.value)
_TO_SHARE = "For workers on several machines name one database: --store postgresql://USER@HOST/DATABASE"
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM verdicts"  # noqa: S608  # our own names


def default_store_path() -> Path:
    """Return the store's place in the user's data folder."""
    return platformdirs.user_data_path("bench-audit", appauthor=False) / "verdicts.sqlite3"


class Store:
    """An open store, a context manager. It may be used from several threads; calls take turns.

    Parameters
    ----------
    place
        A file, which is made with its folder if it is not there; or a database, whose tables are.
    timeout_s
        How long to wait while another process writes to the file.

    Raises
    ------
    StoreError
        If it can't be opened or written, is no store, or is one of another version.
    """

    def __init__(self, place: StorePlace, *, timeout_s: float = 60.0) -> None:
        self.place = place
        self._lock = threading.Lock()
        self._database: Database = (
            PostgresDatabase(place) if isinstance(place, StoreUrl) else SqliteFile(place, timeout_s=timeout_s)
        )
        try:
            with self._told("can't be opened"):
                self._database.prepare(SCHEMA_VERSION, TABLES)
        except StoreError:
            self._database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it; what was appended is on disk already."""
        with self._lock:
            self._database.close()

    def find(self, keys: Sequence[str], *, with_calls: bool = False) -> dict[str, Verdict]:
        """Return the verdict that counts for each of ``keys``; keys without one are absent.

        Parameters
        ----------
        with_calls
            Whether ``n_calls`` is what it took to get the verdict then; else it is 0.

        Raises
        ------
        StoreError
            If it can't be read.
        """
        rows: list[tuple[object, ...]] = []
        with self._lock, self._told("can't be read"):
            for some in cut_keys(keys):
                marks = ", ".join("?" * len(some))
                query = f"{_SELECT} WHERE key IN ({marks}) AND state IN (?, ?) ORDER BY id"
                rows += self._database.run(query, (*some, *_SETTLED))
        n_calls = None if with_calls else 0
        return {verdict.key: verdict for verdict in (self._read(row, n_calls=n_calls) for row in rows)}

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
        self.append_all([(verdict, is_interim)])

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
            self._database.run_many(INSERT_VERDICT, rows)

    def history(self, key: str) -> tuple[Verdict, ...]:
        """Return every row of ``key``, the oldest first.

        Raises
        ------
        StoreError
            If it can't be read.
        """
        with self._lock, self._told("can't be read"):
            rows = self._database.run(f"{_SELECT} WHERE key = ? ORDER BY id", (key,))
        return tuple(self._read(row) for row in rows)

    def recall_model(self, endpoint: str, *, model: str) -> str | None:
        """Return what :meth:`remember_model` kept in the last thirty days; servers change."""
        query = "SELECT record FROM models WHERE endpoint = ? AND model = ? AND learned_at > ?"
        with self._lock, self._told("can't be read"):
            rows = self._database.run(query, (endpoint, model, _moment(days_ago=_MODEL_DAYS)))
        return str(rows[0][0]) if rows else None

    def remember_model(self, endpoint: str, *, model: str, record: str) -> None:
        """Keep what was found out about a model, instead of what was known before."""
        insert = (
            "INSERT INTO models VALUES (?, ?, ?, ?) ON CONFLICT (endpoint, model) "
            "DO UPDATE SET record = excluded.record, learned_at = excluded.learned_at"
        )
        with self._lock, self._told("can't be written"), self._transaction():
            self._database.run(insert, (endpoint, model, record, _moment()))

    def add_certificate(self, judge_key: str, *, created_at: str, record: str) -> None:
        """Keep what was measured of a judge beside what was kept of it before."""
        insert = f"INSERT INTO {CERTIFICATES} (judge_key, created_at, record) VALUES (?, ?, ?)"  # noqa: S608  # our own name
        with self._lock, self._told("can't be written"), self._transaction():
            self._make_table(CERTIFICATES)
            self._database.run(insert, (judge_key, created_at, record))

    def find_certificates(self, judge_key: str) -> tuple[str, ...]:
        """Return the records of a judge's certificates, the oldest first."""
        query = f"SELECT record FROM {CERTIFICATES} WHERE judge_key = ? ORDER BY created_at, record"  # noqa: S608  # our own name
        with self._lock, self._told("can't be read"):
            rows = self._database.run(query, (judge_key,)) if self._database.has_table(CERTIFICATES) else []
        return tuple(str(row[0]) for row in rows)

    def share(self) -> SharedStore:
        """Return how another process opens this very store."""
        place = self.place.without_password if isinstance(self.place, StoreUrl) else self.place.resolve()
        return SharedStore(place, self.identity())

    def identity(self) -> str:
        """Return what tells this store from every other, made up when it is first asked for."""
        with self._lock, self._told("can't be written"), self._transaction():
            self._make_table(IDENTITY)
            insert = f"INSERT INTO {IDENTITY} (id, is_only) VALUES (?, 1) ON CONFLICT DO NOTHING"  # noqa: S608  # our own name
            self._database.run(insert, (uuid.uuid4().hex,))
            return str(self._database.run(f"SELECT id FROM {IDENTITY}")[0][0])  # noqa: S608  # our own name

    @property
    def batches(self) -> BatchBook:
        """What is known of batches, beside the verdicts."""
        return BatchBook(self)

    @contextmanager
    def access(self, what: str) -> Iterator[Database]:
        """Give the place of the tables for one transaction; ``what`` is told when it fails.

        Raises
        ------
        StoreError
            If it can't be read or written.
        """
        with self._lock, self._told(what), self._transaction():
            yield self._database

    def __len__(self) -> int:
        with self._lock, self._told("can't be read"):
            return int(str(self._database.run("SELECT count(*) FROM verdicts")[0][0]))

    def _read(self, row: tuple[object, ...], *, n_calls: int | None = None) -> Verdict:
        try:
            return read_row(row, n_calls=n_calls)
        except (ValueError, RecursionError) as error:
            what = f"a row of the verdict store is damaged: {error}"
            mend = "Nothing that this program writes; name another place with --store"
            raise StoreError(what, where=f"{self._database.where} key {str(row[0])[:12]}", mend=mend) from error

    def _make_table(self, name: str) -> None:
        if not self._database.has_table(name):
            self._database.run(f"CREATE TABLE {name} ({TABLES[name]})")

    def _transaction(self) -> AbstractContextManager[None]:
        return self._database.transaction()

    def _told(self, what: str) -> AbstractContextManager[None]:
        return self._database.told(what)


@dataclass(frozen=True, slots=True)
class SharedStore:
    """A store as another process, perhaps on another machine, is told of it; can be pickled, and holds no password.

    Parameters
    ----------
    place
        A whole path, or a URL without a password.
    identity
        Of the store that is meant.
    """

    place: StorePlace
    identity: str

    def open(self) -> Store:
        """Return the store, opened.

        A password comes from this process's environment: ``PGPASSWORD``, ``~/.pgpass``, or the URL of the same
        database in ``BENCH_AUDIT_STORE``.

        Raises
        ------
        StoreError
            If it can't be opened from here, or another store is at this place.
        """
        if isinstance(self.place, Path) and not self.place.is_file():
            raise StoreError("there is no such file on this machine", where=str(self.place), mend=_TO_SHARE)
        store = Store(with_own_password(self.place))
        try:
            if store.identity() != self.identity:
                raise StoreError("this is not the store of the run", where=str(self.place), mend=_TO_SHARE)
        except StoreError:
            store.close()
            raise
        return store


def _moment(*, days_ago: int = 0) -> str:
    """Return a moment in the form in which the table keeps it, in UTC."""
    return (datetime.now(UTC) - timedelta(days=days_ago)).strftime("%Y-%m-%d %H:%M:%S")

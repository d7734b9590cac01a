"""What the verdict store knows of batches: which were handed over with which questions, and what came back.

Two tables beside the verdicts, made when the first batch is written. Programs that know nothing of them read the
store as before, so its version stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from typing import Protocol

from audit.errors import StoreError
from audit.records.batch import BatchLine, BatchRecord, BatchState, LineKind
from audit.records.verdict import Verdict
from audit.records.verdict_row import make_row
from audit.store_tables import INSERT_VERDICT, Database, cut_keys

_FIELDS = tuple(field.name for field in fields(BatchRecord))
_TABLES = (
    "CREATE TABLE IF NOT EXISTS batches (id TEXT PRIMARY KEY, judge TEXT NOT NULL, endpoint TEXT NOT NULL, "
    "model TEXT NOT NULL, n_requests INTEGER NOT NULL, n_bytes INTEGER NOT NULL, created_at TEXT NOT NULL, "
    "owner TEXT NOT NULL, state TEXT NOT NULL, remote_id TEXT NOT NULL, submitted_at TEXT NOT NULL, "
    "ended_at TEXT NOT NULL, n_answered INTEGER NOT NULL, note TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS batch_lines (batch TEXT NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, "
    "kind TEXT, body TEXT NOT NULL DEFAULT '', status INTEGER NOT NULL DEFAULT 0, is_taken INTEGER NOT NULL "
    "DEFAULT 0, PRIMARY KEY (batch, place))",
    "CREATE INDEX IF NOT EXISTS batch_lines_by_key ON batch_lines (key)",
)
_OPEN = "state IN ('submitting', 'running')"
_MAX_NOTE_CHARACTERS = 500


class Access(Protocol):
    """The store."""

    def access(self, what: str) -> AbstractContextManager[Database]:
        """Give the place of its tables for one transaction; ``what`` is told when it fails."""
        ...


class BatchBook:
    """Reads and writes the two tables; every method is one transaction.

    Parameters
    ----------
    store
        Raises ``StoreError`` where it can't be read or written.
    """

    def __init__(self, store: Access) -> None:
        self._store = store

    def reserve(self, record: BatchRecord, keys: Sequence[str]) -> tuple[str, ...]:
        """Write down that a batch is about to be handed over, with those of ``keys`` that no open batch holds.

        Returns
        -------
        tuple of str
            The keys that are this batch's; nothing is written when none is.
        """
        with self._store.access("can't be written") as database:
            _make_tables(database)
            held = _find_held(database, keys)
            own = tuple(key for key in keys if key not in held)
            if own:
                marks = ", ".join("?" * len(_FIELDS))
                values = [_to_column(getattr(record, name)) for name in _FIELDS]
                database.run(f"INSERT INTO batches ({', '.join(_FIELDS)}) VALUES ({marks})", values)  # noqa: S608  # our own names
                database.run_many(
                    "INSERT INTO batch_lines (batch, place, key) VALUES (?, ?, ?)",
                    [(record.id, place, key) for place, key in enumerate(own)],
                )
                database.run("UPDATE batches SET n_requests = ? WHERE id = ?", (len(own), record.id))
        return own

    def update(self, record: BatchRecord) -> None:
        """Write down what is known of a batch by now."""
        change = "UPDATE batches SET state = ?, remote_id = ?, submitted_at = ?, ended_at = ?, note = ? WHERE id = ?"
        note = record.note.encode("utf-8", "replace").decode()[:_MAX_NOTE_CHARACTERS]
        values = (record.state.value, record.remote_id, record.submitted_at, record.ended_at, note, record.id)
        with self._store.access("can't be written") as database:
            _make_tables(database)
            database.run(change, values)

    def find(self, *, judge: str | None = None) -> tuple[BatchRecord, ...]:
        """Return all batches, the oldest first; with ``judge`` only those of this one."""
        query = f"SELECT {', '.join(_FIELDS)} FROM batches ORDER BY created_at, id"  # noqa: S608  # our own names
        with self._store.access("can't be read") as database:
            rows = database.run(query) if _has_tables(database) else []
        found = (_read(row) for row in rows)
        return tuple(record for record in found if judge is None or record.judge == judge)

    def keys_of(self, batch: str) -> tuple[str, ...]:
        """Return a batch's keys in the order in which they were handed over."""
        with self._store.access("can't be read") as database:
            rows = database.run("SELECT key FROM batch_lines WHERE batch = ? ORDER BY place", (batch,))
        return tuple(str(row[0]) for row in rows)

    def held(self, keys: Sequence[str]) -> frozenset[str]:
        """Return those of ``keys`` that an open batch holds."""
        with self._store.access("can't be read") as database:
            return _find_held(database, keys) if _has_tables(database) else frozenset()

    def keep_lines(self, record: BatchRecord, lines: Sequence[BatchLine]) -> int:
        """Keep results of a batch; keys that are not its own, and second results of a key, are left out.

        Returns
        -------
        int
            How many were kept.
        """
        change = "UPDATE batch_lines SET kind = ?, body = ?, status = ? WHERE batch = ? AND key = ? AND kind IS NULL"
        with self._store.access("can't be written") as database:
            database.lock()
            before = _count_ended(database, record.id)
            database.run_many(change, [(e.kind.value, e.body, e.status, record.id, e.key) for e in lines])
            n_kept = _count_ended(database, record.id) - before
            database.run(
                "UPDATE batches SET n_answered = (SELECT count(*) FROM batch_lines WHERE batch = ? "
                "AND kind IN ('reply', 'error')) WHERE id = ?",
                (record.id, record.id),
            )
        return n_kept

    def results(self, keys: Sequence[str]) -> dict[str, BatchLine]:
        """Return the replies and errors of ``keys`` that no verdict was made of yet."""
        found: dict[str, BatchLine] = {}
        with self._store.access("can't be read") as database:
            for some in cut_keys(keys) if _has_tables(database) else ():
                query = (
                    "SELECT key, kind, body, status FROM batch_lines WHERE is_taken = 0 AND kind IN ('reply', 'error') "  # noqa: S608  # marks alone
                    f"AND key IN ({', '.join('?' * len(some))})"
                )
                for key, kind, body, status in database.run(query, some):
                    found[str(key)] = BatchLine(str(key), LineKind(str(kind)), str(body), int(str(status)))
        return found

    def take(self, verdicts: Sequence[Verdict], keys: Sequence[str]) -> None:
        """Keep the verdicts that were made of the results of ``keys``, and drop these results, all or nothing."""
        drop = "UPDATE batch_lines SET is_taken = 1, body = '' WHERE key = ? AND kind IS NOT NULL AND is_taken = 0"
        with self._store.access("can't be written") as database:
            database.run_many(INSERT_VERDICT, [make_row(verdict, is_interim=False) for verdict in verdicts])
            database.run_many(drop, [(key,) for key in keys])


def _make_tables(database: Database) -> None:
    """Make the tables if they are not there, and let nobody else write batches down meanwhile."""
    database.lock()
    if not _has_tables(database):
        for table in _TABLES:
            database.run(table)


def _has_tables(database: Database) -> bool:
    return database.has_table("batches") and database.has_table("batch_lines")


def _count_ended(database: Database, batch: str) -> int:
    query = "SELECT count(*) FROM batch_lines WHERE batch = ? AND kind IS NOT NULL"
    return int(str(database.run(query, (batch,))[0][0]))


def _find_held(database: Database, keys: Sequence[str]) -> frozenset[str]:
    held: set[str] = set()
    for some in cut_keys(keys):
        query = (
            f"SELECT l.key FROM batch_lines l JOIN batches b ON b.id = l.batch WHERE b.{_OPEN} "  # noqa: S608  # marks alone
            f"AND l.kind IS NULL AND l.key IN ({', '.join('?' * len(some))})"
        )
        held.update(str(row[0]) for row in database.run(query, some))
    return frozenset(held)


def _to_column(value: object) -> object:
    return value.value if isinstance(value, BatchState) else value


def _read(row: tuple[object, ...]) -> BatchRecord:
    values = dict(zip(_FIELDS, row, strict=True))
    for name, value in values.items():
        if not isinstance(value, int if name.startswith("n_") else str):
            raise _damaged(row, f"{name} is {value!r:.80}")
    if str(values["state"]) not in set(BatchState):
        raise _damaged(row, f"the state is {values['state']!r:.80}")
    return BatchRecord(**values | {"state": BatchState(str(values["state"]))})  # type: ignore[arg-type]  # columns of that type


def _damaged(row: tuple[object, ...], why: str) -> StoreError:
    mend = "Nothing that this program writes; name another file with --store"
    return StoreError(f"a batch of the verdict store is damaged: {why}", where=f"batch {str(row[0])[:12]}", mend=mend)

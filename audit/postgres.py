"""A PostgreSQL database as the place of a verdict store; psycopg is imported when the first one is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

from audit.errors import StoreError

SCHEMES = ("postgresql://", "postgres://")
_LOCK = 0x62617564
"""Taken while tables are made or batches written down, so that two programs do not do so at once."""
_TYPES = {"REAL": "DOUBLE PRECISION", "INTEGER": "BIGINT"}
"""SQLite's names to those of the types that hold the same numbers."""
_ID = "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
_MARK_TABLE = "bench_audit_store"
_CONNECT_S = 15
_NO_NUL = "\u2400"
"""Stands for the character NUL, which PostgreSQL keeps in no text."""

_HOST = r"(?:\[[^\]@/?#]*\]|[^:,@/?#\[\]]*)(?::\d*)?"
_URL = re.compile(
    rf"(?P<scheme>postgres(?:ql)?)://(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?:/(?P<database>[^@?#]*))?(?:\?(?P<query>.*))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """The URL of a database; as text it is without the password.

    Examples
    --------
    >>> str(StoreUrl("postgresql://ann:secret@db.example:5433/audits?sslmode=require"))
    'postgresql://ann@db.example:5433/audits'
    """

    text: str = field(repr=False)

    def __str__(self) -> str:
        parts = _URL.fullmatch(self.text)
        if parts is None:
            return f"{self.text.partition(':')[0]}://…"
        user = f"{parts['user']}@" if parts["user"] else ""
        return f"{parts['scheme']}://{user}{parts['hosts']}/{parts['database'] or ''}"

    @property
    def is_readable(self) -> bool:
        """Whether its parts can be told from each other."""
        return _URL.fullmatch(self.text) is not None

    @property
    def without_password(self) -> StoreUrl:
        """The same database, to be opened with a password from somewhere else."""
        parts = _URL.fullmatch(self.text)
        if parts is None:
            return StoreUrl(str(self))
        settings = (parts["query"] or "").split("&")
        query = "&".join(each for each in settings if not each.partition("=")[0].lower().endswith("password"))
        return StoreUrl(f"{self}{f'?{query}' if query else ''}")

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no message: passwords, as they are written and as they are meant."""
        parts = _URL.fullmatch(self.text)
        found = re.findall(r"password=([^&]*)", self.text) + ([parts["password"] or ""] if parts else [])
        both = {*found, *(unquote(each) for each in found)} - {""}
        return tuple(sorted(both, key=len, reverse=True))


StorePlace = Path | StoreUrl


def store_place(text: str) -> StorePlace:
    """Return the place that a user means: the URL of a PostgreSQL database, or a file.

    Examples
    --------
    >>> store_place("verdicts.sqlite3").name
    'verdicts.sqlite3'
    >>> store_place("postgresql://ann:secret@db/audits")
    StoreUrl()
    """
    return StoreUrl(text) if text.lower().startswith(SCHEMES) else Path(text)


def with_own_password(place: StorePlace, environ: Mapping[str, str] = os.environ) -> StorePlace:
    """Return a place as this process's ``BENCH_AUDIT_STORE`` has it, if that is the same but for the password.

    Examples
    --------
    >>> own = {"BENCH_AUDIT_STORE": "postgresql://ann:secret@db/audits"}
    >>> str(with_own_password(StoreUrl("postgresql://ann@db/audits"), own).text)
    'postgresql://ann:secret@db/audits'
    """
    own = store_place(environ.get("BENCH_AUDIT_STORE", ""))
    is_same = isinstance(own, StoreUrl) and own.without_password == place
    return own if is_same else place


class PostgresDatabase:
    """An open connection, for one thread at a time.

    Raises
    ------
    StoreError
        If the ``[postgres]`` extra is missing, or the server can't be reached.
    """

    def __init__(self, url: StoreUrl) -> None:
        self.where = str(url)
        self._url = url
        if not url.is_readable:
            mend = "Write postgresql://USER@HOST:PORT/DATABASE, and @ / ? # % in a password as %40 %2F %3F %23 %25"
            raise StoreError("the URL of the verdict store can't be read", where=self.where, mend=mend)
        self._psycopg = _import_psycopg(self.where)
        with self.told("can't be opened"):
            self._connection = self._psycopg.connect(url.text, autocommit=True, **self._defaults())
            self.run("SET synchronous_commit = on")

    def close(self) -> None:
        """Close the connection; what was written is on the server's disk already."""
        self._connection.close()

    def run(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run one statement, ``?`` standing for each of ``values``, and return its rows."""
        cursor = self._connection.execute(_translate(query), _to_columns(values))
        return list(cursor.fetchall()) if cursor.description else []

    def run_many(self, query: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_translate(query), [_to_columns(row) for row in rows])

    def prepare(self, version: int, tables: Mapping[str, str]) -> None:
        """Make the store's tables if there are none; refuse those of another program or version.

        Parameters
        ----------
        version
            Of the tables.
        tables
            The columns of each by its name, in SQLite's types, ``id`` of a row that counts up written as ``{id}``.
        """
        if not self.has_table(_MARK_TABLE):
            with self.transaction():
                self.lock()
                if not self.has_table(_MARK_TABLE):
                    self._create(version, tables)
        found = self.run(f"SELECT version FROM {_MARK_TABLE}")  # noqa: S608  # our own name
        if found != [(version,)]:
            what = f"the store has schema version {found[0][0] if found else '?'}, this program reads version {version}"
            raise StoreError(what, where=self.where, mend="Use the bench-audit that made it, or another --store")

    def lock(self) -> None:
        """Let nobody else who asks for it write, until this transaction ends."""
        self.run("SELECT pg_advisory_xact_lock(?)", (_LOCK,))

    def has_table(self, name: str) -> bool:
        """Whether there is a table of this name where the user's tables are looked for."""
        query = "SELECT count(*) FROM pg_tables WHERE tablename = ? AND schemaname = ANY (current_schemas(false))"
        return self.run(query, (name,)) != [(0,)]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything that is written inside, or nothing."""
        with self._connection.transaction():
            yield

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Turn what goes wrong inside into a ``StoreError`` that says ``what``, and no password."""
        try:
            yield
        except (self._psycopg.Error, UnicodeEncodeError) as error:
            message = f"the verdict store {what}: {self._cause(error)}"
            raise StoreError(message, where=self.where, mend=_advice(error)) from None

    def _create(self, version: int, tables: Mapping[str, str]) -> None:
        for name in tables:
            if self.has_table(name):
                what = f"the database has a table '{name}' of another program"
                raise StoreError(what, where=self.where, mend="Name another database with --store")
        for name, columns in tables.items():
            typed = re.sub(r"\b(REAL|INTEGER)\b", lambda match: _TYPES[match[0]], columns)
            self.run(f"CREATE TABLE {name} ({typed.format(id=_ID)})")
        self.run("CREATE INDEX verdicts_by_key ON verdicts (key)")
        self.run(f"CREATE TABLE {_MARK_TABLE} (version BIGINT NOT NULL)")
        self.run(f"INSERT INTO {_MARK_TABLE} VALUES (?)", (version,))  # noqa: S608  # our own name

    def _defaults(self) -> dict[str, object]:
        """Return how long to wait for the server, and the name that it shows; what the URL says of these wins."""
        defaults: dict[str, object] = {"connect_timeout": _CONNECT_S, "application_name": "bench-audit"}
        return {name: value for name, value in defaults.items() if f"{name}=" not in self._url.text}

    def _cause(self, error: Exception) -> str:
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._url.secrets:
            text = text.replace(secret, "…")
        return text[:400]


def _import_psycopg(where: str) -> ModuleType:
    try:
        import psycopg  # noqa: PLC0415  # an extra, imported late
    except ImportError as error:
        mend = "pip install 'bench-audit[postgres]'"
        raise StoreError("a PostgreSQL store needs the package psycopg", where=where, mend=mend) from error
    return psycopg


def _translate(query: str) -> str:
    return query.replace("?", "%s")


def _to_columns(values: Sequence[object]) -> list[object]:
    return [_to_column(value) for value in values]


def _to_column(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return value.replace("\x00", _NO_NUL) if isinstance(value, str) else value


def _advice(error: Exception) -> str:
    state = str(getattr(error, "sqlstate", None) or "")
    if "no password supplied" in str(error):
        return "Set PGPASSWORD where this runs, or write the password into ~/.pgpass there"
    if state.startswith("42"):
        return "Give the user the right to create, read and write tables there"
    if state.startswith(("53", "54")):
        return "Make room on the server, then run the same command again"
    return "Check that the server runs and the URL of --store is right; what was stored is kept, so run again"

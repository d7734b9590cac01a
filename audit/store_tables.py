"""What a verdict store consists of: its tables, and what a database must do to hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from audit.records.verdict_row import COLUMNS, TYPES

SCHEMA_VERSION = 1
IDENTITY = "store_identity"
CERTIFICATES = "judge_certificates"
TABLES = {
    "verdicts": "{id}, " + ", ".join(f"{name} {type_}" for name, type_ in TYPES.items()),
    "models": "endpoint TEXT, model TEXT, record TEXT NOT NULL, learned_at TEXT NOT NULL, "
    "PRIMARY KEY (endpoint, model)",
    CERTIFICATES: "judge_key TEXT NOT NULL, created_at TEXT NOT NULL, record TEXT NOT NULL",
    IDENTITY: "id TEXT NOT NULL, is_only INTEGER NOT NULL UNIQUE",
}
"""Columns by table, in SQLite's types. Stores of before lack the last two; they are made there when they are needed."""
INSERT_VERDICT = f"INSERT INTO verdicts ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608  # our own names
_KEYS_AT_ONCE = 900
"""SQLite before 3.32 takes 999 values in a statement."""


def cut_keys(keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield ``keys`` in parts, each of them few enough for one statement."""
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        yield tuple(keys[start : start + _KEYS_AT_ONCE])


class Database(Protocol):
    """Where the tables are, one thread at a time."""

    where: str
    """For messages, without a password."""

    def close(self) -> None:
        """Close it; what was written stays."""
        ...

    def prepare(self, version: int, tables: Mapping[str, str]) -> None:
        """Make the tables, given by name with their columns, if there are none; refuse those of others."""
        ...

    def run(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run one statement, ``?`` standing for each of ``values``, and return its rows."""
        ...

    def run_many(self, query: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each of ``rows``."""
        ...

    def lock(self) -> None:
        """Let nobody else who asks for it write, until this transaction ends."""
        ...

    def has_table(self, name: str) -> bool:
        """Whether there is a table of this name."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Keep everything that is written inside, or nothing."""
        ...

    def told(self, what: str) -> AbstractContextManager[None]:
        """Turn what goes wrong inside into a ``StoreError`` that says ``what``."""
        ...

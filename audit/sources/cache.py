"""The folder where fetched benchmarks are kept: one folder a domain, there whole or not at all.

CACHE/sets/tau3@a2c024725189/airline/       the files
CACHE/sets/tau3@a2c024725189/airline.json   where they come from, with every hash; it stays when they are removed
CACHE/downloads/                            what has been downloaded of an archive so far
CACHE/staging/                              what is being unpacked
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from audit.errors import FetchError
from audit.sources.manifest import Manifest

VARIABLE = "BENCH_AUDIT_CACHE"
_LOCK = "lock.sqlite3"
_PLACE = f"Check {VARIABLE}, and the room and rights there"


class KeptFile(BaseModel):
    """One file of the record: its hash, its size, and what the hash was held against.

    Attributes
    ----------
    held_to
        ``pinned``: the hash in the manifest; ``package``: the hash of the whole wheel; ``recorded``: an earlier
        fetch; empty: nothing, as this was the first.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: str
    n_bytes: int
    held_to: str = ""


class Record(BaseModel):
    """Where a cached domain comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    revision: str
    origins: tuple[str, ...]
    is_package: bool
    fetched_at: str
    files: dict[str, KeptFile]

    @property
    def n_bytes(self) -> int:
        """What its files take."""
        return sum(file.n_bytes for file in self.files.values())


@dataclass(frozen=True, slots=True)
class Cached:
    """A domain in the cache."""

    record: Record
    folder: Path


def cache_root() -> Path:
    """Return the cache folder: ``BENCH_AUDIT_CACHE``, or the user's own for this program."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("bench-audit", appauthor=False)


def domain_folder(set_name: str, manifest: Manifest, *, domain: str) -> Path:
    """Return where a domain of a set is, or would be; another revision has another folder."""
    return cache_root() / "sets" / f"{set_name}@{manifest.revision[:12]}" / domain


def record_folder(record: Record) -> Path:
    """Return where the files of a record are."""
    set_name, _, domain = record.name.partition("/")
    return cache_root() / "sets" / f"{set_name}@{record.revision[:12]}" / domain


def find_cached(set_name: str, manifest: Manifest, *, domain: str) -> Path | None:
    """Return the folder of a cached domain; ``None`` where it is not there."""
    if manifest.fetch is None:
        return None
    folder = domain_folder(set_name, manifest, domain=domain)
    return folder if folder.is_dir() else None


def read_record(folder: Path) -> Record | None:
    """Return what is recorded of a domain; ``None`` where nothing is.

    Raises
    ------
    FetchError
        If the record can't be read.
    """
    path = _record_path(folder)
    try:
        return Record.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        what = "this record of an earlier fetch can't be read"
        raise FetchError(what, where=str(path), mend="Remove the file and fetch again") from error


def list_cached() -> tuple[Cached, ...]:
    """Return every domain in the cache, of every revision."""
    found = []
    for path in sorted((cache_root() / "sets").glob("*/*.json")):
        folder = path.with_suffix("")
        record = read_record(folder) if folder.is_dir() else None
        if record is not None:
            found.append(Cached(record, folder))
    return tuple(found)


def publish(staged: Path, record: Record, *, folder: Path) -> None:
    """Put a staged domain in its place; at no moment is there half of it."""
    _make_folder(folder.parent)
    temporary = staged.with_suffix(".json")
    temporary.write_text(json.dumps(record.model_dump(), indent=2) + "\n", encoding="utf-8")
    temporary.replace(_record_path(folder))
    if folder.exists():
        folder.rename(staged.with_suffix(".old"))
    staged.rename(folder)


def remove(folder: Path) -> None:
    """Remove a cached domain; its record stays, so that another fetch can be held to it."""
    with working_folder() as staging:
        folder.rename(staging / folder.name)


@contextmanager
def working_folder() -> Iterator[Path]:
    """Yield a new folder on the cache's own disk; nothing in it outlives the block, nor what a killed block left."""
    root = cache_root() / "staging"
    shutil.rmtree(root, ignore_errors=True)
    folder = root / uuid.uuid4().hex
    _make_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def locked() -> Iterator[None]:
    """Hold the cache for this process; the lock goes with the process, however it ends.

    Raises
    ------
    FetchError
        If another process holds it, or the folder can't be made.
    """
    root = cache_root()
    _make_folder(root)
    try:
        connection = sqlite3.connect(root / _LOCK, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise FetchError(f"can't be written ({error})", where=str(root), mend=_PLACE) from error
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        what = "another fetch is at work in this folder" if "locked" in str(error) else f"can't be used ({error})"
        raise FetchError(what, where=str(root), mend=f"Wait for it, or set {VARIABLE}") from error
    try:
        yield
    finally:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        connection.close()


def downloads_folder() -> Path:
    """Return the folder of unfinished and unused downloads."""
    folder = cache_root() / "downloads"
    _make_folder(folder)
    return folder


def _record_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.json")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FetchError(f"the folder can't be made ({error.strerror})", where=str(folder), mend=_PLACE) from error

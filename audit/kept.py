"""What was worked out once about the same input by the same program, kept in the user's cache for the next run.

Nothing here was paid for, and all of it can be made anew: what can't be read, or written, is as if it were not there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
import secrets
import zlib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from audit import __version__
from audit.resources import resource
from audit.sources.cache import cache_root

Kept = TypeVar("Kept")
_MOST = 64
"""Results that are kept; beyond, those go that were not read for the longest time."""
_MAX_BYTES = 200_000_000
"""Of one result."""


def keep(kind: str, *, of: object, as_type: type[Kept], make: Callable[[], Kept]) -> Kept:
    """Return what ``make`` gives, from the cache where it was made before.

    Parameters
    ----------
    kind
        What it is; part of the file's name.
    of
        Everything that it depends on beside the program, as plain values; texts and numbers, lists and dictionaries.
    as_type
        Its type, made of records, collections and plain values.
    """
    text = json.dumps([program(), of], ensure_ascii=True, separators=(",", ":"))
    path = cache_root() / "kept" / f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:40]}.json.z"
    adapter: TypeAdapter[Kept] = TypeAdapter(as_type)
    with contextlib.suppress(OSError, ValueError, zlib.error):
        kept = adapter.validate_json(_unpack(path.read_bytes()))
        os.utime(path)
        return kept
    made = make()
    with contextlib.suppress(OSError, ValueError):
        content = adapter.dump_json(made)
        if adapter.validate_json(content) == made:  # what JSON can't tell whole is made anew each time
            _write(path, content)
    return made


def _unpack(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(packed, _MAX_BYTES)
    if not unpacker.eof:
        raise ValueError("it is cut off, or too long")
    return content


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in sorted(path.parent.glob("*.json.z"), key=lambda each: each.stat().st_mtime)[: 1 - _MOST]:
        old.unlink(missing_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_bytes(zlib.compress(content, 1))
    draft.replace(path)


@functools.cache
def program() -> str:
    """Return what tells this program, with the libraries that it counts with, from every other version of it."""
    digest = hashlib.sha256()
    for path in _files():
        told = path.stat()
        digest.update(f"{path} {told.st_size} {told.st_mtime_ns}\n".encode())
    libraries = [version(name) for name in ("numpy", "scipy", "scikit-learn")]
    return " ".join((__version__, platform.python_version(), *libraries, digest.hexdigest()))


def _files() -> Iterator[Path]:
    yield from sorted(Path(__file__).parent.rglob("*.py"))
    yield from sorted(path for path in resource("policies").rglob("*") if path.is_file())

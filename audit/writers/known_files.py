"""Files that a benchmark was read from, if they are still as they were."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from audit.errors import OutputError
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.writers.policy_file import has_own_policy, write_policy


def read_known(path: Path, known: Collection[str]) -> bytes:
    """Return a file's bytes; raise :class:`OutputError` if their hash is not among the known ones."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in known:
        raise OutputError("has changed since it was read", where=str(path), mend="Run the command again")
    return content


def hashes(benchmark: Benchmark) -> frozenset[str]:
    """Return the hashes of the files that a benchmark was read from."""
    return frozenset(file.sha256 for file in benchmark.files)


def copy_policy(source: Source, kept: Benchmark, *, folder: Path, name: str) -> None:
    """Write the policy under a name with its items beside it, or as ``policy.md`` if it came from elsewhere."""
    if has_own_policy(kept):
        write_policy(folder, kept.policy, text=kept.policy.text)
    elif source.policy is not None:
        (folder / name).write_bytes(read_known(source.policy, hashes(kept)))
        if isinstance(source.items, Path):
            (folder / f"{Path(name).stem}.items.json").write_bytes(source.items.read_bytes())

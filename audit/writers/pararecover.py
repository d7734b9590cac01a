"""Files of plans to repair, with fewer instances."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from pathlib import Path

from audit.errors import OutputError
from audit.records.source import Source
from audit.records.task import Benchmark

POLICY = "policy.md"
_BOM = b"\xef\xbb\xbf"


class ParaRecoverWriter:
    """Writes each file of instances under its name, and the rules where they are not those that ship."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path) -> None:
        """Write the files; the lines of the kept instances are the same to the byte."""
        known = frozenset(file.sha256 for file in kept.files)
        ids_by_file: dict[str, set[str]] = {}
        for task in kept.tasks:
            ids_by_file.setdefault(task.origin.file, set()).add(str(task.raw["id"]))
        for name, ids in ids_by_file.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(b"".join(_kept_lines(_read(source.root / name, known), ids)))
        if source.policy is not None:
            (folder / POLICY).write_bytes(_read(source.policy, known))


def _kept_lines(content: bytes, ids: Collection[str]) -> Iterator[bytes]:
    for line in content.removeprefix(_BOM).splitlines(keepends=True):
        if line.strip() and str(json.loads(line)["id"]) in ids:
            yield line


def _read(path: Path, known: Collection[str]) -> bytes:
    """Return a file's bytes if they are those that the benchmark was read from."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in known:
        raise OutputError("has changed since it was read", where=str(path), mend="Run the command again")
    return content

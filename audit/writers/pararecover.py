"""Files of plans to repair, with fewer instances."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from audit.errors import OutputError
from audit.records.source import Source
from audit.records.task import Benchmark, Json
from audit.writers.entries import spell_entry
from audit.writers.policy_file import NAME, has_own_policy, write_policy

_BOM = b"\xef\xbb\xbf"


class ParaRecoverWriter:
    """Writes each file of instances under its name, and the rules where they are not those that ship."""

    def write(self, source: Source, kept: Benchmark, *, folder: Path, has_new_rows: bool = False) -> None:  # noqa: ARG002  # an instance holds its rows
        """Write the files; the lines of instances that are as they were read are the same to the byte."""
        known = frozenset(file.sha256 for file in kept.files)
        raws_by_file: dict[str, dict[str, Mapping[str, Json]]] = {}
        for task in kept.tasks:
            raws_by_file.setdefault(task.origin.file, {})[str(task.raw["id"])] = task.raw
        for name, raws in raws_by_file.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(b"".join(_kept_lines(_read(source.root / name, known), raws)))
        if has_own_policy(kept):
            write_policy(folder, kept.policy, text=kept.policy.text)
        elif source.policy is not None:
            (folder / NAME).write_bytes(_read(source.policy, known))


def _kept_lines(content: bytes, raws: Mapping[str, Mapping[str, Json]]) -> Iterator[bytes]:
    for line in content.removeprefix(_BOM).splitlines(keepends=True):
        raw = raws.get(str(json.loads(line)["id"])) if line.strip() else None
        if raw is not None:
            text = line.decode()
            entry = text.strip()
            yield text.replace(entry, spell_entry(entry, raw)).encode()


def _read(path: Path, known: Collection[str]) -> bytes:
    """Return a file's bytes if they are those that the benchmark was read from."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() not in known:
        raise OutputError("has changed since it was read", where=str(path), mend="Run the command again")
    return content

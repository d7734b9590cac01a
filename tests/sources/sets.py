"""A small set of our own as a known one: its manifest, its files, and archives of them."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.sources.fetching import Wanted
from audit.sources.manifest import Manifest, Package

TOP = "boats-1234567"
FILES: Mapping[str, bytes] = {
    "LICENSE": b"Do as you like.",
    "README.md": b"not needed",
    "domains/hire/tasks.json": b'[{"id": "1"}]',
    "domains/hire/policy.md": b"- No hires.\n",
    "domains/hire/db.json": b"{}",
    "domains/hire/notes.txt": b"not needed",
    "domains/repair/tasks/one.json": b'{"id": "one"}',
    "domains/repair/tasks/two.json": b'{"id": "two"}',
    "domains/repair/policy.md": b"- No repairs.\n",
    "domains/repair/db.json": b'{"t": {}}',
    "domains/repair/prompts/inner/more.md": b"more",
}
"""Every file below the set's root."""


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def domain(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  # a manifest's own fields
    return {"title": "T", "n_tasks": 1, "items": None, "tools": None, **fields}


def manifest(*archives: str, packages: tuple[Package, ...] = (), **domains: Any) -> Manifest:  # noqa: ANN401
    """Return the set's manifest; ``domains`` replaces fields of its domains."""
    fields: dict[str, dict[str, Any]] = {"hire": {}, "repair": {"tasks": "tasks", "more": ["prompts/**"]}}
    return Manifest.model_validate(
        {
            "title": "Boats",
            "origin": "https://example.org/boats",
            "revision": "1234567",
            "licence": "MIT",
            "loader": "tau",
            "style": "tau",
            "default_split": None,
            "directories": ["boats"],
            "author_family": None,
            "fetch": {"archives": archives, "packages": [package.model_dump() for package in packages]},
            "domains": {name: domain(**{**own, **domains.get(name, {})}) for name, own in fields.items()},
        }
    )


def wanted(*archives: str, only: tuple[str, ...] = ("hire", "repair"), **rest: Any) -> Wanted:  # noqa: ANN401
    return Wanted("boats", manifest(*archives, **rest), only)


def tar_gz(files: Mapping[str, bytes] = FILES, *, top: str = TOP, mode: str = "w:gz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]  # the mode as a text
        for name, content in files.items():
            header = tarfile.TarInfo(f"{top}/{name}" if top else name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return buffer.getvalue()


def zipped(files: Mapping[str, bytes] = FILES, *, top: str = TOP) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{top}/{name}" if top else name, content)
    return buffer.getvalue()


def unpacked(folder: Path, files: Mapping[str, bytes] = FILES) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

"""Where in a data folder a known benchmark's files are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from audit.errors import LoadError
from audit.resources import resource
from audit.sources.manifest import Domain, Manifest

_INNER = ("domains", "data/tau2/domains")
"""Where domains are below a set's root, ours and an upstream clone's."""


def find_folder(manifest: Manifest, domain: str, *, set_name: str, data_dir: Path | None) -> Path | None:
    """Return the folder that holds a domain's tasks, or ``None`` when there is none.

    Parameters
    ----------
    manifest, domain, set_name
        The set, one of its domains, and the set's name.
    data_dir
        A set's root, a clone of its repository, or a folder that holds such roots or clones. Not looked at for
        sets that ship with the program.
    """
    known = manifest.domains[domain]
    for folder in _candidates(manifest, domain, set_name, data_dir):
        tasks = tasks_of(folder, known)
        if tasks.is_file() or holds_tasks(tasks):
            return folder
    return None


def tasks_of(folder: Path, domain: Domain) -> Path:
    """Return the file or folder of a domain's tasks: the whole, or else a conversion or a sample that is there."""
    whole = folder / domain.tasks
    others = (folder / name for name in (*domain.conversions, *domain.samples))
    return whole if whole.exists() else next((path for path in others if path.is_file()), whole)


def holds_tasks(folder: Path) -> bool:
    """Return whether a folder holds JSON files, which are then tasks, one a file."""
    return folder.is_dir() and any(folder.glob("*.json"))


def places_of(known: Domain, domain: str) -> tuple[str, ...]:
    """Return where a domain's folder may be below the set's root."""
    return known.places or tuple(f"{inner}/{known.folder or domain}" for inner in _INNER)


def _candidates(manifest: Manifest, domain: str, set_name: str, data_dir: Path | None) -> Iterator[Path]:
    if manifest.shipped is not None:
        yield resource("benchmarks", manifest.shipped, domain)
        return
    if data_dir is None:
        return
    places = places_of(manifest.domains[domain], domain)
    for root in (data_dir, *(data_dir / name for name in dict.fromkeys((set_name, *manifest.directories)))):
        for place in places:
            yield root / place


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file; raise :class:`LoadError` if it can't be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LoadError(f"can't be read ({error.strerror})", where=str(path), mend="Check the file") from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and hashes of a folder's JSON files."""
    if not path.is_dir():
        return sha256_of(path)
    lines = [f"{sha256_of(file)}  {file.name}\n" for file in sorted(path.glob("*.json"))]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def check_set(folder: Path, *, set_name: str, domain: str, manifests: Mapping[str, Manifest]) -> None:
    """Refuse a folder whose task file is known to be another set's.

    Different sets have the same layout, and two of them the same repository at different times.

    Raises
    ------
    LoadError
        If the tasks found are, byte for byte, those that another set pins.
    """
    digest = digest_of(tasks_of(folder, manifests[set_name].domains[domain]))
    for other, manifest in manifests.items():
        found = manifest.domains.get(domain)
        if other != set_name and found is not None and found.sha256.get(found.tasks) == digest:
            raise LoadError(
                f"these are the tasks of {other}/{domain}, not of {set_name}/{domain}",
                where=str(folder / found.tasks),
                mend=f"Name {other}/{domain}, or point --data-dir to revision {manifests[set_name].revision}",
            )


def describe_version(manifest: Manifest, domain: Domain, *, folder: Path) -> str:
    """Return the pinned revision, and whether the task file is the pinned one.

    Returns
    -------
    str
        The revision alone when the task file's hash is the pinned one; else with a remark.
    """
    tasks = tasks_of(folder, domain)
    if tasks.name in domain.samples:
        return f"a sample of {manifest.revision}"
    pinned = domain.sha256.get(tasks.relative_to(folder).as_posix())
    if not manifest.revision or pinned is None:
        return f"{manifest.revision} (not compared)" if manifest.revision else ""
    if digest_of(tasks) == pinned:
        return manifest.revision
    return f"not the pinned {manifest.revision}"

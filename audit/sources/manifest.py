"""Manifests of the benchmark sets that are known by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import LoadError
from audit.resources import resource


class DomainFiles(BaseModel):
    """Where the files of one benchmark are, relative to its folder; known sets and a user's own say it alike.

    Attributes
    ----------
    policy
        ``None`` where it stands inside another of the files.
    folder
        Name of the domain's folder, where it is not the domain's name.
    policy_template
        The policy as a text with ``{{file:NAME}}`` for files of the folder, where it is put together from several.
    documents, user_database
        The documents that tasks add to the policy; the records of the simulated user's own side.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: str | None = None
    tasks: str = "tasks.json"
    policy: str | None = "policy.md"
    policy_template: str | None = None
    database: str | None = "db.json"
    splits: str | None = "split_tasks.json"
    documents: str | None = None
    user_database: str | None = None


class Domain(DomainFiles):
    """One benchmark of a known set.

    Attributes
    ----------
    n_tasks
        Tasks in the default split.
    items, tools
        Names of the policy-item set and of our tool table; ``None`` where there is none (a table beside the tasks
        is then used).
    places
        Where the folder is below the set's root, where it is in none of the usual places.
    samples
        Names of files that hold a part of the tasks; the first of them that is there is taken where the whole is not.
    conversions
        Names of files that hold the same tasks in another form, and are taken where the whole is not there.
    required, more
        Files beside those named above that a download has to hold, and that it may hold: names, or patterns that end
        in ``/*.json`` or ``/**``.
    about_bytes
        What the files take on disk, as far as it is known.
    sha256
        Hashes of the pinned files, where they are known. That of a folder is over its files' names and hashes.
    """

    title: str
    n_tasks: int
    items: str | None
    tools: str | None
    samples: tuple[str, ...] = ()
    conversions: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    about_bytes: int | None = None
    sha256: dict[str, str] = Field(default_factory=dict)


class Package(BaseModel):
    """A wheel of a package index that holds files of a set; it is read, never installed.

    Attributes
    ----------
    sha256, n_bytes
        Of the whole wheel.
    note
        What of the set it holds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    version: str
    filename: str
    sha256: str
    n_bytes: int
    note: str = ""


class Fetching(BaseModel):
    """Where a set can be downloaded.

    Attributes
    ----------
    archives
        Addresses of one and the same revision, tried in turn.
    packages
        Wheels that hold some of it, for when no archive can be had.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    archives: tuple[str, ...]
    packages: tuple[Package, ...] = ()


class Manifest(BaseModel):
    """Where a set comes from and what it holds.

    Attributes
    ----------
    origin
        Public address of the set; empty for those that ship with the program.
    directories
        Names under which its root is looked for inside a data folder.
    fetch
        Where it can be downloaded; ``None`` for our own sets.
    shipped
        Folder below ``benchmarks/`` that holds its domains, for our own sets.
    author_family
        Model family that wrote the tasks, when known.
    absent
        Domains of which the set has a policy and no tasks, each with the policy's place in the set.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    origin: str
    revision: str
    licence: str
    loader: str
    style: str
    default_split: str | None
    directories: tuple[str, ...]
    author_family: str | None
    domains: dict[str, Domain]
    fetch: Fetching | None = None
    shipped: str | None = None
    absent: dict[str, str] = Field(default_factory=dict)


@lru_cache(maxsize=1)
def read_manifests() -> dict[str, Manifest]:
    """Return every shipped manifest by the name of its set."""
    return {path.stem: read_manifest(path) for path in sorted(resource("benchmarks").glob("*.json"))}


def read_manifest(path: Path) -> Manifest:
    """Read one manifest.

    Raises
    ------
    LoadError
        If a field is missing, unknown or of the wrong type.
    """
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise LoadError(first["msg"], where=f"{path} {place}".rstrip(), mend="Correct the manifest") from error

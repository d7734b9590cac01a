"""Which files of a download a domain needs, and where in a domain's folder they belong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from audit.sources.find import places_of
from audit.sources.manifest import Domain, Manifest

_INCLUDED = re.compile(r"\{\{file:([^}]+)\}\}")
LICENCE = "LICENSE"
_LICENCES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "licenses/LICENSE")
"""At a repository's root, and in a wheel's metadata."""


@dataclass(frozen=True, slots=True)
class Needs:
    """File names of a domain, relative to its folder, and patterns that end in ``/*.json`` or ``/**``."""

    required: tuple[tuple[str, ...], ...]
    """Each in the ways that will do."""
    optional: tuple[str, ...]

    def wants(self, name: str) -> bool:
        """Return whether a file of the folder belongs to the domain."""
        return any(_fits(name, pattern) for pattern in (*chain.from_iterable(self.required), *self.optional))

    def missing(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return what is required and not among these files."""
        there = tuple(names)
        return tuple(ways[0] for ways in self.required if not any(_fits(name, way) for name in there for way in ways))


@dataclass(frozen=True, slots=True)
class Slot:
    """A file's place: its domain, and its name relative to that domain's folder."""

    domain: str
    name: str


def needs_of(domain: Domain) -> Needs:
    """Return what a domain needs.

    Tasks (whole: a sample will not do), policy and database are required, and so are splits whose hash is pinned; of
    other files a domain may lack some.
    """
    named = [domain.policy, domain.database, *_INCLUDED.findall(domain.policy_template or ""), *domain.required]
    optional = [domain.documents, domain.user_database, *domain.more, LICENCE]
    if domain.splits != ".":  # the folder itself: one file of tasks a split
        (named if domain.splits in domain.sha256 else optional).append(domain.splits)
    tasks = (domain.tasks, *domain.conversions)
    return Needs(
        required=(_patterns(tasks), *((name,) for name in dict.fromkeys(_patterns(named)))),
        optional=_patterns(optional),
    )


def slots_of(name: str, manifest: Manifest, *, domains: Iterable[str]) -> tuple[Slot, ...]:
    """Return what a file of an archive is to a set, by its name; nothing where it is not needed.

    Parameters
    ----------
    name
        As the archive has it, with ``/``. One folder may stand around everything.
    domains
        Those that are wanted.
    """
    first, _, rest = name.partition("/")
    inner_names = (name, rest) if rest else (name,)
    found = [slot for inner in inner_names for slot in _slots(inner, manifest, domains)]
    if rest in _LICENCES or first in _LICENCES:
        found += [Slot(domain, LICENCE) for domain in domains]
    return tuple(dict.fromkeys(found))


def files_below(folder: Path, domain: Domain, *, root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of each file of a domain's folder that belongs to it, and of the licence over it."""
    needs = needs_of(domain)
    licences = [parent / LICENCE for parent in (folder, *folder.parents) if parent.is_relative_to(root)]
    if (licence := next((path for path in licences if path.is_file()), None)) is not None:
        yield LICENCE, licence
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name != LICENCE and needs.wants(name) and not path.is_dir():
            yield name, path


def _slots(name: str, manifest: Manifest, domains: Iterable[str]) -> Iterator[Slot]:
    for domain in domains:
        known = manifest.domains[domain]
        for place in places_of(known, domain):
            inner = name.removeprefix(f"{place}/")
            if inner not in (name, LICENCE) and needs_of(known).wants(inner):
                yield Slot(domain, inner)


def _patterns(names: Iterable[str | None]) -> tuple[str, ...]:
    """Return names as they are, but for those of folders the pattern of the files in them."""
    return tuple(
        name if "." in name or "*" in name or name == LICENCE else f"{name}/*.json"
        for name in names
        if name is not None
    )


def _fits(name: str, pattern: str) -> bool:
    if pattern.endswith("/**"):
        return name.startswith(pattern[:-2]) and name != pattern[:-2]
    return fnmatchcase(name, pattern) and name.count("/") == pattern.count("/")

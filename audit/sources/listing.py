"""Every benchmark that is known by name, and where its files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit.sources.cache import find_cached
from audit.sources.find import find_folder
from audit.sources.manifest import Manifest, read_manifests
from audit.sources.own import OwnSet, list_own


@dataclass(frozen=True, slots=True)
class KnownBenchmark:
    """One line of the list of known benchmarks; ``folder`` is ``None`` where its files are not found."""

    name: str
    title: str
    n_tasks: int | None
    folder: Path | None
    origin: str
    licence: str
    is_cached: bool = False


def list_known(data_dir: Path | None = None) -> tuple[KnownBenchmark, ...]:
    """Return every benchmark known by name, and where its files are: below ``data_dir``, or else in the cache.

    The user's own sets in ``data_dir`` are known too, but for those whose manifest is broken.
    """
    known = [
        _describe(set_name, domain, manifest, data_dir)
        for set_name, manifest in read_manifests().items()
        for domain in manifest.domains
    ]
    own = [each for _, each in list_own(data_dir) if isinstance(each, OwnSet)]
    return (*known, *(_describe_own(each, domain) for each in own for domain in each.manifest.domains))


def _describe(set_name: str, domain: str, manifest: Manifest, data_dir: Path | None) -> KnownBenchmark:
    own = find_folder(manifest, domain, set_name=set_name, data_dir=data_dir)
    cached = find_cached(set_name, manifest, domain=domain)
    known = manifest.domains[domain]
    return KnownBenchmark(
        name=f"{set_name}/{domain}",
        title=f"{manifest.title}: {known.title}",
        n_tasks=known.n_tasks,
        folder=own or cached,
        origin=manifest.origin,
        licence=manifest.licence,
        is_cached=cached is not None,
    )


def _describe_own(own: OwnSet, domain: str) -> KnownBenchmark:
    source, folder = own.source(domain), own.folder(domain)
    return KnownBenchmark(
        name=source.name,
        title=source.title,
        n_tasks=None,
        folder=folder if folder.is_dir() else None,
        origin="",
        licence=own.manifest.licence,
    )

"""Where the files of a set that is known by name are."""

from __future__ import annotations

import logging
from pathlib import Path

from audit.errors import LoadError
from audit.sources.cache import find_cached
from audit.sources.find import find_folder, places_of
from audit.sources.manifest import Manifest

logger = logging.getLogger(__name__)


def known_folder(set_name: str, domain: str, *, manifest: Manifest, data_dir: Path | None) -> Path:
    """Return where a domain's files are: in the user's data folder, or else in the cache.

    Raises
    ------
    LoadError
        Saying how to get them, if they are in neither.
    """
    found = find_folder(manifest, domain, set_name=set_name, data_dir=data_dir)
    if found is not None:
        return found
    cached = find_cached(set_name, manifest, domain=domain)
    if cached is None or (data_dir is not None and not data_dir.is_dir()):
        raise _not_found(manifest, set_name, domain, data_dir)
    if data_dir is not None:
        logger.warning("%s/%s is not in %s; the fetched one is used: %s", set_name, domain, data_dir, cached)
    return cached


def _not_found(manifest: Manifest, set_name: str, domain: str, data_dir: Path | None) -> LoadError:
    name = f"{set_name}/{domain}"
    if data_dir is None:
        return LoadError(
            "its files are not here yet",
            where=name,
            mend=f"Run 'bench-audit fetch {name}', or get {manifest.origin} ({manifest.revision}) yourself and name "
            "its folder with --data-dir or BENCH_AUDIT_DATA",
        )
    if not data_dir.is_dir():
        mend = "Check --data-dir, or BENCH_AUDIT_DATA"
        return LoadError("the data folder does not exist", where=str(data_dir), mend=mend)
    known = manifest.domains[domain]
    places = f"{', '.join(places_of(known, domain))}, or the same below {', '.join(manifest.directories)}"
    return LoadError(
        f"{name} is not here: no {known.tasks} in {places}",
        where=str(data_dir),
        mend=f"Run 'bench-audit fetch {name}', or get {manifest.origin} ({manifest.revision}) yourself and point "
        "--data-dir to it",
    )

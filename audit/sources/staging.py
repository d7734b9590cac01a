"""Files of a set gathered from one or several places, held to their hashes, and kept domain by domain."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from audit.errors import FetchError, LoadError
from audit.sources.archives import Entry, Limits, Readable, read_entries, telling
from audit.sources.cache import KeptFile, Record, domain_folder, publish, read_record
from audit.sources.find import check_set, digest_of, find_folder
from audit.sources.manifest import Manifest, read_manifests
from audit.sources.needs import LICENCE, Slot, files_below, needs_of, slots_of

NOTHING = "none of its files is there"
"""Why a domain is not whole, where a place had nothing of it."""
_BLOCK = 2**20
_ODD = re.compile(r'[\x00-\x1f\x7f<>:"\\|?*]|[. ]$')
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_SUSPECT = "Do not use it; get it from the set's own address"


@dataclass(frozen=True, slots=True)
class Place:
    """Where files come from, as it is told and recorded.

    Parameters
    ----------
    path
        A folder, or an archive.
    label
        How the place is named to the user: an address without its password, or a path.
    is_package
        Whether it is a wheel whose own hash is pinned, so that every file in it is known.
    """

    path: Path
    label: str
    is_package: bool = False


@dataclass
class Staging:
    """What has been gathered of a set so far.

    Parameters
    ----------
    folder
        An empty one, on the cache's disk.
    wanted
        Domains that are still to be had.
    forget
        Whether hashes of earlier fetches are to be replaced.
    """

    set_name: str
    manifest: Manifest
    folder: Path
    wanted: list[str]
    limits: Limits = field(default_factory=Limits)
    forget: bool = False
    _files: dict[Slot, tuple[KeptFile, Place]] = field(default_factory=dict)
    _refused: dict[Slot, str] = field(default_factory=dict)
    _dropped: dict[str, str] = field(default_factory=dict)

    def gather(self, place: Place) -> None:
        """Take from a place every file that is wanted, fits its hash, and is not there yet.

        Raises
        ------
        FetchError
            If an archive is damaged, hostile or too large.
        """
        try:
            if place.path.is_dir():
                self._gather_folder(place)
            else:
                self._gather_archive(place)
        except FetchError as error:
            self._forget(slot for slot, (_, owner) in self._files.items() if owner == place)
            if error.where != str(place.path):
                raise
            raise type(error)(error.what, where=place.label, mend=error.mend) from error

    def keep(self) -> tuple[Record, ...]:
        """Put every domain that is whole into the cache, and want it no longer."""
        kept = []
        for domain in list(self.wanted):
            if self._lacks_files(domain):
                continue
            if wrong := self._wrong_folder(domain) or self._other_set(domain) or self._changed(domain):
                self._drop(domain, wrong)
                continue
            record = self._record(domain)
            publish(self.folder / domain, record, folder=domain_folder(self.set_name, self.manifest, domain=domain))
            self.wanted.remove(domain)
            kept.append(record)
        return tuple(kept)

    def what_lacks(self, domain: str) -> str:
        """Return why a domain that is still wanted is not whole."""
        return self._dropped[domain] if domain in self._dropped else self._lacks_files(domain)

    def _lacks_files(self, domain: str) -> str:
        refused = [reason for slot, reason in self._refused.items() if slot.domain == domain]
        names = [slot.name for slot in self._files if slot.domain == domain]
        missing = needs_of(self.manifest.domains[domain]).missing(names)
        if names or refused:
            absent = [f"there is no {name}" for name in missing if not any(name in reason for reason in refused)]
            return "; ".join([*refused, *absent][:4])
        return NOTHING

    def _drop(self, domain: str, why: str) -> None:
        """Forget the files of a domain that are wrong together, so that another place can give them."""
        self._dropped[domain] = why
        self._forget(slot for slot in self._files if slot.domain == domain)

    def _forget(self, slots: Iterable[Slot]) -> None:
        for slot in list(slots):
            del self._files[slot]
            (self.folder / slot.domain / slot.name).unlink()

    def _gather_folder(self, place: Place) -> None:
        for domain in self.wanted:
            folder = find_folder(self.manifest, domain, set_name=self.set_name, data_dir=place.path)
            if folder is None:
                continue
            for name, path in files_below(folder, self.manifest.domains[domain], root=place.path):
                is_file = path.is_file() and not path.is_symlink()
                with telling(path):
                    self._take(Slot(domain, name), is_file=is_file, opened=_opener(path), place=place)

    def _gather_archive(self, place: Place) -> None:
        seen: dict[tuple[str, str], str] = {}
        with closing(read_entries(place.path, self.limits)) as entries:
            for entry in entries:
                slots = slots_of(entry.name, self.manifest, domains=self.wanted)
                fresh = [slot for slot in slots if not _is_double(slot, entry.name, seen=seen, where=place.label)]
                with telling(place.path):
                    opened = entry.open if len(fresh) < 2 or not entry.is_file else self._spool(entry, place)
                    for slot in fresh:
                        self._take(slot, is_file=entry.is_file, opened=opened, place=place)

    def _spool(self, entry: Entry, place: Place) -> Callable[[], Readable]:
        """Return how to read an entry again and again; the archive gives it only once."""
        target = self.folder / ".entry"
        with closing(entry.open()) as source:
            _copy(source, target, most=self.limits.file_bytes, where=place.label)
        return _opener(target)

    def _take(self, slot: Slot, *, is_file: bool, opened: Callable[[], Readable], place: Place) -> None:
        if slot in self._files:
            return
        self._dropped.pop(slot.domain, None)
        _check_file(slot.name, is_file=is_file, where=place.label)
        target = self.folder / slot.domain / slot.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with closing(opened()) as source:
            file = _copy(source, target, most=self.limits.file_bytes, where=f"{place.label} {slot.name}")
        pinned = self.manifest.domains[slot.domain].sha256.get(slot.name)
        if pinned is not None and file.sha256 != pinned:
            target.unlink()
            self._refused[slot] = (
                f"{slot.name} is not the pinned file (SHA-256 {file.sha256[:12]}…, not {pinned[:12]}…)"
            )
            return
        self._refused.pop(slot, None)
        held_to = "pinned" if pinned is not None else "package" if place.is_package else ""
        self._files[slot] = (file.model_copy(update={"held_to": held_to}), place)

    def _files_of(self, domain: str) -> Iterator[tuple[str, KeptFile, Place]]:
        return ((slot.name, *found) for slot, found in self._files.items() if slot.domain == domain)

    def _folders(self, domain: str) -> Mapping[str, str]:
        """Return the pinned hashes of whole folders that are there."""
        pinned = self.manifest.domains[domain].sha256
        return {name: digest for name, digest in pinned.items() if (self.folder / domain / name).is_dir()}

    def _wrong_folder(self, domain: str) -> str:
        wrong = [
            name for name, digest in self._folders(domain).items() if digest_of(self.folder / domain / name) != digest
        ]
        return "; ".join(f"the folder {name} is not the pinned one" for name in wrong)

    def _other_set(self, domain: str) -> str:
        try:
            manifests = {**read_manifests(), self.set_name: self.manifest}
            check_set(self.folder / domain, set_name=self.set_name, domain=domain, manifests=manifests)
        except LoadError as error:
            return error.what
        return ""

    def _changed(self, domain: str) -> str:
        """Return what differs from an earlier fetch of the same revision, where nothing else vouches for a file."""
        before = self._earlier(domain)
        return "; ".join(
            f"{name} differs from what was fetched first; if that one was wrong, take this with --fresh"
            for name, file, _ in self._files_of(domain)
            if not file.held_to and name in before and before[name].sha256 != file.sha256
        )

    def _earlier(self, domain: str) -> Mapping[str, KeptFile]:
        record = read_record(domain_folder(self.set_name, self.manifest, domain=domain))
        return {} if record is None or record.is_package or self.forget else record.files

    def _record(self, domain: str) -> Record:
        before, folders = self._earlier(domain), self._folders(domain)
        files = {name: _vouched(name, file, before=before, folders=folders) for name, file, _ in self._files_of(domain)}
        places = [place for _, _, place in self._files_of(domain)]
        return Record(
            name=f"{self.set_name}/{domain}",
            revision=self.manifest.revision,
            origins=tuple(dict.fromkeys(place.label for place in places)),
            is_package=any(place.is_package for place in places),
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
            files=dict(sorted(files.items())),
        )


def _is_double(slot: Slot, name: str, *, seen: dict[tuple[str, str], str], where: str) -> bool:
    """Return whether a domain has its licence already; refuse any other file that is there twice."""
    key = (slot.domain, unicodedata.normalize("NFC", slot.name).casefold())
    if key in seen and slot.name != LICENCE:
        what = f"holds {slot.name!r} twice: as {seen[key][:200]!r} and as {name[:200]!r}"
        raise FetchError(what, where=where, mend=_SUSPECT)
    return seen.setdefault(key, name) != name


def _vouched(name: str, file: KeptFile, *, before: Mapping[str, KeptFile], folders: Iterable[str]) -> KeptFile:
    """Return a file with what vouches for it, where that is not the file's own pinned hash."""
    if file.held_to == "pinned" or not (name in before or any(name.startswith(f"{each}/") for each in folders)):
        return file
    is_in_folder = any(name.startswith(f"{each}/") and name.endswith(".json") for each in folders)
    return file.model_copy(update={"held_to": "pinned" if is_in_folder else file.held_to or "recorded"})


def _opener(path: Path) -> Callable[[], Readable]:
    return lambda: path.open("rb")


def _check_file(name: str, *, is_file: bool, where: str) -> None:
    """Refuse what is no plain file, and names that mean something else on some system."""
    if not is_file:
        raise FetchError(f"{name} is a link or a device, not a file", where=where, mend=_SUSPECT)
    steps = name.split("/")
    if any(not step or step in (".", "..") or _ODD.search(step) or _DEVICE.match(step) for step in steps):
        raise FetchError(f"holds a name that not every system can keep: {name[:80]!r}", where=where, mend=_SUSPECT)


def _copy(source: Readable, target: Path, *, most: int, where: str) -> KeptFile:
    digest, n_bytes = hashlib.sha256(), 0
    with target.open("wb") as file:
        while block := source.read(_BLOCK):
            n_bytes += len(block)
            if n_bytes > most:
                raise FetchError(f"unpacks to more than {most / 1e6:,.0f} MB", where=where, mend=_SUSPECT)
            digest.update(block)
            file.write(block)
    return KeptFile(sha256=digest.hexdigest(), n_bytes=n_bytes)

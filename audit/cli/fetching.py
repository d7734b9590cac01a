"""What ``bench-audit fetch`` does with its flags."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_lines
from audit.errors import UsageError
from audit.reports.numbers import plural
from audit.sources.cache import Record, cache_root, list_cached, locked, record_folder, remove
from audit.sources.download import OnProgress, Patience, shown
from audit.sources.fetching import ARCHIVE, WHEEL, Fetched, FetchOptions, Wanted, choose_sets, fetch_set, split_cached

FORMAT = "bench-audit/fetch"
_SECONDS_BETWEEN_LINES = 10.0


@dataclass(frozen=True, slots=True)
class FetchFlags:
    """The command's flags as click parsed them."""

    names: tuple[str, ...]
    imports: tuple[Path, ...]
    mirrors: tuple[str, ...]
    via: str
    index: str
    fresh: bool
    yes: bool
    max_mb: int
    timeout_s: float
    is_list: bool
    is_remove: bool
    quiet: bool
    format_name: str
    output: Path | None

    @property
    def options(self) -> FetchOptions:
        """The same, as fetching takes it."""
        return FetchOptions(
            imports=tuple(path.expanduser() for path in self.imports),
            mirrors=self.mirrors,
            ways=(ARCHIVE, WHEEL) if self.via == "auto" else (self.via,),
            index=self.index,
            is_fresh=self.fresh,
            patience=Patience(timeout_s=self.timeout_s, most_bytes=self.max_mb * 1_000_000),
        )


def run(flags: FetchFlags) -> int:
    """Fetch, list or remove as the flags say and return the exit code."""
    if flags.output is not None:
        check_writable(flags.output)
    if flags.is_list:
        _write([each.record for each in list_cached() if _is_meant(each.record, flags.names)], {}, flags)
        return 0
    if not flags.names:
        raise UsageError("no set is named", where="fetch", mend="Name one, such as tau3; 'bench-audit list' shows them")
    if flags.is_remove:
        return _remove(flags)
    sets = choose_sets(flags.names)
    fetched = _fetch(sets, flags)
    records = [record for each in fetched for record in each.kept]
    failures = {name: why for each in fetched for name, why in each.failures.items()}
    _write(records, failures, flags)
    _tell(sets, fetched, failures)
    return INCOMPLETE if failures else 0


def _fetch(sets: Sequence[Wanted], flags: FetchFlags) -> list[Fetched]:
    new = [wanted for wanted in sets if flags.fresh or split_cached(wanted)[1]]
    for wanted in new:
        say(_describe(wanted, flags))
    if new and not flags.imports and not flags.yes:
        _ask()
    with show_download(is_quiet=flags.quiet) as on_progress:
        return [fetch_set(wanted, flags.options, on_progress=on_progress) for wanted in sets]


def _describe(wanted: Wanted, flags: FetchFlags) -> str:
    """Return what is about to be fetched: its revision, place, licence and size."""
    manifest = wanted.manifest
    names = " ".join(f"{wanted.set_name}/{domain}" for domain in wanted.domains)
    about = [manifest.domains[domain].about_bytes for domain in wanted.domains]
    size = f", about {megabytes(sum(n for n in about if n is not None))} on disk" if None not in about else ""
    return f"{names}: {manifest.title} from {_describe_place(wanted, flags)}. Licence: {manifest.licence}{size}."


def _describe_place(wanted: Wanted, flags: FetchFlags) -> str:
    if flags.imports:
        return ", ".join(map(str, flags.imports))
    known = f"{wanted.manifest.origin} at {wanted.manifest.revision}, its whole archive (at most {flags.max_mb} MB)"
    wheels = [f"the wheel {wheel.filename} ({megabytes(wheel.n_bytes)})" for wheel in wanted.fetching.packages]
    ways = {ARCHIVE: [known], WHEEL: wheels}
    places = [*map(shown, flags.mirrors), *(place for way in flags.options.ways for place in ways[way])]
    return ", or else ".join(places) or "nowhere: there is no wheel of it"


def _ask() -> None:
    say(f"Fetch this into {cache_root()}? [y/N]")
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if answer.strip().lower() not in ("y", "yes"):
        what = "nothing was fetched, as nobody said yes" if answer else "nobody is there to be asked"
        raise UsageError(what, where="fetch", mend="Give --yes to fetch without a question")


def _remove(flags: FetchFlags) -> int:
    meant = [each for each in list_cached() if _is_meant(each.record, flags.names)]
    absent = [name for name in flags.names if not any(_is_meant(each.record, (name,)) for each in meant)]
    if absent:
        raise UsageError("is not in the cache", where=absent[0], mend="'bench-audit fetch --list' shows what is")
    with locked():
        for each in meant:
            remove(each.folder)
            say(f"Removed {each.record.name} from {each.folder}; what is known of its hashes stays")
    return 0


def _is_meant(record: Record, names: Sequence[str]) -> bool:
    return not names or any(record.name == name or record.name.startswith(f"{name.rstrip('/')}/") for name in names)


def _write(records: Sequence[Record], failures: dict[str, str], flags: FetchFlags) -> None:
    content = _as_json(records, failures) if flags.format_name == "json" else "\n".join(_lines(records))
    if flags.output is not None:
        write_file(flags.output, f"{content}\n".encode())
    elif content:
        write_lines(*content.split("\n"))


def _as_json(records: Sequence[Record], failures: dict[str, str]) -> str:
    document = {
        "format": FORMAT,
        "format_version": 1,
        "cache": str(cache_root()),
        "benchmarks": [
            {
                "name": record.name,
                "folder": str(record_folder(record)),
                "revision": record.revision,
                "origins": list(record.origins),
                "fetched_at": record.fetched_at,
                "n_bytes": record.n_bytes,
                "files": [
                    {"name": name, "sha256": file.sha256, "n_bytes": file.n_bytes, "held_to": file.held_to or None}
                    for name, file in record.files.items()
                ],
            }
            for record in records
        ],
        "failures": [{"name": name, "reason": reason} for name, reason in failures.items()],
    }
    return json.dumps(document, indent=2)


def _lines(records: Sequence[Record]) -> Iterator[str]:
    if not records:
        yield f"nothing has been fetched into {cache_root()}"
    width = max((len(record.name) for record in records), default=0)
    for record in records:
        size = f"{plural(len(record.files), 'file')}, {megabytes(record.n_bytes)}"
        yield f"{record.name:<{width}}  {size:<20}  {_vouched(record):<30}  {record_folder(record)}"


def _vouched(record: Record) -> str:
    """Return how many files were held to what."""
    words = {"pinned": "pinned", "package": "by the wheel's hash", "recorded": "as before", "": "first seen"}
    held = [file.held_to for file in record.files.values()]
    return ", ".join(f"{held.count(kind)} {words[kind]}" for kind in words if kind in held)


def _tell(sets: Sequence[Wanted], fetched: Sequence[Fetched], failures: dict[str, str]) -> None:
    records = [record for each in fetched for record in each.kept]
    for wanted, found in zip(sets, fetched, strict=True):
        if found.problems:
            origins = dict.fromkeys(origin for record in found.kept for origin in record.origins)
            say(f"Note: {'; '.join(found.problems)}. {wanted.set_name} is from {', '.join(origins)}")
        if any(record.is_package for record in found.kept):
            for package in wanted.fetching.packages:
                say(f"Note: {package.filename} is no release of this set: {package.note}")
    n_new = sum(not file.held_to for record in records for file in record.files.values())
    if n_new:
        files = plural(n_new, "file")
        say(f"Note: no hash was known of {files}: taken on trust, recorded, and later fetches are held to it")
    for name, why in failures.items():
        say(f"Missing: {name}: {why}")


def megabytes(n_bytes: int) -> str:
    """Return a size as people read it.

    Examples
    --------
    >>> megabytes(7_200_000), megabytes(13_000), megabytes(300)
    ('7.2 MB', '13 kB', '1 kB')
    """
    if n_bytes >= 100_000:
        return f"{n_bytes / 1e6:.1f} MB"
    return f"{max(1, round(n_bytes / 1e3))} kB"


@contextlib.contextmanager
def show_download(*, is_quiet: bool) -> Iterator[OnProgress]:
    """Yield what to tell of a download: a live bar on a terminal, a line every ten seconds elsewhere."""
    if not is_quiet and sys.stderr is not None and sys.stderr.isatty():
        with _bar() as on_progress:
            yield on_progress
    else:
        yield _line_teller(is_quiet=is_quiet)


def _line_teller(*, is_quiet: bool) -> OnProgress:
    told = [time.monotonic()]

    def on_progress(label: str, n_bytes: int, total: int | None) -> None:
        if is_quiet or time.monotonic() - told[0] < _SECONDS_BETWEEN_LINES:
            return
        told[0] = time.monotonic()
        say(f"{label}: {megabytes(n_bytes)}{f' of {megabytes(total)}' if total else ''}")

    return on_progress


@contextlib.contextmanager
def _bar() -> Iterator[OnProgress]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bars: dict[str, TaskID] = {}

        def on_progress(label: str, n_bytes: int, total: int | None) -> None:
            if label not in bars:
                bars[label] = progress.add_task(label.rpartition("/")[2], total=total)
            progress.update(bars[label], completed=n_bytes, total=total)

        yield on_progress

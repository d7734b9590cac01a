"""Archives that strangers made: tar, tar.gz and zip, read entry by entry, without a file being written by their names.

Nothing is extracted. Entries are listed in their order; whoever wants one reads its bytes, as many as are allowed.
Links and devices are listed as what they are and hold no bytes.
"""

from __future__ import annotations

import gzip
import io
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Protocol, Self

from audit.errors import FetchError

_GZIP, _ZIP, _EMPTY_ZIP, _USTAR = b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06", b"ustar"
_USTAR_AT = 257
_BLOCK, _TAIL = 2**20, 512
_LONGEST_NAME = 4096
_LONGEST_HEADER = 2**20
_HEADERS = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_DRIVE = re.compile(r"[A-Za-z]:")
_AGAIN = "Fetch or copy it again"
_SUSPECT = "Do not use it; get the archive from the set's own address"

_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    gzip.BadGzipFile,
    EOFError,
    NotImplementedError,  # a way of packing that Python does not know
    RuntimeError,  # an encrypted entry
    ValueError,
    IndexError,
    OverflowError,
)
"""What Python's own readers raise over bytes that are no sound archive."""


class DamagedError(FetchError):
    """Bytes that are not what they ought to be; downloading them again may help."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may come to, so that none can fill the disk or never end.

    Parameters
    ----------
    file_bytes
        Of one unpacked file.
    unpacked_bytes
        Of everything that is unpacked, wanted or not.
    n_entries
        Files and folders.
    ratio
        Unpacked bytes for one packed byte, beyond the first ``free_bytes``; texts come to 5 to 30.
    """

    file_bytes: int = 512_000_000
    unpacked_bytes: int = 16_000_000_000
    n_entries: int = 500_000
    ratio: int = 200
    free_bytes: int = 64_000_000


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or link of an archive; ``open`` must be used before the next entry is asked for."""

    name: str
    is_file: bool
    open: Callable[[], Readable]


def read_entries(path: Path, limits: Limits | None = None) -> Generator[Entry]:
    """Yield every entry of an archive that is no folder, in order.

    Parameters
    ----------
    path
        A tar, tar.gz or zip file (a wheel is one), told by its bytes and not by its name.

    Raises
    ------
    FetchError
        If the file is none, is cut or damaged, is larger than the limits, or holds a name that leads out of its
        folder. Reading an entry raises what :func:`telling` turns into such a line.
    """
    limits = limits or Limits()
    kind = _kind_of(path)
    every = _zip_entries(path, limits) if kind == "zip" else _tar_entries(path, limits, is_packed=kind == "gzip")
    with telling(path), closing(every) as entries:
        for number, entry in enumerate(entries, start=1):
            if number > limits.n_entries:
                raise FetchError(f"holds more than {limits.n_entries:,} files", where=str(path), mend=_SUSPECT)
            _check_name(entry.name, path)
            yield entry


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turn what Python's readers of archives raise into one line about ``path``."""
    try:
        yield
    except _BROKEN as error:
        what = f"is cut short, damaged or packed in a way that is not known ({error})"
        raise DamagedError(what, where=str(path), mend=_AGAIN) from error
    except OSError as error:
        mend = "Check the file, and the room on the disk"
        raise FetchError(f"can't be read ({error.strerror or error})", where=str(path), mend=mend) from error


def _kind_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(_USTAR_AT + len(_USTAR))
    except OSError as error:
        raise FetchError(f"can't be read ({error.strerror})", where=str(path), mend="Check the path") from error
    kind = _magic(head)
    if kind is None:
        start = "is empty" if not head else f"begins with {head[:24]!r}"
        mend = "Give a .tar.gz, .tar, .zip or .whl file, or the folder"
        raise DamagedError(f"is no archive: it {start}", where=str(path), mend=mend)
    return kind


def _magic(head: bytes) -> str | None:
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith((_ZIP, _EMPTY_ZIP)):
        return "zip"
    return "tar" if head[_USTAR_AT:].startswith(_USTAR) else None


def _check_name(name: str, path: Path) -> None:
    """Refuse an archive with a name that leads elsewhere; no honest tool packs one."""
    steps = re.split(r"[/\\]", name)
    if ".." in steps or name.startswith(("/", "\\")) or _DRIVE.match(name) or "\0" in name:
        raise FetchError(f"holds a name that leads out of its folder: {name[:80]!r}", where=str(path), mend=_SUSPECT)
    if len(name) > _LONGEST_NAME:
        raise FetchError(f"holds a name of {len(name):,} characters", where=str(path), mend=_SUSPECT)


def _zip_entries(path: Path, limits: Limits) -> Generator[Entry]:
    with zipfile.ZipFile(path) as archive:
        budget = _Budget(path, limits)
        for info in archive.infolist():
            if info.is_dir():
                continue
            mode = info.external_attr >> 16
            is_file = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
            yield Entry(info.filename, is_file, partial(_open_zipped, archive, info, budget))


def _open_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> Readable:
    return _Counted(archive.open(info), budget)


class _Header(tarfile.TarInfo):
    """A header that refuses to fill the memory with a name."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _HEADERS and found.size > _LONGEST_HEADER:
            raise tarfile.ReadError(f"a header of {found.size:,} bytes")
        return found


def _tar_entries(path: Path, limits: Limits, *, is_packed: bool) -> Generator[Entry]:
    with path.open("rb") as raw:
        budget = _Budget(path, limits)
        unpacked: IO[bytes] = gzip.GzipFile(fileobj=raw) if is_packed else raw  # type: ignore[assignment]  # reads as one
        counted = _Counted(unpacked, budget)
        with tarfile.open(fileobj=counted, mode="r|", bufsize=_BLOCK, tarinfo=_Header) as archive:
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # else it keeps every header
                if not member.isdir():
                    is_file = member.isreg() and not member.issparse()
                    yield Entry(member.name, is_file, partial(_open, archive, member))
        while counted.read(_BLOCK):  # to the end, where gzip keeps its checksum
            pass
        if counted.tail.strip(b"\0"):
            raise tarfile.ReadError("it has no end")


def _open(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(member)
    if file is None:
        raise tarfile.ReadError(f"{member.name} is no file")
    return file


class _Budget:
    """How much of an archive has been unpacked, against how much it is."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        packed = path.stat().st_size
        self._most = min(limits.unpacked_bytes, max(limits.free_bytes, packed * limits.ratio))
        self._n = 0

    def spend(self, n_bytes: int) -> None:
        self._n += n_bytes
        if self._n > self._most:
            what = f"unpacks to more than {self._most / 1e6:,.0f} MB, which its size does not explain"
            raise FetchError(what, where=str(self._path), mend=_SUSPECT)


class _Counted(io.RawIOBase):
    """A stream whose bytes are counted against a budget."""

    def __init__(self, inner: IO[bytes], budget: _Budget) -> None:
        super().__init__()
        self._inner, self._budget = inner, budget
        self.tail = b""
        """The last bytes that were read; a whole tar ends in zeros."""

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        super().close()
        self._inner.close()

    def read(self, size: int = -1, /) -> bytes:
        content = self._inner.read(_BLOCK if size is None or size < 0 else min(size, _BLOCK))
        self._budget.spend(len(content))
        self.tail = content[-_TAIL:] or self.tail
        return content

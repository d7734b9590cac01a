"""Files of one JSON object a line, read line by line: of a long file, only one line is in memory at a time."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.entry import name_type
from audit.loaders.json_file import MAX_BYTES, InputFile, parse_json, show_path
from audit.records.task import Json, SourceFile

MAX_LINE = 10_000_000
"""Bytes of one line; a real one has some ten thousand."""
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class LineFile:
    """A file of records; its hash is known once all of its lines were read."""

    path: Path
    shown: str
    sha256: str = ""

    @property
    def record(self) -> SourceFile:
        """The file's entry in a benchmark's list of files."""
        return SourceFile(self.shown, self.sha256)


@dataclass(frozen=True, slots=True)
class Line:
    """A record with its 1-based line."""

    number: int
    values: Mapping[str, Json] = field(repr=False)


def open_lines(path: Path, *, root: Path) -> LineFile:
    """Return a file that may be read line by line.

    Raises
    ------
    LoadError
        If there is none, it is no regular file, or it is too long.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise LoadError(f"can't be read ({error.strerror})", where=str(path), mend="Check the path") from error
    if not stat.S_ISREG(found.st_mode):
        raise LoadError("is no file", where=str(path), mend="Check the path")
    if found.st_size > MAX_BYTES:
        what = f"the file is longer than {MAX_BYTES // 1_000_000} MB"
        raise LoadError(what, where=str(path), mend="Split the benchmark")
    return LineFile(path, show_path(path, root))


def read_lines(file: LineFile) -> Iterator[Line]:
    """Yield the records of a file; blank lines are passed over.

    Raises
    ------
    LoadError
        Naming file and line, if a line is no JSON object.
    """
    digest = hashlib.sha256()
    try:
        with file.path.open("rb") as stream:
            for number, content in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), b""), 1):
                digest.update(content)
                if content.removeprefix(_BOM).strip():
                    yield Line(number, _parse(content, number, file.path))
    except OSError as error:
        raise LoadError(f"can't be read ({error.strerror})", where=str(file.path), mend="Check the file") from error
    file.sha256 = digest.hexdigest()


def _parse(content: bytes, number: int, path: Path) -> Mapping[str, Json]:
    where = f"{path}:{number}"
    if len(content) > MAX_LINE:
        raise LoadError(f"the line is longer than {MAX_LINE // 1_000_000} MB", where=where, mend="Split the file")
    try:
        value = parse_json(InputFile(path, str(path), content))
    except LoadError as error:
        raise LoadError(error.what, where=where, mend=error.mend) from error
    if not isinstance(value, dict):
        raise LoadError(f"the line must be an object, not {name_type(value)}", where=where, mend="Correct the line")
    return value

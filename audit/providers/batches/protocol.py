"""The seam between what every batch needs and each vendor's batch API."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pydantic import JsonValue, ValidationError

from audit.providers.transport import MAX_BODY_BYTES
from audit.providers.wire import BodyError, Call, parse_body
from audit.records.batch import BatchLine, BatchState

_ID = re.compile(r"(?:batches/)?[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,199}")


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much one batch may hold: the vendor's limits, or less where results would fill the memory."""

    max_bytes: int
    max_requests: int


@dataclass(frozen=True, slots=True)
class Submission:
    """A batch that is handed over.

    Parameters
    ----------
    name
        Ours; the vendor keeps it with the batch where it can.
    requests
        As :meth:`BatchWire.encode` gave them.
    """

    name: str
    model: str
    requests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """What a vendor says of a batch.

    Parameters
    ----------
    name
        Ours, where the vendor kept it.
    created_at
        Seconds since 1970; 0 where it is not said.
    files
        Ids of result files, for vendors that have such.
    """

    id: str
    state: BatchState
    name: str = ""
    note: str = ""
    n_requests: int = 0
    created_at: float = 0.0
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a batch, and how many of its lines could not be read."""

    lines: tuple[BatchLine, ...]
    n_unreadable: int = 0


class BatchWire(Protocol):
    """One vendor's batch API, spoken through its SDK."""

    errors: tuple[type[Exception], ...]
    limits: BatchLimits

    def encode(self, key: str, call: Call) -> str:
        """Return a request of a batch as JSON on one line."""
        ...

    async def submit(self, submission: Submission) -> RemoteBatch:
        """Hand a batch over."""
        ...

    async def find(self) -> tuple[RemoteBatch, ...]:
        """Return the newest hundred batches of the account."""
        ...

    async def status(self, remote_id: str) -> RemoteBatch:
        """Ask how far a batch is."""
        ...

    async def results(self, remote: RemoteBatch, *, keys: Sequence[str]) -> Results:
        """Fetch the results of a batch that has ended; ``keys`` are its questions' in their order."""
        ...

    async def cancel(self, remote_id: str) -> None:
        """Ask for a batch to be stopped."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


def check_id(value: object) -> str:
    """Return a vendor's id; raise :class:`BodyError` for what would change the path of a request."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise BodyError(f"the answer has no usable id: {str(value)[:80]!r}")
    return value


def objects_in(body: Mapping[str, JsonValue], name: str) -> list[dict[str, JsonValue]]:
    """Return the objects in the list ``name``; raise :class:`BodyError` where there is no list."""
    found = body.get(name)
    if not isinstance(found, list):
        raise BodyError(f"the answer has no list of {name}")
    return [each for each in found if isinstance(each, dict)]


def text_of(value: object) -> str:
    """Return a text, or an empty one for what is none."""
    return value if isinstance(value, str) else ""


LineReader: TypeAlias = Callable[[dict[str, JsonValue]], BatchLine | None]
"""From a line of a result file, as an object, to the result; ``None`` for what is none."""


def read_lines(content: bytes, reader: LineReader) -> Results:
    """Read a file of results; a line that is cut, too long or no JSON costs that line alone."""
    lines, n_unreadable = [], 0
    for raw in _lines_of(content):
        line = None if len(raw) > MAX_BODY_BYTES else _read_line(raw, reader)
        if line is None:
            n_unreadable += 1
        else:
            lines.append(line)
    return Results(tuple(lines), n_unreadable)


def _lines_of(content: bytes) -> Iterable[bytes]:
    start = 0
    while start < len(content):
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        if line := content[start:end].strip():
            yield line
        start = end + 1


def _read_line(raw: bytes, reader: LineReader) -> BatchLine | None:
    try:
        return reader(parse_body(raw.decode("utf-8", "replace")))
    except (BodyError, ValidationError):
        return None


def refuse_page(content: bytes) -> None:
    """Raise :class:`BodyError` for an answer that is a page or an error, where a file of results was promised."""
    start = content[:200].lstrip()
    if start.startswith(b"<") or start.startswith(b'{"error"'):
        parse = start.decode("utf-8", "replace")
        raise BodyError(f"the results are not what was promised: {parse[:80]!r}")

"""A loopback server that gives files, by ranges if it is asked to, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.servers.http import LoopbackServer, Request, Response

Answer = Callable[[Request], Response]


def whole(content: bytes, **headers: str) -> Answer:
    """Gives all of it, whatever part is asked for."""
    return lambda request: Response(content, headers=headers)


def ranged(content: bytes, *, tag: str = '"v1"') -> Answer:
    """Gives the part that is asked for, as long as the condition holds."""

    def answer(request: Request) -> Response:
        headers = {"etag": tag} if tag else {}
        asked = request.headers.get("range", "")
        if not asked or request.headers.get("if-range", tag) != tag:
            return Response(content, headers=headers)
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(content):
            return Response(b"", 416, headers={"content-range": f"bytes */{len(content)}"})
        told = {"content-range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
        return Response(content[start:], 206, headers=headers | told)

    return answer


def cut(content: bytes, *, after: int, tag: str = '"v1"') -> Answer:
    """Promises all and breaks off after so many bytes of it."""
    head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(content)}\r\n"
    head += f"etag: {tag}\r\n\r\n" if tag else "\r\n"
    return lambda request: Response(raw=head.encode() + content[:after])


@dataclass
class Files:
    """Which answer each path gives, one after the other; the last one stays."""

    server: LoopbackServer
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def put(self, path: str, *answers: Answer) -> str:
        """Return the address of a file that is answered so."""
        self.answers[path] = list(answers)
        return f"{self.server.url}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def answer(self, request: Request) -> Response:
        self.asked.append((request.path, request.headers))
        found = self.answers.get(request.path)
        if not found:
            return Response("no such file", 404)
        return (found.pop(0) if len(found) > 1 else found[0])(request)


@contextmanager
def serving_files() -> Iterator[Files]:
    """Run a server as long as the block runs."""
    server = LoopbackServer(lambda request: Response())
    given = Files(server)
    server.handler = given.answer
    server.start()
    try:
        yield given
    finally:
        server.stop()

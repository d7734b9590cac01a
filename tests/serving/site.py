"""A folder that is served, and a client that says what it likes."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit.reports import study_json, to_html, to_json
from audit.serving.server import ShelfServer
from audit.serving.shelf import Shelf
from tests.reports import checked, runs, studies


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Site:
    server: ShelfServer

    def send(self, method: str, path: str, headers: Mapping[str, str | None] | None = None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_address[1], timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        told = {"Host": self.server.origin.removeprefix("http://"), **(headers or {})}
        for name, value in told.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        reply = connection.getresponse()
        made = Reply(reply.status, dict(reply.getheaders()), reply.read())
        connection.close()
        return made

    def get(self, path: str, headers: Mapping[str, str | None] | None = None) -> Reply:
        return self.send("GET", path, headers)


def fill(folder: Path) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "run.json").write_bytes(to_json.render(checked.audited()))
    (folder / "deep" / "panel #1?.json").write_bytes(to_json.render(runs.panel()))
    (folder / "deep" / "er" / "study.json").write_bytes(study_json.render(studies.study()))
    (folder / "old.html").write_bytes(to_html.render(runs.small()))
    (folder / "other.json").write_text('{"format": "something/else"}')
    (folder / "notes.txt").write_text("nothing")


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    with ShelfServer(Shelf(folder)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield Site(server)
        finally:
            server.shutdown()
            thread.join()

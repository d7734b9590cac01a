"""A review's server for tests, and requests to it as anybody could send them."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.cli.output import write_file
from audit.loaders.item_set import read_item_set
from audit.policies.server import ReviewServer
from audit.policies.session import ReviewSession
from audit.records.item_set import ItemSet
from audit.writers.item_set import render_item_set
from tests.policies.sets import BOATS, document, proposed

Headers = Mapping[str, str | None]


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401  # any JSON
        return json.loads(self.content)


@dataclass(frozen=True)
class Review:
    """A review that is being served."""

    server: ReviewServer
    path: Path

    @property
    def saved(self) -> ItemSet:
        return read_item_set(self.path)

    def send(self, method: str, name: str, body: bytes | None = None, headers: Headers | None = None) -> Reply:
        """Send a request; ``headers`` replace the page's own, ``None`` as a value leaves one out."""
        own: dict[str, str | None] = {"Host": self.server.origin.removeprefix("http://")}
        if method == "POST":
            own |= {"Origin": self.server.origin, "Content-Type": "application/json"}
        own |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_address[1], timeout=10)
        connection.putrequest(method, name, skip_host=True, skip_accept_encoding=True)
        if body is not None and "Content-Length" not in own:
            own["Content-Length"] = str(len(body))
        for key, value in own.items():
            if value is not None:
                connection.putheader(key, value)
        connection.endheaders(body)
        reply = connection.getresponse()
        made = Reply(reply.status, dict(reply.getheaders()), reply.read())
        connection.close()
        return made

    def get(self, name: str = "", headers: Headers | None = None) -> Reply:
        return self.send("GET", f"/{self.server.token}/{name}", headers=headers)

    def act(self, action: str, **fields: object) -> Reply:
        return self.send("POST", f"/{self.server.token}/act", json.dumps({"action": action, **fields}).encode())


@contextmanager
def served(folder: Path, text: str = BOATS, item_set: ItemSet | None = None) -> Iterator[Review]:
    policy = document(text)
    path = folder / "boats.items.json"
    path.write_text(render_item_set(item_set or proposed(policy.text)))
    server = ReviewServer(ReviewSession(path, policy, save=write_file))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Review(server, path)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)

"""A server that is OpenAI, Anthropic and Google at once, and does as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from audit.providers.examples import Chooser, make_example
from tests.servers.decisions import decide, plainly
from tests.servers.http import LoopbackServer, Request, Response
from tests.servers.outcomes import Outcome, say, say_json


class VendorServer:
    """Keeps the requests that it saw; by default gives every score a 7 and finds no violation.

    ``reply_json`` and ``behave`` set what it always answers; ``script`` what it answers next, before that.
    """

    def __init__(self, *, port: int = 0) -> None:
        self.requests: list[Request] = []
        self._next: list[Outcome] = []
        self._always: Callable[[Request], Outcome] = lambda request: well_behaved()
        self._lock = threading.Lock()
        self.other: Callable[[Request], Response | None] = lambda request: None
        """Answers what is no live call, where it can."""
        self._server = LoopbackServer(self._handle, port=port)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def openai_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def anthropic_url(self) -> str:
        return self.url

    @property
    def google_url(self) -> str:
        return self.url

    def url_of(self, vendor: str) -> str:
        return self.openai_url if vendor == "openai" else self.url

    def judge(self, vendor: str = "openai", model: str = "any-name") -> str:
        """The name of a judge at this server, as ``--judge`` takes it."""
        return f"{vendor}:{model}@{self.url_of(vendor)}"

    def reply_json(self, value: Any) -> None:  # noqa: ANN401  # any JSON
        self.behave(lambda request: say_json(value))

    def behave(self, choose: Callable[[Request], Outcome]) -> None:
        self._always = choose

    def always(self, outcome: Outcome) -> None:
        self.behave(lambda request: outcome)

    def script(self, outcomes: Iterable[Outcome]) -> None:
        with self._lock:
            self._next.extend(outcomes)

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def answer(self, request: Request) -> Response:
        """Answer a live call that came another way."""
        return self._always(request)(request)

    def _handle(self, request: Request) -> Response:
        if not request.vendor and (answer := self.other(request)) is not None:
            return answer
        with self._lock:
            self.requests.append(request)
            outcome = self._next.pop(0) if self._next else None
        if not request.vendor:
            return Response({"error": {"message": f"no such path: {request.path}"}}, status=404)
        return (outcome or self._always(request))(request)


def well_behaved(number: float = 7) -> Outcome:
    """Whatever fits the schema of the request: that number for every score, and nothing listed."""

    def answer(request: Request) -> Response:
        if request.is_decisions:
            return decide(plainly(number))(request)
        schema = request.schema
        text = "No schema was sent." if schema is None else json.dumps(make_example(schema, Chooser(number=number)))
        return say(text)(request)

    return answer

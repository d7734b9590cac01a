"""The review's page on the loopback: one file, one token, nothing from elsewhere."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from audit.errors import AuditError
from audit.policies.session import ReviewSession
from audit.resources import resource

_ADDRESS = "127.0.0.1"
_LONGEST_REQUEST = 1_000_000
_LONGEST_WAIT_S = 30.0
_ASSETS = {
    "": ("page.html", "text/html; charset=utf-8"),
    "review.js": ("review.js", "text/javascript; charset=utf-8"),
    "review.css": ("review.css", "text/css; charset=utf-8"),
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class ReviewServer(ThreadingHTTPServer):
    """Serves one review at ``http://127.0.0.1:PORT/TOKEN/``.

    Parameters
    ----------
    session
        The review.
    port
        0 for any free one.
    on_change
        Called after every edit that was saved.
    """

    daemon_threads = True

    def __init__(self, session: ReviewSession, *, port: int = 0, on_change: Callable[[], None] = lambda: None) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self.on_change = on_change
        super().__init__((_ADDRESS, port), _Handler)

    @property
    def origin(self) -> str:
        """Where the page comes from."""
        return f"http://{_ADDRESS}:{self.server_address[1]}"

    @property
    def url(self) -> str:
        """The page's address, with the token that opens it."""
        return f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """Answers whoever has the token and asks this very address."""

    server: ReviewServer
    protocol_version = "HTTP/1.0"  # no connection outlives its answer, nor the command
    server_version = "bench-audit"
    sys_version = ""
    timeout = _LONGEST_WAIT_S

    def do_GET(self) -> None:  # noqa: N802  # the library's name
        name = self._open()
        if name is None:
            return
        if name == "state":
            self._send_json(HTTPStatus.OK, self.server.session.state())
        elif name in _ASSETS:
            file, kind = _ASSETS[name]
            self._send(HTTPStatus.OK, resource("reports", "policy_review", file).read_bytes(), kind)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is no such page.")

    def do_POST(self) -> None:  # noqa: N802  # the library's name
        name = self._open()
        if name is None:
            return
        if self.headers.get("Origin") != self.server.origin:
            self._refuse(HTTPStatus.FORBIDDEN, "This comes from another page.")
        elif self.headers.get("Content-Type") != "application/json" or name != "act":
            self._refuse(HTTPStatus.BAD_REQUEST, "This is not what the page sends.")
        elif (content := self._read()) is not None:
            self._act(content)

    def _open(self) -> str | None:
        """Return what is asked for below the token; refuse whoever came by another name or without it."""
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            self._refuse(HTTPStatus.FORBIDDEN, "This server has no such name.")
            return None
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN, "This comes from another page.")
            return None
        token, slash, name = self.path.removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(errors="replace"), self.server.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "Open the address that the command printed.")
            return None
        return name

    def _read(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or len(length) > 8 or int(length) > _LONGEST_REQUEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This is too long.")
            return None
        return self.rfile.read(int(length))

    def _act(self, content: bytes) -> None:
        try:
            state = self.server.session.act(content)
        except AuditError as error:
            self._send_json(HTTPStatus.UNPROCESSABLE_ENTITY, {"problem": f"{error.what}. {error.mend}".strip()})
            return
        self.server.on_change()
        self._send_json(HTTPStatus.OK, state)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._send(status, f"{why}\n".encode(), "text/plain; charset=utf-8")

    def _send_json(self, status: HTTPStatus, value: object) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401  # the library's name and type
        """Keep the terminal quiet: request lines hold the token."""

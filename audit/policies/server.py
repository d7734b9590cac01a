"""The review's page on the loopback: one file, one token, nothing from elsewhere."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from http import HTTPStatus

from audit.errors import AuditError
from audit.loopback import LoopbackHandler, LoopbackServer
from audit.policies.session import ReviewSession
from audit.resources import resource

_LONGEST_REQUEST = 1_000_000
_ASSETS = {
    "": ("page.html", "text/html; charset=utf-8"),
    "review.js": ("review.js", "text/javascript; charset=utf-8"),
    "review.css": ("review.css", "text/css; charset=utf-8"),
}
_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


class ReviewServer(LoopbackServer):
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

    def __init__(self, session: ReviewSession, *, port: int = 0, on_change: Callable[[], None] = lambda: None) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self.on_change = on_change
        super().__init__(_Handler, port=port)

    @property
    def url(self) -> str:
        """The page's address, with the token that opens it."""
        return f"{self.origin}/{self.token}/"


class _Handler(LoopbackHandler):
    """Answers whoever has the token and asks this very address."""

    server: ReviewServer
    content_policy = _CONTENT_POLICY

    def do_GET(self) -> None:  # noqa: N802  # the library's name
        name = self._open()
        if name is None:
            return
        if name == "state":
            self._send_json(HTTPStatus.OK, self.server.session.state())
        elif name in _ASSETS:
            file, kind = _ASSETS[name]
            self.send(HTTPStatus.OK, resource("reports", "policy_review", file).read_bytes(), kind=kind)
        else:
            self.refuse(HTTPStatus.NOT_FOUND, "There is no such page.")

    def do_POST(self) -> None:  # noqa: N802  # the library's name
        name = self._open()
        if name is None:
            return
        if self.headers.get("Origin") != self.server.origin:
            self.refuse(HTTPStatus.FORBIDDEN, "This comes from another page.")
        elif self.headers.get("Content-Type") != "application/json" or name != "act":
            self.refuse(HTTPStatus.BAD_REQUEST, "This is not what the page sends.")
        elif (content := self._read()) is not None:
            self._act(content)

    def _open(self) -> str | None:
        """Return what is asked for below the token; refuse whoever came by another name or without it."""
        if not self.is_asked_here():
            return None
        token, slash, name = self.path.removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(errors="replace"), self.server.token.encode()):
            self.refuse(HTTPStatus.NOT_FOUND, "Open the address that the command printed.")
            return None
        return name

    def _read(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or len(length) > 8 or int(length) > _LONGEST_REQUEST:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This is too long.")
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

    def _send_json(self, status: HTTPStatus, value: object) -> None:
        self.send(status, json.dumps(value).encode(), kind="application/json")

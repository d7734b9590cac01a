"""A web server for this machine alone: who may ask, and what every answer forbids."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any

ADDRESS = "127.0.0.1"
LONGEST_WAIT_S = 30.0
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
)
"""Of every answer, whatever is in it."""
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content policy of an answer that needs nothing."""


class LoopbackServer(ThreadingHTTPServer):
    """Listens on the loopback; ``port`` 0 stands for any free one."""

    daemon_threads = True

    def __init__(self, handler: type[LoopbackHandler], *, port: int = 0) -> None:
        super().__init__((ADDRESS, port), handler)

    @property
    def origin(self) -> str:
        """Where its pages come from."""
        return f"http://{ADDRESS}:{self.server_address[1]}"


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers whoever asks this very address from no other site."""

    server: LoopbackServer
    protocol_version = "HTTP/1.0"  # no connection outlives its answer, nor the command
    server_version = "bench-audit"
    sys_version = ""
    timeout = LONGEST_WAIT_S
    content_policy = NOTHING

    def is_asked_here(self, *, allows_links: bool = False) -> bool:
        """Whether the request names this very address and comes from no other site; one that doesn't is refused.

        A name that was bound to this machine after its page was loaded is another address.

        Parameters
        ----------
        allows_links
            Whether a window may come here by a link on another page, which then sees nothing of what is here.
        """
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            self.refuse(HTTPStatus.FORBIDDEN, "This server has no such name.")
            return False
        is_link = (self.headers.get("Sec-Fetch-Mode"), self.headers.get("Sec-Fetch-Dest")) == ("navigate", "document")
        is_own = self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        if not is_own and not (allows_links and is_link):
            self.refuse(HTTPStatus.FORBIDDEN, "This comes from another page.")
            return False
        return True

    def refuse(self, status: HTTPStatus, why: str) -> None:
        """Answer with a sentence."""
        self.send(status, f"{why}\n".encode(errors="backslashreplace"), kind="text/plain; charset=utf-8")

    def send(self, status: HTTPStatus, content: bytes, *, kind: str, policy: str = "") -> None:
        """Answer with ``content``.

        Parameters
        ----------
        policy
            The content policy; that of the handler where it is empty.
        """
        self.send_response(status)
        own = {"Content-Security-Policy": policy or self.content_policy}
        for name, value in {**own, **HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401  # the library's name and type
        """Keep the terminal quiet: request lines may hold a token."""

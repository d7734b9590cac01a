"""The HTTP client that all SDKs are given, and the exceptions that come out of them raw."""

from __future__ import annotations

import ipaddress
import json
import ssl
from collections.abc import Collection, Mapping
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2

from audit.providers.endpoint import Endpoint

RAW_ERRORS: tuple[type[Exception], ...] = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.CookieConflict,
    httpx2.StreamError,
    anyio.EndOfStream,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    json.JSONDecodeError,
    UnicodeDecodeError,
    ssl.SSLError,
    TimeoutError,
    ConnectionError,
)
"""What can pass through an SDK without becoming one of its own exceptions."""

_POOLS = 16
_MAX_CONNECTIONS = 64
"""Of each pool."""
MAX_BODY_BYTES = 2_000_000
"""Of an answer, unpacked. The longest replies that we allow a model to write have a tenth of that."""
LAST_HEADERS: ContextVar[Mapping[str, str]] = ContextVar("LAST_HEADERS")
"""Of the last answer that this task got; the SDKs keep them to themselves."""
_OF_THE_WAY = frozenset({"content-encoding", "transfer-encoding", "content-length", "content-type"})
"""Headers that say how a body came, which a body that has been read lacks."""


class BoundedClient(httpx2.AsyncClient):
    """Reads every answer whole before it returns it, at most :data:`MAX_BODY_BYTES`, and takes it for UTF-8.

    An endless or packed body would fill the memory, and the encoding that a server names may be any codec. What is
    too long is replaced by an error in the vendors' own form.

    A pool of connections looks at every one of them for each request, so that many calls in flight cost more each.
    Requests are therefore sent through several small pools, each through the one that has the least to do.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  # as the client it derives from takes
        certificates = httpx2.create_ssl_context(trust_env=settings["trust_env"])  # read once for all pools
        settings = {"verify": certificates, **settings}
        super().__init__(**settings)
        self._pools = [httpx2.AsyncClient(**settings) for _ in range(_POOLS)]
        self._n_in_flight = [0] * _POOLS

    async def aclose(self) -> None:
        """Close every connection."""
        await super().aclose()
        for pool in self._pools:
            await pool.aclose()

    async def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,  # noqa: ARG002  # what was read can be streamed too
        auth: Any = httpx2.USE_CLIENT_DEFAULT,  # noqa: ANN401  # as the SDKs give it
        follow_redirects: Any = httpx2.USE_CLIENT_DEFAULT,  # noqa: ANN401
    ) -> httpx2.Response:
        """Send a request as the client it derives from does."""
        number = self._n_in_flight.index(min(self._n_in_flight))
        self._n_in_flight[number] += 1
        try:
            pool = self._pools[number]
            response = await pool.send(request, stream=True, auth=auth, follow_redirects=follow_redirects)
            try:
                content = await read_bounded(response, max_bytes=MAX_BODY_BYTES)
            finally:
                await response.aclose()
        finally:
            self._n_in_flight[number] -= 1
        LAST_HEADERS.set(response.headers)
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_WAY]
        return httpx2.Response(
            response.status_code,
            headers=[*headers, ("content-type", _media_type(response))],
            content=content,
            request=response.request,
            extensions=response.extensions,
        )


async def read_bounded(response: httpx2.Response, *, max_bytes: int) -> bytes:
    """Return a body, unpacked; instead of one that is longer, an error in the vendors' own form."""
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > max_bytes:
            return json.dumps({"error": {"message": f"it is longer than {max_bytes // 1_000_000} MB"}}).encode()
    return bytes(content)


def _media_type(response: httpx2.Response) -> str:
    """The SDKs look at it, to tell JSON from other bodies."""
    stated = response.headers.get("content-type")
    return "" if stated is None else stated.partition(";")[0].strip()


def make_http_client(
    endpoint: Endpoint, *, timeout_s: float, client: type[httpx2.AsyncClient] = BoundedClient
) -> httpx2.AsyncClient:
    """Return a client that follows no redirect, reads no endless body and sends only what the endpoint may see.

    Parameters
    ----------
    endpoint
        Where it is going to talk to.
    timeout_s
        For each read; connecting has 10 seconds at most.
    client
        What it is made of.
    """

    async def withhold(request: httpx2.Request) -> None:
        _strip(request, endpoint.withheld)

    return client(
        timeout=make_timeout(timeout_s),
        limits=httpx2.Limits(max_connections=_MAX_CONNECTIONS, max_keepalive_connections=_MAX_CONNECTIONS),
        follow_redirects=False,
        trust_env=not is_loopback(endpoint.url),
        event_hooks={"request": [withhold]},
    )


def make_timeout(timeout_s: float) -> httpx2.Timeout:
    """Return the time-outs of one call."""
    return httpx2.Timeout(timeout_s, connect=min(10.0, timeout_s))


def _strip(request: httpx2.Request, withheld: Collection[str]) -> None:
    """Redirects and environment variables must not carry one host's key to another."""
    leaking = {name for name, value in request.headers.multi_items() if any(secret in value for secret in withheld)}
    for name in leaking:
        del request.headers[name]


def is_loopback(url: str) -> bool:
    """Return whether an address is of this very machine, which proxies of the environment don't reach."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

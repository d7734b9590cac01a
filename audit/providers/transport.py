"""The HTTP client that all SDKs are given, and the exceptions that come out of them raw."""

from __future__ import annotations

import ipaddress
import json
import ssl
from collections.abc import Collection
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

_MAX_CONNECTIONS = 256


def make_http_client(endpoint: Endpoint, *, timeout_s: float) -> httpx2.AsyncClient:
    """Return a client that follows no redirect and sends nothing that the endpoint must not see.

    Parameters
    ----------
    endpoint
        Where it is going to talk to.
    timeout_s
        For each read; connecting has 10 seconds at most.
    """

    async def withhold(request: httpx2.Request) -> None:
        _strip(request, endpoint.withheld)

    return httpx2.AsyncClient(
        timeout=make_timeout(timeout_s),
        limits=httpx2.Limits(max_connections=_MAX_CONNECTIONS, max_keepalive_connections=_MAX_CONNECTIONS),
        follow_redirects=False,
        trust_env=not _is_loopback(endpoint.url),
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


def _is_loopback(url: str) -> bool:
    """Proxies of the environment don't reach this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

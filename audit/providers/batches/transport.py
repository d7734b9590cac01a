"""The HTTP client for batches: bigger answers than a call's, yet not endless ones."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import httpx2

from audit.providers.transport import read_bounded

MAX_RESULT_BYTES = 256_000_000
"""Of an answer, unpacked. Ten thousand replies of the usual length have a tenth of that."""
LAST_BODY: ContextVar[bytes] = ContextVar("LAST_BODY")
"""Of the last answer that this task got: one SDK gives a record made of it and no more."""
MIN_TIMEOUT_S = 600.0
"""Files are bigger than calls."""


class BatchClient(httpx2.AsyncClient):
    """Reads every answer whole, at most :data:`MAX_RESULT_BYTES`, and follows no redirect."""

    async def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,  # noqa: ARG002  # what was read can be streamed too
        auth: Any = httpx2.USE_CLIENT_DEFAULT,  # noqa: ANN401  # as the SDKs give it
        follow_redirects: Any = False,  # noqa: ANN401, ARG002
    ) -> httpx2.Response:
        """Send a request as the client it derives from does."""
        response = await super().send(request, stream=True, auth=auth, follow_redirects=False)
        try:
            content = await read_bounded(response, max_bytes=MAX_RESULT_BYTES)
        finally:
            await response.aclose()
        LAST_BODY.set(content)
        names = ("content-type", "retry-after", "retry-after-ms", "request-id", "x-request-id")
        headers = [(name, response.headers[name]) for name in names if name in response.headers]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=response.request)

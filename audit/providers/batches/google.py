"""Google's batches: requests go up in one body, and come back in the batch's own record."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue, ValidationError

from audit.providers.batches.protocol import (
    BatchLimits,
    RemoteBatch,
    Results,
    Submission,
    check_id,
    objects_in,
    text_of,
)
from audit.providers.batches.transport import LAST_BODY, MIN_TIMEOUT_S, BatchClient
from audit.providers.endpoint import NO_KEY, Endpoint
from audit.providers.google import GoogleWire
from audit.providers.transport import make_http_client
from audit.providers.wire import BodyError, Call, child, count, parse_body
from audit.records.batch import BatchLine, BatchState, LineKind

_KEY = "key"
_STATES = {
    "UNSPECIFIED": BatchState.RUNNING,
    "QUEUED": BatchState.RUNNING,
    "PENDING": BatchState.RUNNING,
    "RUNNING": BatchState.RUNNING,
    "CANCELLING": BatchState.RUNNING,
    "SUCCEEDED": BatchState.COMPLETED,
    "PARTIALLY_SUCCEEDED": BatchState.COMPLETED,
    "FAILED": BatchState.FAILED,
    "CANCELLED": BatchState.CANCELLED,
    "EXPIRED": BatchState.EXPIRED,
}
_STATUS_BY_CODE = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 14: 503, 16: 401}
_CANCELLED = 1
_ODD = (ValidationError, ValueError, TypeError, AttributeError, KeyError)
"""What the SDK raises over an answer that it can't make a record of; the answer itself is read here."""


class GoogleBatches:
    """Speaks to one address through ``google.genai.Client``."""

    limits = BatchLimits(15_000_000, 10_000)

    def __init__(self, endpoint: Endpoint, wire: GoogleWire, *, timeout_s: float) -> None:
        from google import genai  # noqa: PLC0415  # 0.9 s that only a run with this judge should pay
        from google.genai import errors, types  # noqa: PLC0415

        self.errors: tuple[type[Exception], ...] = (errors.APIError, errors.UnknownApiResponseError)
        self._types = types
        self._wire = wire
        patience_s = max(timeout_s, MIN_TIMEOUT_S)
        self._http_client = make_http_client(endpoint, timeout_s=patience_s, client=BatchClient)
        options = types.HttpOptions(
            base_url=endpoint.url, timeout=round(patience_s * 1000), httpx_async_client=self._http_client
        )
        self._client = genai.Client(vertexai=False, api_key=endpoint.key or NO_KEY, http_options=options)

    def encode(self, key: str, call: Call) -> str:
        """Return a request of the batch."""
        request = self._types.InlinedRequest(
            contents=self._wire.contents(call), config=self._wire.config(call), metadata={_KEY: key}
        )
        return request.model_dump_json(exclude_none=True)

    async def submit(self, submission: Submission) -> RemoteBatch:
        """Hand the requests over."""
        requests = [self._types.InlinedRequest.model_validate_json(request) for request in submission.requests]
        order = self._client.aio.batches.create(
            model=submission.model, src=requests, config={"display_name": submission.name}
        )
        return _read(await _body_of(order))

    async def find(self) -> tuple[RemoteBatch, ...]:
        """Return the newest hundred batches of the account."""
        body = await _body_of(self._client.aio.batches.list(config={"page_size": 100}))
        return tuple(_read(each) for each in objects_in({"operations": [], **body}, "operations"))

    async def status(self, remote_id: str) -> RemoteBatch:
        """Ask how far a batch is."""
        return _read(await _body_of(self._client.aio.batches.get(name=check_id(remote_id))))

    async def results(self, remote: RemoteBatch, *, keys: Sequence[str]) -> Results:
        """Fetch the batch with its results; one that does not name its question has the place of its question."""
        body = await _body_of(self._client.aio.batches.get(name=check_id(remote.id)))
        listed = _find_responses(body)
        found = [_read_response(each, place, keys) for place, each in enumerate(listed)]
        lines = tuple(line for line in found if line is not None)
        return Results(lines, len(found) - len(lines))

    async def cancel(self, remote_id: str) -> None:
        """Ask for a batch to be stopped."""
        await self._client.aio.batches.cancel(name=check_id(remote_id))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aio.aclose()
        self._client.close()
        await self._http_client.aclose()


async def _body_of(call: Awaitable[object]) -> dict[str, JsonValue]:
    """Return what the server answered, which the SDK's own record leaves parts of out."""
    LAST_BODY.set(b"")
    try:
        await call
    except _ODD:
        if not LAST_BODY.get(b""):
            raise
    return parse_body(LAST_BODY.get(b"").decode("utf-8", "replace"))


def _read(body: Mapping[str, JsonValue]) -> RemoteBatch:
    about = child(body, "metadata")
    word = text_of(about.get("state"))
    state = _STATES.get(word.removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_"))
    if state is None:
        raise BodyError(f"the batch has an unknown state: {word[:80]!r}")
    total = text_of(child(about, "batchStats").get("requestCount"))
    return RemoteBatch(
        check_id(body.get("name")),
        state,
        name=text_of(about.get("displayName")),
        note=text_of(child(body, "error").get("message")),
        n_requests=int(total) if total.isdecimal() else 0,
        created_at=_seconds(text_of(about.get("createTime"))),
    )


def _seconds(moment: str) -> float:
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _find_responses(body: Mapping[str, JsonValue]) -> list[JsonValue]:
    for place in (child(child(body, "metadata"), "output"), child(body, "response")):
        found = place.get("inlinedResponses")
        listed = found.get("inlinedResponses") if isinstance(found, dict) else found
        if isinstance(listed, list):
            return listed
    return []


def _read_response(response: JsonValue, place: int, keys: Sequence[str]) -> BatchLine | None:
    if not isinstance(response, dict):
        return None
    key = text_of(child(response, "metadata").get(_KEY)) or (keys[place] if place < len(keys) else "")
    error, reply = child(response, "error"), child(response, "response")
    if error:
        code = count(error.get("code"))
        if code == _CANCELLED:
            return BatchLine(key, LineKind.GONE)
        status = 500 if code is None else _STATUS_BY_CODE.get(code, code if code >= 400 else 500)  # noqa: PLR2004  # HTTP's
        return BatchLine(key, LineKind.ERROR, json.dumps({"error": error}), status)
    return BatchLine(key, LineKind.REPLY, json.dumps(reply)) if key and reply else None

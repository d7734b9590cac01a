"""Anthropic's message batches: requests go up in one body, results come down as lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import httpx2
from pydantic import JsonValue

from audit.providers.anthropic import AnthropicWire
from audit.providers.batches.protocol import (
    BatchLimits,
    RemoteBatch,
    Results,
    Submission,
    check_id,
    objects_in,
    read_lines,
    refuse_page,
    text_of,
)
from audit.providers.batches.transport import MIN_TIMEOUT_S, BatchClient
from audit.providers.endpoint import NO_KEY, Endpoint
from audit.providers.transport import make_http_client, make_timeout
from audit.providers.wire import BodyError, Call, child, count, parse_body
from audit.records.batch import BatchLine, BatchState, LineKind

_PATH = "/v1/messages/batches"
_BEARER_ENV = "ANTHROPIC_AUTH_TOKEN"
_STATUS_BY_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches:
    """Speaks to one address through ``anthropic.AsyncAnthropic``, without its retries."""

    limits = BatchLimits(64_000_000, 10_000)

    def __init__(self, endpoint: Endpoint, wire: AnthropicWire, *, timeout_s: float) -> None:
        import anthropic  # noqa: PLC0415  # 2.3 s that only a run with this judge should pay

        self.errors: tuple[type[Exception], ...] = (anthropic.AnthropicError,)
        self._wire = wire
        is_bearer = endpoint.key_env == _BEARER_ENV
        patience_s = max(timeout_s, MIN_TIMEOUT_S)
        self._client = anthropic.AsyncAnthropic(
            api_key=None if is_bearer else endpoint.key or NO_KEY,
            auth_token=endpoint.key if is_bearer else None,
            base_url=endpoint.url,
            timeout=make_timeout(patience_s),
            max_retries=0,
            http_client=make_http_client(endpoint, timeout_s=patience_s, client=BatchClient),
        )

    def encode(self, key: str, call: Call) -> str:
        """Return a request of the batch."""
        return json.dumps({"custom_id": key, "params": self._wire.body(call)})

    async def submit(self, submission: Submission) -> RemoteBatch:
        """Hand the requests over; there is no place for a name."""
        body = {"requests": [json.loads(request) for request in submission.requests]}
        response = await self._client.post(_PATH, body=body, cast_to=httpx2.Response)
        return _read(parse_body(response.text))

    async def find(self) -> tuple[RemoteBatch, ...]:
        """Return the newest hundred batches of the account."""
        return tuple(_read(each) for each in objects_in(await self._get(f"{_PATH}?limit=100"), "data"))

    async def status(self, remote_id: str) -> RemoteBatch:
        """Ask how far a batch is."""
        return _read(await self._get(f"{_PATH}/{check_id(remote_id)}"))

    async def results(self, remote: RemoteBatch, *, keys: Sequence[str]) -> Results:  # noqa: ARG002  # lines name theirs
        """Fetch the results from this very address, whatever other one the batch names."""
        response = await self._client.get(f"{_PATH}/{check_id(remote.id)}/results", cast_to=httpx2.Response)
        refuse_page(response.content)
        return read_lines(response.content, _read_line)

    async def cancel(self, remote_id: str) -> None:
        """Ask for a batch to be stopped."""
        await self._client.post(f"{_PATH}/{check_id(remote_id)}/cancel", cast_to=httpx2.Response)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _get(self, path: str) -> dict[str, JsonValue]:
        response = await self._client.get(path, cast_to=httpx2.Response)
        return parse_body(response.text)


def _read(body: Mapping[str, JsonValue]) -> RemoteBatch:
    status = body.get("processing_status")
    if status not in ("in_progress", "canceling", "ended"):
        raise BodyError(f"the batch has an unknown state: {str(status)[:80]!r}")
    numbers = {name: count(value) or 0 for name, value in child(body, "request_counts").items()}
    return RemoteBatch(
        check_id(body.get("id")),
        _ended_as(numbers) if status == "ended" else BatchState.RUNNING,
        n_requests=sum(numbers.values()),
        created_at=_seconds(text_of(body.get("created_at"))),
    )


def _ended_as(numbers: Mapping[str, int]) -> BatchState:
    ends = (("expired", BatchState.EXPIRED), ("canceled", BatchState.CANCELLED))
    return next((state for name, state in ends if numbers.get(name)), BatchState.COMPLETED)


def _seconds(moment: str) -> float:
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _read_line(line: dict[str, JsonValue]) -> BatchLine | None:
    key, result = line.get("custom_id"), child(line, "result")
    if not isinstance(key, str):
        return None
    kind = result.get("type")
    if kind == "succeeded":
        return BatchLine(key, LineKind.REPLY, json.dumps(child(result, "message")))
    if kind == "errored":
        error = child(result, "error")
        name = text_of(child(error, "error").get("type"))
        return BatchLine(key, LineKind.ERROR, json.dumps(error), _STATUS_BY_TYPE.get(name, 500))
    return BatchLine(key, LineKind.GONE) if kind in ("canceled", "expired") else None

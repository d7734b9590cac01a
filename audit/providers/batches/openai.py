"""OpenAI's batches: a file goes up, one or two files come down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import httpx2
from pydantic import JsonValue

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
from audit.providers.openai import OpenAIWire
from audit.providers.transport import make_http_client, make_timeout
from audit.providers.wire import BodyError, Call, child, count, parse_body
from audit.records.batch import BatchLine, BatchState, LineKind

_PATH = "/v1/chat/completions"
_NAME = "bench_audit"
_STATES = {
    "validating": BatchState.RUNNING,
    "in_progress": BatchState.RUNNING,
    "finalizing": BatchState.RUNNING,
    "cancelling": BatchState.RUNNING,
    "completed": BatchState.COMPLETED,
    "failed": BatchState.FAILED,
    "expired": BatchState.EXPIRED,
    "cancelled": BatchState.CANCELLED,
}
_GONE = frozenset({"batch_expired", "batch_cancelled"})


class OpenAIBatches:
    """Speaks to one address through ``openai.AsyncOpenAI``, without its retries."""

    limits = BatchLimits(64_000_000, 10_000)

    def __init__(self, endpoint: Endpoint, wire: OpenAIWire, *, timeout_s: float) -> None:
        import openai  # noqa: PLC0415  # 0.9 s that only a run with this judge should pay

        self.errors: tuple[type[Exception], ...] = (openai.OpenAIError,)
        self._wire = wire
        patience_s = max(timeout_s, MIN_TIMEOUT_S)
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or NO_KEY,
            base_url=endpoint.url,
            timeout=make_timeout(patience_s),
            max_retries=0,
            http_client=make_http_client(endpoint, timeout_s=patience_s, client=BatchClient),
        )

    def encode(self, key: str, call: Call) -> str:
        """Return a request as a line of the file."""
        return json.dumps({"custom_id": key, "method": "POST", "url": _PATH, "body": self._wire.body(call)})

    async def submit(self, submission: Submission) -> RemoteBatch:
        """Send the file up, and order the batch."""
        content = "\n".join((*submission.requests, "")).encode()
        answer = await self._client.files.with_raw_response.create(
            file=(f"{submission.name}.jsonl", content, "application/jsonl"), purpose="batch"
        )
        order = {
            "input_file_id": check_id(parse_body(answer.text).get("id")),
            "endpoint": _PATH,
            "completion_window": "24h",
            "metadata": {_NAME: submission.name},
        }
        response = await self._client.post("/batches", body=order, cast_to=httpx2.Response)
        return _read(parse_body(response.text))

    async def find(self) -> tuple[RemoteBatch, ...]:
        """Return the newest hundred batches of the account."""
        body = await self._get("/batches?limit=100")
        return tuple(_read(each) for each in objects_in(body, "data"))

    async def status(self, remote_id: str) -> RemoteBatch:
        """Ask how far a batch is."""
        return _read(await self._get(f"/batches/{check_id(remote_id)}"))

    async def results(self, remote: RemoteBatch, *, keys: Sequence[str]) -> Results:  # noqa: ARG002  # lines name theirs
        """Fetch the file of replies and the file of errors, whichever there are."""
        lines: list[BatchLine] = []
        n_unreadable = 0
        for name in remote.files:
            response = await self._client.get(f"/files/{check_id(name)}/content", cast_to=httpx2.Response)
            refuse_page(response.content)
            found = read_lines(response.content, _read_line)
            lines += found.lines
            n_unreadable += found.n_unreadable
        return Results(tuple(lines), n_unreadable)

    async def cancel(self, remote_id: str) -> None:
        """Ask for a batch to be stopped."""
        await self._client.post(f"/batches/{check_id(remote_id)}/cancel", cast_to=httpx2.Response)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _get(self, path: str) -> dict[str, JsonValue]:
        response = await self._client.get(path, cast_to=httpx2.Response)
        return parse_body(response.text)


def _read(body: Mapping[str, JsonValue]) -> RemoteBatch:
    state = _STATES.get(text_of(body.get("status")))
    if state is None:
        raise BodyError(f"the batch has an unknown state: {str(body.get('status'))[:80]!r}")
    files = (body.get("output_file_id"), body.get("error_file_id"))
    errors = child(body, "errors").get("data")
    told = errors[0] if isinstance(errors, list) and errors else None
    return RemoteBatch(
        check_id(body.get("id")),
        state,
        name=text_of(child(body, "metadata").get(_NAME)),
        note=text_of(told.get("message")) if isinstance(told, dict) else "",
        n_requests=count(child(body, "request_counts").get("total")) or 0,
        created_at=float(count(body.get("created_at")) or 0) if isinstance(body.get("created_at"), int) else 0.0,
        files=tuple(check_id(name) for name in files if name),
    )


def _read_line(line: dict[str, JsonValue]) -> BatchLine | None:
    key = line.get("custom_id")
    if not isinstance(key, str):
        return None
    error, response = child(line, "error"), child(line, "response")
    if error:
        kind = LineKind.GONE if error.get("code") in _GONE else LineKind.ERROR
        return BatchLine(key, kind, json.dumps({"error": error}), 500 if kind is LineKind.ERROR else 0)
    status, body = count(response.get("status_code")), child(response, "body")
    if status is None or not body:
        return None
    is_reply = status == 200  # noqa: PLR2004  # HTTP's
    return BatchLine(key, LineKind.REPLY if is_reply else LineKind.ERROR, json.dumps(body), 0 if is_reply else status)

"""The three batch APIs, beside the live ones of a :class:`VendorServer`: batches end when the test says so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.servers.http import Request, Response
from tests.servers.outcomes import bad_request
from tests.servers.vendors import VendorServer

Fate = Callable[[int], str]
"""From a request's place to what becomes of it: ``answered``, ``errored``, ``expired`` or ``cancelled``."""
_STATES = {
    "openai": {
        "running": "in_progress",
        "completed": "completed",
        "expired": "expired",
        "cancelled": "cancelled",
        "failed": "failed",
    },
    "anthropic": dict.fromkeys(("completed", "expired", "cancelled", "failed"), "ended") | {"running": "in_progress"},
    "google": {
        "running": "BATCH_STATE_RUNNING",
        "completed": "BATCH_STATE_SUCCEEDED",
        "expired": "BATCH_STATE_EXPIRED",
        "cancelled": "BATCH_STATE_CANCELLED",
        "failed": "BATCH_STATE_FAILED",
    },
}


def answered(place: int) -> str:
    return "answered"


@dataclass
class Batch:
    """A batch as the server holds it."""

    vendor: str
    id: str
    name: str
    requests: list[dict[str, Any]]
    model: str = ""
    state: str = "running"
    fate: Fate = answered

    @property
    def keys(self) -> list[str]:
        if self.vendor == "google":
            return [request["metadata"]["key"] for request in self.requests]
        return [request["custom_id"] for request in self.requests]


@dataclass
class BatchServer:
    """Gives a server the batch APIs."""

    server: VendorServer
    batches: list[Batch] = field(default_factory=list)
    files: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    refusals: list[Response] = field(default_factory=list)
    """What the next submissions are answered with."""
    is_deaf: bool = False
    """Takes batches and breaks the connection instead of saying so."""
    mangle: Callable[[bytes], bytes] = bytes
    """What is done to results on their way out."""

    def __post_init__(self) -> None:
        self.server.other = self.handle

    def end(self, state: str = "completed", fate: Fate = answered) -> None:
        """End every batch that is running."""
        for batch in self.batches:
            if batch.state == "running":
                batch.state, batch.fate = state, fate

    def handle(self, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        for pattern, act in self._routes():
            if (match := re.fullmatch(pattern, f"{request.method} {path}")) is not None:
                return act(request, *match.groups())
        return None

    def _routes(self) -> tuple[tuple[str, Callable[..., Response]], ...]:
        return (
            ("POST /v1/files", self._upload),
            ("POST /v1/batches", self._openai_create),
            ("POST /v1/messages/batches", self._anthropic_create),
            (r"POST /v1(?:beta)?/models/([^/:]+):batchGenerateContent", self._google_create),
            ("GET /v1/messages/batches", lambda request: self._list("anthropic")),
            ("GET /v1(?:beta)?/batches", lambda request: self._list(_vendor_of(request))),
            ("GET /v1/messages/batches/([^/]+)/results", self._anthropic_results),
            ("GET /v1/messages/batches/([^/]+)", self._get),
            ("GET /v1/files/([^/]+)/content", self._openai_results),
            ("GET /v1(?:beta)?/batches/([^/:]+)", self._get),
            ("POST /v1(?:beta)?/(?:messages/)?batches/([^/:]+)[/:]cancel", self._cancel),
        )

    def _upload(self, request: Request) -> Response:
        boundary = request.headers["content-type"].partition("boundary=")[2].strip('"').encode()
        parts = [part.partition(b"\r\n\r\n")[2].rstrip(b"\r\n-") for part in request.raw.split(b"--" + boundary)]
        (content,) = [part for part in parts if part.startswith(b"{")]
        name = f"file-{len(self.files)}"
        self.files[name] = [json.loads(line) for line in content.splitlines()]
        return Response({"id": name, "object": "file", "purpose": "batch", "bytes": len(content)})

    def _openai_create(self, request: Request) -> Response:
        requests = self.files[request.body["input_file_id"]]
        return self._create(
            Batch("openai", f"batch_{len(self.batches)}", request.body["metadata"]["bench_audit"], requests)
        )

    def _anthropic_create(self, request: Request) -> Response:
        return self._create(Batch("anthropic", f"msgbatch_{len(self.batches)}", "", request.body["requests"]))

    def _google_create(self, request: Request, model: str) -> Response:
        about = request.body["batch"]
        requests = about["inputConfig"]["requests"]["requests"]
        return self._create(Batch("google", f"batches/b{len(self.batches)}", about["displayName"], requests, model))

    def _create(self, batch: Batch) -> Response:
        if self.refusals:
            return self.refusals.pop(0)
        self.batches.append(batch)
        if self.is_deaf:
            return Response(cut_after=0)
        return Response(self._show(batch))

    def _find(self, name: str) -> Batch | None:
        return next((batch for batch in self.batches if batch.id.rpartition("/")[2] == name), None)

    def _get(self, request: Request, name: str) -> Response:
        batch = self._find(name)
        return _missing() if batch is None else Response(self.mangle_google(batch))

    def mangle_google(self, batch: Batch) -> Any:  # noqa: ANN401  # any JSON
        shown = self._show(batch)
        return self.mangle(json.dumps(shown).encode()) if batch.vendor == "google" else shown

    def _list(self, vendor: str) -> Response:
        shown = [self._show(batch) for batch in self.batches if batch.vendor == vendor]
        return Response({"operations" if vendor == "google" else "data": shown, "has_more": False})

    def _cancel(self, request: Request, name: str) -> Response:
        batch = self._find(name)
        if batch is None:
            return _missing()
        batch.state, batch.fate = "cancelled", lambda place: "answered" if place == 0 else "cancelled"
        return Response(self._show(batch))

    def _show(self, batch: Batch) -> dict[str, Any]:
        state = _STATES[batch.vendor][batch.state]
        has_ended = batch.state != "running"
        if batch.vendor == "openai":
            ends: dict[str, Any] = {}
            if has_ended:
                ends = {"output_file_id": f"{batch.id}-out", "error_file_id": f"{batch.id}-err"}
            if batch.state == "failed":
                ends = {"errors": {"data": [{"code": "token_limit_exceeded", "message": "Too many enqueued tokens."}]}}
            counts = {"total": len(batch.requests), "completed": 0, "failed": 0}
            about = {"id": batch.id, "object": "batch", "status": state, "metadata": {"bench_audit": batch.name}}
            return about | ends | {"request_counts": counts, "created_at": 1}
        if batch.vendor == "anthropic":
            counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
            names = {"answered": "succeeded", "errored": "errored", "expired": "expired", "cancelled": "canceled"}
            for place in range(len(batch.requests)):
                counts[names[batch.fate(place)] if has_ended else "processing"] += 1
            return {
                "id": batch.id,
                "type": "message_batch",
                "processing_status": state,
                "request_counts": counts,
                "created_at": _just_now(),
                "results_url": "http://192.0.2.1/elsewhere" if has_ended else None,
            }
        about = {"state": state, "displayName": batch.name, "model": f"models/{batch.model}"}
        if has_ended and batch.state != "failed":
            about["output"] = {"inlinedResponses": {"inlinedResponses": list(self._google_lines(batch))}}
        return {"name": batch.id, "metadata": about, "done": has_ended}

    def _openai_results(self, request: Request, name: str) -> Response:
        found, _, part = name.rpartition("-")
        batch = self._find(found)
        if batch is None:
            return _missing()
        lines = []
        for place, each in enumerate(batch.requests):
            fate = batch.fate(place)
            line: dict[str, Any] = {"id": f"r{place}", "custom_id": each["custom_id"], "response": None, "error": None}
            if fate in ("expired", "cancelled"):
                line["error"] = {"code": f"batch_{fate}", "message": "It came too late."}
            else:
                answer = self._answer("/v1/chat/completions", each["body"], fate)
                line["response"] = {"status_code": answer.status, "request_id": "x", "body": answer.body}
            if (part == "out") == (fate == "answered"):
                lines.append(line)
        return self._file(lines)

    def _anthropic_results(self, request: Request, name: str) -> Response:
        batch = self._find(name)
        if batch is None:
            return _missing()
        lines = []
        for place, each in enumerate(batch.requests):
            fate = batch.fate(place)
            answer = self._answer("/v1/messages", each["params"], fate)
            result: dict[str, Any] = {"type": {"cancelled": "canceled"}.get(fate, fate)}
            if fate == "answered":
                result = {"type": "succeeded", "message": answer.body}
            elif fate == "errored":
                result["error"] = answer.body
            lines.append({"custom_id": each["custom_id"], "result": result})
        return self._file(lines)

    def _google_lines(self, batch: Batch) -> Iterator[dict[str, Any]]:
        for place, each in enumerate(batch.requests):
            fate = batch.fate(place)
            line: dict[str, Any] = {"metadata": each["metadata"]}
            if fate == "answered":
                path = f"/v1/models/{batch.model}:generateContent"
                line["response"] = self._answer(path, each["request"], fate).body
            else:
                codes = {"errored": 3, "expired": 1, "cancelled": 1}
                line["error"] = {"code": codes[fate], "message": f"It was {fate}."}
            yield line

    def _file(self, lines: list[dict[str, Any]]) -> Response:
        content = "".join(json.dumps(line) + "\n" for line in reversed(lines)).encode()
        return Response(self.mangle(content))

    def _answer(self, path: str, body: dict[str, Any], fate: str) -> Response:
        request = Request("POST", path, {}, json.dumps(body).encode())
        if fate == "errored":
            return bad_request()(request)
        return self.server.answer(request)


def _vendor_of(request: Request) -> str:
    return "google" if "x-goog-api-key" in request.headers else "openai"


def _missing() -> Response:
    return Response({"error": {"message": "no such batch", "type": "not_found_error"}}, status=404)


def _just_now() -> str:
    return datetime.now(UTC).isoformat()

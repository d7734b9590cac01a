"""What a vendor's server may answer, in each vendor's own form."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from tests.servers.decisions import decision_body, plainly
from tests.servers.http import Request, Response

Outcome = Callable[[Request], Response]
"""From a request to the answer in the protocol that the request speaks."""

GOOD = {"reasons": ["It fits."], "score": 7}


def say(text: str, *, finish: str = "complete", model: str | None = None, usage: bool = True) -> Outcome:
    """A reply with that text; ``finish`` is ``complete``, ``truncated`` or ``filtered``."""

    def answer(request: Request) -> Response:
        if request.is_decisions:
            return Response(decision_body(request, plainly()))
        body = _BODIES[request.vendor](text, finish, model or f"{request.model}-2026-01-01")
        if not usage:
            body.pop("usage" if request.vendor != "google" else "usageMetadata")
        return Response(body)

    return answer


def say_json(value: Any) -> Outcome:  # noqa: ANN401  # any JSON
    return say(json.dumps(value))


def say_fenced(value: Any = GOOD) -> Outcome:  # noqa: ANN401  # any JSON
    return say(f"```json\n{json.dumps(value, indent=2)}\n```")


def say_in_prose(value: Any = GOOD) -> Outcome:  # noqa: ANN401  # any JSON
    return say(f"Here is my verdict:\n\n{json.dumps(value)}\n\nTell me if you need more.")


def refuse(words: str = "I can't help with that.") -> Outcome:
    def answer(request: Request) -> Response:
        body = _BODIES[request.vendor]("", "complete", request.model)
        if request.is_decisions:
            return _refuse_decisions(request, words)
        if request.vendor == "openai":
            body["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": words}
        elif request.vendor == "anthropic":
            body |= {"content": [], "stop_reason": "refusal", "stop_details": {"category": "x", "explanation": words}}
        else:
            body.pop("candidates")
            body["promptFeedback"] = {"blockReason": "OTHER", "blockReasonMessage": words}
        return Response(body)

    return answer


def _refuse_decisions(request: Request, words: str) -> Response:
    """Google blocks the whole input, OpenAI refuses every question."""
    if request.vendor == "google":
        return Response({"prompt_feedback": {"block_reason": "other", "block_reason_message": words}})
    return Response(decision_body(request, lambda question: "refusal"))


def filtered() -> Outcome:
    """Stopped by a content filter; Anthropic has no such thing and refuses."""
    return lambda request: (refuse() if request.vendor == "anthropic" else say("", finish="filtered"))(request)


def truncated(text: str = '{"reasons": ["It fi') -> Outcome:
    return say(text, finish="truncated")


def empty() -> Outcome:
    return say("")


def wrong_types() -> Outcome:
    """Status 200 and JSON, but texts are numbers and lists are texts."""
    bodies: dict[str, Any] = {
        "openai": {"choices": [{"message": {"content": 7, "role": "assistant"}, "finish_reason": "stop"}]},
        "anthropic": {"content": "seven", "stop_reason": "end_turn"},
        "google": {"candidates": [{"content": {"parts": [{"text": 7}]}, "finishReason": "STOP"}]},
    }
    return lambda request: Response(bodies[request.vendor])


def fail(status: int, message: str = "It failed.", *, code: str = "", retry_after: str | None = None) -> Outcome:
    """An error in the vendor's own form."""

    def answer(request: Request) -> Response:
        headers = {} if retry_after is None else {"retry-after": retry_after}
        return Response(_error_body(request.vendor, status, message, code), status=status, headers=headers)

    return answer


def rate_limited(retry_after: str | None = None) -> Outcome:
    return fail(429, "Too many requests.", code="rate_limit_exceeded", retry_after=retry_after)


def quota() -> Outcome:
    def answer(request: Request) -> Response:
        if request.vendor == "openai":
            return fail(429, "You exceeded your current quota.", code="insufficient_quota")(request)
        if request.vendor == "anthropic":
            return fail(400, "Your credit balance is too low to access the API.")(request)
        body = _error_body("google", 429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED")
        violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
        body["error"]["details"] = [{"@type": "type/QuotaFailure", "violations": [violation]}]
        return Response(body, status=429)

    return answer


def bad_key() -> Outcome:
    """Google says 400 where the others say 401."""

    def answer(request: Request) -> Response:
        if request.vendor == "google":
            return fail(400, "API key not valid. Please pass a valid API key.", code="INVALID_ARGUMENT")(request)
        return fail(401, "The key is wrong.", code="invalid_api_key")(request)

    return answer


def no_model() -> Outcome:
    return fail(404, "The model does not exist.", code="model_not_found")


def bad_request(message: str = "The request is wrong.") -> Outcome:
    return fail(400, message, code="invalid_request_error")


def too_long() -> Outcome:
    return fail(400, "This model's maximum context length is 8192 tokens.", code="context_length_exceeded")


def server_error() -> Outcome:
    return fail(500, "Something broke.")


def overloaded() -> Outcome:
    return lambda request: fail(529 if request.vendor == "anthropic" else 503, "Overloaded.")(request)


def hang(seconds: float = 60.0) -> Outcome:
    return lambda request: Response(delay_s=seconds)


def drip(seconds: float = 0.05) -> Outcome:
    """A good reply, byte by byte: no pause is long, the whole is."""
    return lambda request: dataclasses.replace(say_json(GOOD)(request), drip_s=seconds)


def cut_connection(after: int = 0) -> Outcome:
    return lambda request: dataclasses.replace(say_json(GOOD)(request), cut_after=after)


def raw(answer: bytes) -> Outcome:
    """Bytes that are no HTTP."""
    return lambda request: Response(raw=answer)


def cut_json() -> Outcome:
    """A whole HTTP answer whose JSON stops in the middle."""
    return lambda request: Response(json.dumps(say_json(GOOD)(request).body)[:40])


def html() -> Outcome:
    page = "<!DOCTYPE html>\n<html><body>Welcome to the hotel's network</body></html>"
    return lambda request: Response(page, headers={"content-type": "text/html"})


def delayed(seconds: float, outcome: Outcome) -> Outcome:
    return lambda request: dataclasses.replace(outcome(request), delay_s=seconds)


def _openai_body(text: str, finish: str, model: str) -> dict[str, Any]:
    reason = {"complete": "stop", "truncated": "length", "filtered": "content_filter"}[finish]
    message = {"role": "assistant", "content": text, "refusal": None}
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 50,
        "total_tokens": 1050,
        "prompt_tokens_details": {"cached_tokens": 600},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": usage,
    }


def _anthropic_body(text: str, finish: str, model: str) -> dict[str, Any]:
    reason = {"complete": "end_turn", "truncated": "max_tokens", "filtered": "refusal"}[finish]
    usage = {
        "input_tokens": 300,
        "cache_read_input_tokens": 600,
        "cache_creation_input_tokens": 100,
        "output_tokens": 50,
    }
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }


def _google_body(text: str, finish: str, model: str) -> dict[str, Any]:
    reason = {"complete": "STOP", "truncated": "MAX_TOKENS", "filtered": "SAFETY"}[finish]
    usage = {
        "promptTokenCount": 1000,
        "candidatesTokenCount": 30,
        "thoughtsTokenCount": 20,
        "cachedContentTokenCount": 600,
        "totalTokenCount": 1050,
    }
    candidate = {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": reason}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model}


_BODIES: dict[str, Callable[[str, str, str], dict[str, Any]]] = {
    "openai": _openai_body,
    "anthropic": _anthropic_body,
    "google": _google_body,
}


def _error_body(vendor: str, status: int, message: str, code: str) -> dict[str, Any]:
    if vendor == "google":
        return {"error": {"code": status, "message": message, "status": code or "UNKNOWN"}}
    if vendor == "anthropic":
        kinds = {429: "rate_limit_error", 401: "authentication_error", 404: "not_found_error", 529: "overloaded_error"}
        error = {"type": kinds.get(status, "invalid_request_error" if status < 500 else "api_error")}
        return {"type": "error", "error": error | {"message": message}, "request_id": "r1"}
    return {"error": {"message": message, "type": "error", "param": None, "code": code or None}}

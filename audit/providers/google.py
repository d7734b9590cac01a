"""Google's generateContent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from audit.errors import UsageError
from audit.providers.capabilities import Feature
from audit.providers.endpoint import NO_KEY, Endpoint
from audit.providers.transport import make_http_client
from audit.providers.wire import Answer, Body, BodyError, Call, child, count, finish_of, total
from audit.records.prompt import Finish, Usage

if TYPE_CHECKING:
    from google.genai import types

_FILTERED = (
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "LANGUAGE",
    "IMAGE_SAFETY",
    "OTHER",
)
_FINISHES = {"MAX_TOKENS": Finish.TRUNCATED, **dict.fromkeys(_FILTERED, Finish.FILTERED)}


def check_key(endpoint: Endpoint, *, vendor: str) -> None:
    """Raise ``UsageError`` for a key of Google's that answers no such calls."""
    if vendor == "google" and endpoint.key.startswith("auth_tokens/"):
        what = f"what the variable {endpoint.key_env} holds is a short-lived token, good for live sessions alone"
        raise UsageError(what, mend="Set it to an API key")


class GoogleWire:
    """Speaks to one address through ``google.genai.Client``, which is told to retry nothing."""

    def __init__(self, endpoint: Endpoint, *, timeout_s: float) -> None:
        from google import genai  # noqa: PLC0415  # 0.9 s that only a run with this judge should pay
        from google.genai import errors, types  # noqa: PLC0415

        self.errors: tuple[type[Exception], ...] = (errors.APIError, errors.UnknownApiResponseError)
        self._types = types
        self._http_client = make_http_client(endpoint, timeout_s=timeout_s)
        options = types.HttpOptions(
            base_url=endpoint.url,
            timeout=max(1, round(timeout_s * 1000)),
            httpx_async_client=self._http_client,
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        self._client = genai.Client(vertexai=False, api_key=endpoint.key or NO_KEY, http_options=options)

    def sent(self, call: Call) -> frozenset[Feature]:
        """Return which features the request of ``call`` holds."""
        wanted = {Feature.TEMPERATURE, Feature.SEED, call.format}
        return frozenset(feature for feature in wanted if feature and call.capabilities.takes(feature))

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text."""
        response = await self._client.aio.models.generate_content(
            model=call.model, contents=self.contents(call), config=self.config(call)
        )
        answer = response.sdk_http_response
        return "" if answer is None else answer.body or ""

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a generated content, or why there is none."""
        response = _Response.model_validate(body)
        model, usage = response.model or "", _usage(body)
        if not response.candidates:
            reason = child(body, "promptFeedback").get("blockReason")
            if not isinstance(reason, str):
                raise BodyError("the reply has no candidates")
            message = child(body, "promptFeedback").get("blockReasonMessage")
            return Answer(message if isinstance(message, str) else reason, Finish.REFUSED, model, usage)
        candidate = response.candidates[0]
        text = "".join(part.text for part in candidate.content.parts if not part.thought)
        return Answer(text, finish_of(candidate.finish_reason, _FINISHES, has_text=bool(text)), model, usage)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aio.aclose()
        self._client.close()
        await self._http_client.aclose()

    def contents(self, call: Call) -> list[types.ContentUnion]:
        """Return the request's turns."""
        types = self._types
        roles = {"user": "user", "assistant": "model"}
        return [types.Content(role=roles[role], parts=[types.Part(text=text)]) for role, text in call.turns]

    def config(self, call: Call) -> types.GenerateContentConfig:
        """Return the request's parameters."""
        is_schema = call.format is Feature.JSON_SCHEMA
        return self._types.GenerateContentConfig(
            system_instruction=call.prompt.prefix,
            temperature=call.temperature,
            seed=call.seed,
            max_output_tokens=call.facts.max_output_tokens,
            response_mime_type=None if call.format is None else "application/json",
            response_json_schema=call.prompt.schema if is_schema else None,
            should_return_http_response=True,
            automatic_continuation=False,
        )


class _Part(Body):
    text: str = ""
    thought: bool = False


class _Content(Body):
    parts: list[_Part] = Field(default_factory=list)


class _Candidate(Body):
    content: _Content = _Content()
    finish_reason: str | None = Field(default=None, alias="finishReason")


class _Response(Body):
    candidates: list[_Candidate] = Field(default_factory=list)
    model: str | None = Field(default=None, alias="modelVersion")


def _usage(body: Mapping[str, JsonValue]) -> Usage:
    """Counts as reported; Google counts thoughts beside the answer, we count them into it."""
    usage = child(body, "usageMetadata")
    thoughts = count(usage.get("thoughtsTokenCount"))
    return Usage(
        input_tokens=count(usage.get("promptTokenCount")),
        cached_tokens=count(usage.get("cachedContentTokenCount")),
        output_tokens=total(count(usage.get("candidatesTokenCount")), thoughts),
        reasoning_tokens=thoughts,
    )

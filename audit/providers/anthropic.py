"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Mapping

import httpx2
from pydantic import JsonValue

from audit.providers.capabilities import Feature
from audit.providers.endpoint import NO_KEY, Endpoint
from audit.providers.transport import make_http_client, make_timeout
from audit.providers.wire import Answer, Body, Call, child, count, finish_of, total
from audit.records.prompt import Finish, Usage

_FINISHES = {
    "max_tokens": Finish.TRUNCATED,
    "model_context_window_exceeded": Finish.TRUNCATED,
    "refusal": Finish.REFUSED,
}
_BEARER_ENV = "ANTHROPIC_AUTH_TOKEN"


class AnthropicWire:
    """Speaks to one address through ``anthropic.AsyncAnthropic``, without its retries."""

    def __init__(self, endpoint: Endpoint, *, timeout_s: float) -> None:
        import anthropic  # noqa: PLC0415  # 2.3 s that only a run with this judge should pay

        self.errors: tuple[type[Exception], ...] = (anthropic.AnthropicError,)
        self._transform = anthropic.transform_schema
        is_bearer = endpoint.key_env == _BEARER_ENV
        self._client = anthropic.AsyncAnthropic(
            api_key=None if is_bearer else endpoint.key or NO_KEY,
            auth_token=endpoint.key if is_bearer else None,
            base_url=endpoint.url,
            timeout=make_timeout(timeout_s),
            max_retries=0,
            http_client=make_http_client(endpoint, timeout_s=timeout_s),
        )

    def sent(self, call: Call) -> frozenset[Feature]:
        """Return which features the request of ``call`` holds."""
        wanted = {Feature.TEMPERATURE, Feature.JSON_SCHEMA, *([Feature.PROMPT_CACHE] if call.is_long else [])}
        return frozenset(feature for feature in wanted if call.capabilities.takes(feature))

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text.

        Through the SDK's general method: ``messages.create`` warns of models that are going to be retired, has
        no argument for the temperature that older models take, and is slow with a big schema.
        """
        response = await self._client.post("/v1/messages", body=self.body(call), cast_to=httpx2.Response)
        return response.text

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a message."""
        message = _Message.model_validate(body)
        text = "".join(block.text for block in message.content if block.type == "text")
        finish = finish_of(message.stop_reason, _FINISHES, has_text=bool(text))
        if finish is Finish.REFUSED and not text:
            text = _refusal_words(child(body, "stop_details"))
        return Answer(text, finish, message.model or "", _usage(body))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    def body(self, call: Call) -> dict[str, object]:
        """Return the request's body."""
        sent = self.sent(call)
        prefix: dict[str, object] = {"type": "text", "text": call.prompt.prefix}
        if Feature.PROMPT_CACHE in sent:
            prefix["cache_control"] = {"type": "ephemeral"}
        body: dict[str, object] = {
            "model": call.model,
            "max_tokens": call.facts.max_output_tokens,
            "system": [prefix],
            "messages": [{"role": role, "content": text} for role, text in call.turns],
        }
        if Feature.TEMPERATURE in sent:
            body["temperature"] = call.temperature
        if Feature.JSON_SCHEMA in sent:
            schema = self._transform(dict(call.prompt.schema))
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return body


class _Block(Body):
    type: str
    text: str = ""


class _Message(Body):
    content: list[_Block]
    model: str | None = None
    stop_reason: str | None = None


def _refusal_words(details: Mapping[str, JsonValue]) -> str:
    words = (details.get(name) for name in ("explanation", "category"))
    return next((word for word in words if isinstance(word, str) and word), "")


def _usage(body: Mapping[str, JsonValue]) -> Usage:
    """Counts as reported; Anthropic leaves cached tokens out of its input, we do not."""
    usage = child(body, "usage")
    fresh, cached, written = (
        count(usage.get(name)) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    return Usage(
        input_tokens=None if fresh is None else total(fresh, cached, written),
        cached_tokens=cached,
        cache_write_tokens=written,
        output_tokens=count(usage.get("output_tokens")),
    )

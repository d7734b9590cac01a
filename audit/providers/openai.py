"""OpenAI's chat completions, and the many servers that speak the same protocol."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import httpx2
from pydantic import JsonValue

from audit.providers.capabilities import Feature
from audit.providers.endpoint import NO_KEY, Endpoint
from audit.providers.transport import make_http_client, make_timeout
from audit.providers.wire import Answer, Body, BodyError, Call, child, count, finish_of
from audit.records.prompt import Finish, Usage

_FINISHES = {"length": Finish.TRUNCATED, "content_filter": Finish.FILTERED, "refusal": Finish.REFUSED}


class OpenAIWire:
    """Speaks to one address through ``openai.AsyncOpenAI``, without its retries."""

    def __init__(self, endpoint: Endpoint, *, timeout_s: float) -> None:
        import openai  # noqa: PLC0415  # 0.9 s that only a run with this judge should pay

        self.errors: tuple[type[Exception], ...] = (openai.OpenAIError,)
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or NO_KEY,
            base_url=endpoint.url,
            timeout=make_timeout(timeout_s),
            max_retries=0,
            http_client=make_http_client(endpoint, timeout_s=timeout_s),
        )

    def sent(self, call: Call) -> frozenset[Feature]:
        """Return which features the request of ``call`` holds."""
        wanted = {call.format, _allowance(call)}
        wanted |= {Feature.TEMPERATURE, Feature.SEED, *([Feature.PROMPT_CACHE] if call.is_own else [])}
        return frozenset(feature for feature in wanted if feature and call.capabilities.takes(feature))

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text.

        Through the SDK's general method: ``chat.completions.create`` looks into every part of a big request, which
        takes as long as all the rest.
        """
        response = await self._client.post("/chat/completions", body=self.body(call), cast_to=httpx2.Response)
        return response.text

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a chat completion."""
        completion = _Completion.model_validate(body)
        if not completion.choices:
            raise BodyError("the reply has no choices")
        choice = completion.choices[0]
        text, refusal = choice.message.text, choice.message.refusal
        if refusal:
            return Answer(text or refusal, Finish.REFUSED, completion.model or "", _usage(body))
        finish = finish_of(choice.finish_reason, _FINISHES, has_text=bool(text))
        return Answer(text, finish, completion.model or "", _usage(body))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    def body(self, call: Call) -> dict[str, object]:
        """Return the request's body."""
        return {"model": call.model, "messages": _messages(call), **self.parameters(call)}

    def parameters(self, call: Call) -> dict[str, object]:
        """Everything but the messages."""
        sent = self.sent(call)
        parameters: dict[str, object] = {}
        if Feature.TEMPERATURE in sent:
            parameters["temperature"] = call.temperature
        if Feature.SEED in sent:
            parameters["seed"] = call.seed
        if call.format is not None:
            parameters["response_format"] = _response_format(call)
        if (allowance := _allowance(call)) is not None:
            parameters[allowance] = call.facts.max_output_tokens
        if Feature.PROMPT_CACHE in sent:
            parameters["prompt_cache_key"] = prompt_cache_key(call)
        return parameters


def prompt_cache_key(call: Call) -> str:
    """Return the name of a prompt's prefix, so that calls with the same one meet the same cache."""
    return hashlib.sha256(call.prompt.prefix.encode()).hexdigest()[:32]


def _messages(call: Call) -> list[dict[str, str]]:
    turns = (("system", call.prompt.prefix), *call.turns)
    return [{"role": role, "content": text} for role, text in turns]


def _response_format(call: Call) -> dict[str, object]:
    schema = call.prompt.schema
    if call.format is Feature.JSON_SCHEMA:
        named = {"name": call.prompt.schema_name, "schema": schema, "strict": True}
        return {"type": "json_schema", "json_schema": named}
    return {"type": "json_object"} if call.is_own else {"type": "json_object", "schema": schema}


def _allowance(call: Call) -> Feature | None:
    """The name under which the server takes the limit on tokens."""
    names = (Feature.MAX_COMPLETION_TOKENS, Feature.MAX_TOKENS)
    ordered = names if call.is_own else names[::-1]
    return next((name for name in ordered if call.capabilities.takes(name)), None)


class _Part(Body):
    type: str = "text"
    text: str = ""


class _Message(Body):
    content: str | list[_Part] | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class _Choice(Body):
    message: _Message
    finish_reason: str | None = None


class _Completion(Body):
    choices: list[_Choice]
    model: str | None = None


def _usage(body: Mapping[str, JsonValue]) -> Usage:
    usage = child(body, "usage")
    prompt, completion = child(usage, "prompt_tokens_details"), child(usage, "completion_tokens_details")
    return Usage(
        input_tokens=count(usage.get("prompt_tokens")),
        cached_tokens=count(prompt.get("cached_tokens")),
        cache_write_tokens=count(prompt.get("cache_write_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
        reasoning_tokens=count(completion.get("reasoning_tokens")),
    )

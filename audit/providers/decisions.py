"""The decisions endpoints of OpenAI and Google: questions with levels or true and false, answered by probabilities.

Both answers are brought into one form, which :mod:`audit.judges.deciding` reads: ``{"answers": [{"name", "type", …}]}``
with ``type`` ``predicate`` (``probability``), ``score`` (``probabilities``, pairs of a level's label and its own) or
``refusal``. Values are handed on as they came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import httpx2
from pydantic import Field, JsonValue

from audit.providers.capabilities import Feature
from audit.providers.endpoint import Endpoint
from audit.providers.google import GoogleWire
from audit.providers.openai import OpenAIWire, prompt_cache_key
from audit.providers.wire import Answer, Body, BodyError, Call, child, count, total
from audit.records.prompt import Decision, Finish, Usage

MAX_DECISIONS = 400
"""Questions of one request, by OpenAI's documentation; Google's names no limit, and gets no more."""


class OpenAIDecisionsWire(OpenAIWire):
    """Speaks to OpenAI's ``/decisions``."""

    def sent(self, call: Call) -> frozenset[Feature]:
        """Return which features the request of ``call`` holds."""
        is_sent = call.is_own and call.capabilities.takes(Feature.PROMPT_CACHE)
        return frozenset({Feature.PROMPT_CACHE}) if is_sent else frozenset()

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text."""
        response = await self._client.post("/decisions", body=self.body(call), cast_to=httpx2.Response)
        return response.text

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a decision."""
        decision = _OpenAIDecision.model_validate(body)
        usage = child(body, "usage")
        told = Usage(
            input_tokens=count(usage.get("input_tokens")),
            cached_tokens=count(child(usage, "input_tokens_details").get("cached_tokens")),
            cache_write_tokens=count(child(usage, "input_tokens_details").get("cache_write_tokens")),
            output_tokens=count(usage.get("output_tokens")),
            reasoning_tokens=count(child(usage, "output_tokens_details").get("reasoning_tokens")),
        )
        answers = [_plain_openai(answer) for answer in decision.answers]
        return Answer(_pack(answers), Finish.COMPLETE, decision.model or "", told)

    def parameters(self, call: Call) -> dict[str, object]:
        """Everything but the task."""
        questions = [_openai_question(decision) for decision in call.prompt.decisions]
        cache = {"prompt_cache_key": prompt_cache_key(call)} if self.sent(call) else {}
        return {"questions": questions, **cache}

    def body(self, call: Call) -> dict[str, object]:
        """Return the request's body."""
        turns = (("system", call.prompt.prefix), ("user", call.prompt.suffix))
        return {
            "model": call.model,
            "input": [{"role": role, "content": text} for role, text in turns],
            **self.parameters(call),
        }


def _openai_question(decision: Decision) -> dict[str, object]:
    named = {"name": decision.name, "instructions": decision.text}
    if not decision.levels:
        return {"type": "predicate", **named}
    levels = [{"label": str(level), "description": text} for level, text in enumerate(decision.levels, 1)]
    return {"type": "score", **named, "levels": levels}


class _OpenAIDecision(Body):
    answers: list[dict[str, JsonValue]]
    model: str | None = None


def _plain_openai(answer: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    plain = {"name": answer.get("name"), "type": answer.get("type")}
    if plain["type"] == "predicate":
        return {**plain, "probability": answer.get("probability")}
    if plain["type"] != "score":
        return plain
    levels = answer.get("probabilities")
    found = [level if isinstance(level, dict) else {} for level in levels] if isinstance(levels, list) else []
    pairs: list[JsonValue] = [[level.get("label"), level.get("probability")] for level in found]
    return {**plain, "probabilities": pairs}


class GoogleDecisionsWire(GoogleWire):
    """Speaks to Google's ``/decisions``."""

    def __init__(self, endpoint: Endpoint, *, timeout_s: float) -> None:
        super().__init__(endpoint, timeout_s=timeout_s)
        from google.genai import _interactions_errors as errors  # noqa: PLC0415, PLC2701  # shown nowhere else

        self.errors = (*self.errors, errors.GeminiNextGenAPIClientError)

    def sent(self, call: Call) -> frozenset[Feature]:  # noqa: ARG002  # the seam's signature
        """Return no feature: there is none that could be left out."""
        return frozenset()

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text."""
        model = call.model if "/" in call.model else f"models/{call.model}"
        texts = (call.prompt.prefix, call.prompt.suffix)
        response = await self._client.aio.decisions.with_raw_response.create(
            model=model,
            input=[{"type": "text", "text": text} for text in texts],
            questions={decision.name: _google_question(decision) for decision in call.prompt.decisions},
        )
        answer: httpx2.Response = response.http_response
        return answer.raise_for_status().text  # the SDK takes a redirect for an answer

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a decision, or why there is none."""
        decision = _GoogleDecision.model_validate(body)
        usage = child(body, "usage")
        thoughts = count(usage.get("total_thought_tokens"))
        told = Usage(
            input_tokens=count(usage.get("total_input_tokens")),
            cached_tokens=count(usage.get("total_cached_tokens")),
            output_tokens=total(count(usage.get("total_output_tokens")), thoughts),
            reasoning_tokens=thoughts,
        )
        feedback = child(body, "prompt_feedback")
        if isinstance(reason := feedback.get("block_reason"), str):
            message = feedback.get("block_reason_message")
            return Answer(message if isinstance(message, str) else reason, Finish.REFUSED, "", told)
        if decision.answers is None:
            raise BodyError("the reply has no answers")
        answers = [_plain_google(name, answer) for name, answer in decision.answers.items()]
        return Answer(_pack(answers), Finish.COMPLETE, "", told)


def _google_question(decision: Decision) -> dict[str, object]:
    if not decision.levels:
        return {"type": "noul", "instructions": decision.text}
    return {"type": "score", "instructions": decision.text, "criteria": list(decision.levels)}


class _GoogleDecision(Body):
    answers: dict[str, dict[str, JsonValue]] | None = Field(default=None)


def _plain_google(name: str, answer: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    if answer.get("type") == "noul":
        return {"name": name, "type": "predicate", "probability": answer.get("noul")}
    if answer.get("type") != "score":
        return {"name": name, "type": answer.get("type")}
    levels = child(answer, "probabilities")
    pairs: list[JsonValue] = [[_level(index), probability] for index, probability in levels.items()]
    return {"name": name, "type": "score", "probabilities": pairs}


def _level(index: str) -> str:
    """Google counts levels from 0, we from 1."""
    return str(int(index) + 1) if index.isascii() and index.isdigit() else index


def _pack(answers: list[dict[str, JsonValue]]) -> str:
    return json.dumps({"answers": answers}, ensure_ascii=False, separators=(",", ":"))

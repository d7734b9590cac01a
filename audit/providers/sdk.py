"""What every provider with an SDK does: take its turn, ask, learn what is refused, keep keys out."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time
from dataclasses import dataclass, field, replace

from pydantic import JsonValue, ValidationError

from audit.errors import ProviderError
from audit.errors import ProviderErrorKind as Kind
from audit.providers.capabilities import Capabilities, Feature, ModelFacts, refused_features
from audit.providers.endpoint import Endpoint
from audit.providers.faults import Clean, Fault, fault_from_answer, fault_of
from audit.providers.gate import Gate
from audit.providers.rate_headers import pause_s
from audit.providers.redact import remove_keys, remove_secrets
from audit.providers.spec import JudgeSpec
from audit.providers.transport import LAST_HEADERS, RAW_ERRORS
from audit.providers.vendors import VENDORS
from audit.providers.wire import Answer, BodyError, Call, Wire, explain, parse_body
from audit.records.prompt import Finish, Prompt, Reply
from audit.records.verdict import Trust

logger = logging.getLogger(__name__)

_FILTER_CODES = frozenset({"content_filter", "content_policy_violation", "invalid_prompt"})
_MAX_MODEL_CHARACTERS = 200
_MAX_CAUSE_CHARACTERS = 2000
_FORMATS = frozenset({Feature.JSON_SCHEMA, Feature.JSON_OBJECT})


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a provider asks, and within which bounds."""

    spec: JudgeSpec
    endpoint: Endpoint
    facts: ModelFacts
    timeout_s: float
    secrets: tuple[str, ...] = field(repr=False)


class SdkProvider:
    """One model at one endpoint through its vendor's SDK.

    Parameters
    ----------
    target
        Whom to ask.
    wire
        The vendor's protocol.
    capabilities
        What is known of the model; grows with what the server refuses.
    """

    trust = Trust.MODEL

    def __init__(self, target: Target, wire: Wire, *, capabilities: Capabilities) -> None:
        self.endpoint = target.endpoint.name
        self.model = target.spec.model
        self.parameters = _describe_parameters(target.facts)
        self.capabilities = capabilities
        self._target = target
        self._wire = wire
        self._gate = Gate()

    async def complete(self, prompt: Prompt, *, trial: int) -> Reply:
        """Ask once; again only without what the server says that it does not take.

        Parameters
        ----------
        prompt
            The question.
        trial
            Sent as the seed where there is one.

        Raises
        ------
        ProviderError
            When no reply came; without keys in it.
        """
        if self.capabilities.is_settled:
            return await self._ask_until_settled(prompt, trial)
        async with self._gate.turn(self.model):
            return await self._ask_until_settled(prompt, trial)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def _ask_until_settled(self, prompt: Prompt, trial: int) -> Reply:
        started = time.monotonic()
        for n_attempts in itertools.count(1):  # each further round leaves out one feature more
            call = self._make_call(prompt, trial)
            outcome = await self._ask(call)
            if isinstance(outcome, Reply):
                self.capabilities = self.capabilities.settled()
                return replace(outcome, latency_s=time.monotonic() - started, n_attempts=n_attempts)
            fault, cause = outcome
            refused = _learn(fault, self._wire.sent(call))
            if not refused:
                raise self._error(fault, n_attempts) from cause
            logger.info("%s does not take %s", self._target.spec.name, ", ".join(sorted(refused)))
            self.capabilities = self.capabilities.without(refused)
        raise AssertionError  # pragma: no cover  # the loop has no end of its own

    def _make_call(self, prompt: Prompt, trial: int) -> Call:
        target = self._target
        return Call(prompt, self.model, trial, target.facts, self.capabilities, target.endpoint.is_own)

    async def _ask(self, call: Call) -> Reply | tuple[Fault, Exception | None]:
        try:
            async with asyncio.timeout(self._target.timeout_s):
                text = await self._wire.send(call)
        except (*self._wire.errors, *RAW_ERRORS) as error:
            return self._read_failure(error, call)
        return self._read_body(text)

    def _read_failure(self, error: Exception, call: Call) -> Reply | tuple[Fault, Exception | None]:
        fault = fault_of(error, clean=self._redact)
        if fault.kind is Kind.BAD_REQUEST and not _FILTER_CODES.isdisjoint(fault.code.split()):
            return Reply(text=fault.message, finish=Finish.FILTERED, model=call.model)
        words = str(error)
        is_clean = len(words) <= _MAX_CAUSE_CHARACTERS and self._redact(words) == words
        return fault, error if is_clean else None

    def _read_body(self, text: str) -> Reply | tuple[Fault, Exception | None]:
        try:
            body = parse_body(self._clean(text))
            if (fault := _fault_in_reply(body, self._redact)) is not None:
                return fault, None
            return self._make_reply(self._wire.read(body), body)
        except ValidationError as error:
            return Fault(Kind.BAD_RESPONSE, explain(error), status=200), None
        except BodyError as error:
            return Fault(Kind.BAD_RESPONSE, str(error), status=200), None

    def _make_reply(self, answer: Answer, body: dict[str, JsonValue]) -> Reply:
        raw = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return Reply(
            text=self._clean(answer.text),
            finish=answer.finish,
            model=self._clean(answer.model)[:_MAX_MODEL_CHARACTERS],
            usage=answer.usage,
            raw=self._clean(raw),
            pause_s=pause_s(LAST_HEADERS.get({}), n_tokens=answer.usage.input_tokens or 0),
        )

    def _redact(self, text: str) -> str:
        """Without keys, and without what looks like one: for the words of errors."""
        return remove_keys(text, self._target.secrets)

    def _clean(self, text: str) -> str:
        """Without keys, and without half characters that no file takes."""
        whole = text.encode("utf-8", "replace").decode("utf-8")
        return remove_secrets(whole, self._target.secrets)

    def _error(self, fault: Fault, n_attempts: int) -> ProviderError:
        target = self._target
        says = f"{fault.status}: {fault.message}" if fault.status else fault.message
        if fault.kind is Kind.TIMEOUT and not fault.status:
            says = f"{target.timeout_s:g} s"
        error = ProviderError(
            self._redact(f"{_SAYS[fault.kind]} ({says})"),
            kind=fault.kind,
            where=target.spec.name,
            mend=_advise(fault.kind, target),
            retry_after_s=fault.retry_after_s,
        )
        error.n_attempts = n_attempts
        return error


def _describe_parameters(facts: ModelFacts) -> str:
    """The same text whatever the server refuses, so that a run can be taken up again."""
    asked = {"format": "native", "max_output_tokens": facts.max_output_tokens, "seed": "trial", "temperature": 0}
    return json.dumps(asked, sort_keys=True, separators=(",", ":"))


def _learn(fault: Fault, sent: frozenset[Feature]) -> frozenset[Feature]:
    """Which features to leave out from now on; none when the fault is about something else."""
    refused = refused_features(f"{fault.code} {fault.message}", sent)
    if fault.kind is Kind.BAD_REQUEST:
        return refused
    return refused & _FORMATS if fault.kind is Kind.SERVER else frozenset()


def _fault_in_reply(body: dict[str, JsonValue], clean: Clean) -> Fault | None:
    """Some servers put an error into a body that comes with status 200."""
    error = body.get("error")
    if not error or "choices" in body:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 200
    return fault_from_answer(status, json.dumps(body), headers={}, clean=clean)


_SAYS = {
    Kind.RATE_LIMITED: "the rate limit is reached",
    Kind.QUOTA: "the quota is used up",
    Kind.AUTH: "the key is not accepted",
    Kind.NOT_FOUND: "there is no such model or path",
    Kind.BAD_REQUEST: "the request is refused",
    Kind.CONTEXT_TOO_LONG: "the prompt is too long for the model",
    Kind.OVERLOADED: "the server is overloaded",
    Kind.SERVER: "the server failed",
    Kind.TIMEOUT: "no answer came in time",
    Kind.CONNECTION: "the connection failed",
    Kind.BAD_RESPONSE: "the answer is not what the protocol promises",
}


def _advise(kind: Kind, target: Target) -> str:
    endpoint, vendor = target.endpoint, VENDORS[target.spec.vendor]
    place = "" if endpoint.is_own else f" and the URL: {vendor.url_advice}"
    advice = {
        Kind.QUOTA: "Raise the account's limit and run again: what was answered is kept",
        Kind.AUTH: f"Check the key in {endpoint.key_env}"
        if endpoint.key_env
        else "Name its key with --api-key-env NAME",
        Kind.NOT_FOUND: f"Check the model's name{place}",
        Kind.CONTEXT_TOO_LONG: "Choose a judge with a longer context",
        Kind.CONNECTION: "Check the network" if endpoint.is_own else f"Check that a server runs at {endpoint.url}",
    }
    return advice.get(kind, "")

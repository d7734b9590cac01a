"""What every provider with an SDK does: take its turn, ask, learn what is refused, keep keys out."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time
from collections.abc import Callable
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
from audit.records.mode import Mode
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
    make_wire
        Gives what speaks the vendor's protocol; called when the first question is asked, for a vendor's SDK takes up
        to two seconds to import, and a run whose verdicts are all stored needs none.
    capabilities
        What is known of the model; grows with what the server refuses.
    """

    trust = Trust.MODEL

    def __init__(self, target: Target, make_wire: Callable[[], Wire], *, capabilities: Capabilities) -> None:
        self.endpoint = target.endpoint.name
        self.model = target.spec.model
        self.mode = target.spec.mode
        self.parameters = _describe_parameters(target)
        self.capabilities = capabilities
        self._target = target
        self._make_wire = make_wire
        self._made_wire: Wire | None = None
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

    def prepare(self) -> None:
        """Import the vendor's SDK."""
        if self._made_wire is None:
            self._made_wire = self._make_wire()

    async def aclose(self) -> None:
        """Close the connections."""
        if self._made_wire is not None:
            await self._made_wire.aclose()

    @property
    def target(self) -> Target:
        """Whom it asks."""
        return self._target

    def read_reply(self, text: str) -> Reply:
        """Read a response's body that came by a batch; raise ``ProviderError`` for what is none."""
        outcome = self._read_body(text)
        if isinstance(outcome, Reply):
            return outcome
        raise self._error(outcome[0], 1)

    def read_refusal(self, status: int, text: str) -> Reply:
        """Read an error that came by a batch: a filter's is a reply, others are raised as ``ProviderError``."""
        outcome = self._read_fault(fault_from_answer(status, text, headers={}, clean=self.redact), self.model)
        if isinstance(outcome, Reply):
            return outcome
        raise self._error(outcome, 1)

    def explain(self, error: Exception) -> ProviderError:
        """Return what an SDK's exception, or a body of a wrong shape, means."""
        if isinstance(error, BodyError | ValidationError):
            says = explain(error) if isinstance(error, ValidationError) else str(error)
            return self._error(Fault(Kind.BAD_RESPONSE, self.redact(says), status=200), 1)
        return self._error(fault_of(error, clean=self.redact), 1)

    @property
    def wire(self) -> Wire:
        """What speaks the vendor's protocol; made when it is first needed."""
        self.prepare()
        assert self._made_wire is not None
        return self._made_wire

    async def _ask_until_settled(self, prompt: Prompt, trial: int) -> Reply:
        started = time.monotonic()
        for n_attempts in itertools.count(1):  # each further round leaves out one feature more
            call = self.make_call(prompt, trial)
            outcome = await self._ask(call)
            if isinstance(outcome, Reply):
                self.capabilities = self.capabilities.settled()
                return replace(outcome, latency_s=time.monotonic() - started, n_attempts=n_attempts)
            fault, cause = outcome
            refused = _learn(fault, self.wire.sent(call))
            if not refused:
                raise self._error(fault, n_attempts) from cause
            logger.info("%s does not take %s", self._target.spec.name, ", ".join(sorted(refused)))
            self.capabilities = self.capabilities.without(refused)
        raise AssertionError  # pragma: no cover  # the loop has no end of its own

    def make_call(self, prompt: Prompt, trial: int) -> Call:
        """Return a request with what the model is known to take."""
        target = self._target
        return Call(prompt, self.model, trial, target.facts, self.capabilities, target.endpoint.is_own)

    async def _ask(self, call: Call) -> Reply | tuple[Fault, Exception | None]:
        wire = self.wire  # made before the clock runs
        try:
            async with asyncio.timeout(self._target.timeout_s):
                text = await wire.send(call)
        except (*wire.errors, *RAW_ERRORS) as error:
            return self._read_failure(error, call)
        return self._read_body(text)

    def _read_failure(self, error: Exception, call: Call) -> Reply | tuple[Fault, Exception | None]:
        fault = self._read_fault(fault_of(error, clean=self.redact), call.model)
        if isinstance(fault, Reply):
            return fault
        words = str(error)
        is_clean = len(words) <= _MAX_CAUSE_CHARACTERS and self.redact(words) == words
        return fault, error if is_clean else None

    def _read_fault(self, fault: Fault, model: str) -> Reply | Fault:
        if fault.kind is Kind.BAD_REQUEST and not _FILTER_CODES.isdisjoint(fault.code.split()):
            return Reply(text=fault.message, finish=Finish.FILTERED, model=model)
        return fault

    def _read_body(self, text: str) -> Reply | tuple[Fault, Exception | None]:
        try:
            body = parse_body(self._clean(text))
            if (fault := _fault_in_reply(body, self.redact)) is not None:
                return fault, None
            return self._make_reply(self.wire.read(body), body)
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

    def redact(self, text: str) -> str:
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
        is_no_endpoint = fault.kind is Kind.NOT_FOUND and target.spec.mode is Mode.DECISIONS
        error = ProviderError(
            self.redact(f"{_NO_DECISIONS if is_no_endpoint else _SAYS[fault.kind]} ({says})"),
            kind=fault.kind,
            where=target.spec.name,
            mend=_advise(fault.kind, target),
            retry_after_s=fault.retry_after_s,
        )
        error.n_attempts = n_attempts
        return error


def _describe_parameters(target: Target) -> str:
    """The same text whatever the server refuses, so that a run can be taken up again."""
    most = target.facts.max_output_tokens
    asked: dict[str, object] = {"format": "native", "max_output_tokens": most, "seed": "trial", "temperature": 0}
    if target.spec.mode is Mode.DECISIONS:
        asked = {"mode": Mode.DECISIONS.value}
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


_NO_DECISIONS = "this server offers no decisions endpoint, or not for this model"


def _advise(kind: Kind, target: Target) -> str:
    endpoint, vendor = target.endpoint, VENDORS[target.spec.vendor]
    if kind is Kind.NOT_FOUND and target.spec.mode is Mode.DECISIONS:
        return "Leave out --mode decisions"
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

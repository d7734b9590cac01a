"""A judge's batches: what is handed over, how far it is, what came back; every failure is a ``ProviderError``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import ValidationError

from audit.errors import ProviderError, UsageError
from audit.errors import ProviderErrorKind as Kind
from audit.providers.anthropic import AnthropicWire
from audit.providers.batches.anthropic import AnthropicBatches
from audit.providers.batches.google import GoogleBatches
from audit.providers.batches.openai import OpenAIBatches
from audit.providers.batches.protocol import BatchLimits, BatchWire, RemoteBatch, Results, Submission
from audit.providers.google import GoogleWire
from audit.providers.openai import OpenAIWire
from audit.providers.protocol import Provider
from audit.providers.retry import RetryPolicy
from audit.providers.sdk import SdkProvider
from audit.providers.transport import RAW_ERRORS
from audit.providers.wire import BodyError
from audit.records.batch import BatchLine, LineKind
from audit.records.prompt import Prompt, Reply

Given = TypeVar("Given")
_NOT_TAKEN = frozenset({Kind.RATE_LIMITED, Kind.OVERLOADED})
"""The server says that it did nothing: it may be asked again without buying anything twice."""
UNCERTAIN = frozenset({Kind.TIMEOUT, Kind.CONNECTION, Kind.SERVER, Kind.BAD_RESPONSE})
"""After these nobody knows whether a batch was taken."""


class Batches:
    """The batch API of one judge.

    Parameters
    ----------
    provider
        The judge.
    policy
        How often and how long a request is tried again.
    sleep
        Tests put their own here.
    """

    def __init__(
        self,
        provider: SdkProvider,
        policy: RetryPolicy = RetryPolicy(),  # noqa: B008  # frozen
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = provider.target.spec.name
        self._provider = provider
        self._policy = policy
        self._sleep = sleep
        self._wire = _make_wire(provider)

    @property
    def limits(self) -> BatchLimits:
        """How much one batch may hold."""
        return self._wire.limits

    def encode(self, key: str, prompt: Prompt, *, trial: int) -> str:
        """Return a question as a request of a batch."""
        return self._wire.encode(key, self._provider.make_call(prompt, trial))

    async def submit(self, name: str, requests: Sequence[str]) -> RemoteBatch:
        """Hand a batch over; what may have been taken is not tried again.

        Raises
        ------
        ProviderError
            Of a kind in :data:`UNCERTAIN` where the batch may be under way all the same.
        UsageError
            If the server has no such API.
        """
        submission = Submission(name, self._provider.model, tuple(requests))
        try:
            return await self._ask(lambda: self._wire.submit(submission), again=_NOT_TAKEN)
        except ProviderError as error:
            if error.kind is Kind.NOT_FOUND and not self._provider.target.endpoint.is_own:
                what = "this server has no batch API"
                raise UsageError(what, where=f"judge {self.name}", mend="Leave out --batch") from error
            raise

    async def find(self) -> tuple[RemoteBatch, ...]:
        """Return the newest batches of the account."""
        return await self._ask(self._wire.find, again=_NOT_TAKEN | UNCERTAIN)

    async def status(self, remote_id: str) -> RemoteBatch:
        """Ask how far a batch is."""
        return await self._ask(lambda: self._wire.status(remote_id), again=_NOT_TAKEN | UNCERTAIN)

    async def results(self, remote: RemoteBatch, *, keys: Sequence[str]) -> Results:
        """Fetch the results of a batch that has ended."""
        return await self._ask(lambda: self._wire.results(remote, keys=keys), again=_NOT_TAKEN | UNCERTAIN)

    async def cancel(self, remote_id: str) -> None:
        """Ask for a batch to be stopped."""
        await self._ask(lambda: self._wire.cancel(remote_id), again=_NOT_TAKEN | UNCERTAIN)

    def clean(self, text: str) -> str:
        """Return a server's words without keys."""
        return self._provider.redact(text)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def _ask(self, action: Callable[[], Awaitable[Given]], *, again: frozenset[Kind]) -> Given:
        policy, waited = self._policy, 0.0
        for n_failed in range(1, policy.max_attempts + 1):
            try:
                return await self._try(action)
            except ProviderError as error:
                asked = error.retry_after_s or 0.0
                pause = max(asked, min(policy.max_wait_s, policy.first_wait_s * 2 ** (n_failed - 1)))
                waited += pause
                is_last = n_failed == policy.max_attempts or waited > policy.max_total_s
                if error.kind not in again or is_last or asked > policy.max_retry_after_s:
                    raise
                await self._sleep(pause)
        raise AssertionError  # pragma: no cover  # the last try returns or raises

    async def _try(self, action: Callable[[], Awaitable[Given]]) -> Given:
        expected: tuple[type[Exception], ...] = (*self._wire.errors, *RAW_ERRORS, BodyError, ValidationError)
        try:
            return await action()
        except expected as error:
            raise self._provider.explain(error) from None


def open_batches(provider: Provider, policy: RetryPolicy) -> Batches:
    """Return the batch API of a judge; nothing is sent yet.

    Raises
    ------
    UsageError
        If it has none.
    """
    if not isinstance(provider, SdkProvider):
        what = "this judge has no batch API"
        raise UsageError(what, where=f"judge {provider.endpoint}:{provider.model}", mend="Leave out --batch")
    return Batches(provider, policy)


def read_result(provider: Provider, line: BatchLine) -> Reply:
    """Return the reply that a line holds, as a live call would have.

    Raises
    ------
    ProviderError
        If it holds an error, or no reply of the protocol.
    """
    if not isinstance(provider, SdkProvider):
        raise UsageError("this judge has no batch API", where=provider.model, mend="Leave out --batch")
    if line.kind is LineKind.REPLY:
        return provider.read_reply(line.body)
    return provider.read_refusal(line.status, line.body)


def _make_wire(provider: SdkProvider) -> BatchWire:
    target, wire = provider.target, provider.wire
    if isinstance(wire, OpenAIWire):
        return OpenAIBatches(target.endpoint, wire, timeout_s=target.timeout_s)
    if isinstance(wire, AnthropicWire):
        return AnthropicBatches(target.endpoint, wire, timeout_s=target.timeout_s)
    if isinstance(wire, GoogleWire):
        return GoogleBatches(target.endpoint, wire, timeout_s=target.timeout_s)
    raise UsageError("this judge has no batch API", where=f"judge {target.spec.name}", mend="Leave out --batch")

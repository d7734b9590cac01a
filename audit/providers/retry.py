"""Asking again when that may help, and waiting as long as the server asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace

import tenacity

from audit.errors import ProviderError
from audit.providers.pace import Pace
from audit.providers.protocol import Provider
from audit.records.prompt import Prompt, Reply


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try.

    Parameters
    ----------
    max_attempts
        Tries in all, at least 1.
    first_wait_s, max_wait_s
        Bounds of our own waiting, which doubles with each try and is drawn at random below that.
    max_retry_after_s
        A server that asks for a longer wait is not waited for.
    max_total_s
        No further try begins later than this after the first.
    """

    max_attempts: int = 6
    first_wait_s: float = 1.0
    max_wait_s: float = 60.0
    max_retry_after_s: float = 120.0
    max_total_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause between two tries."""

    error: ProviderError
    seconds: float
    n_attempts: int


async def complete_with_retries(
    provider: Provider,
    prompt: Prompt,
    *,
    trial: int,
    policy: RetryPolicy = RetryPolicy(),  # noqa: B008  # frozen
    hooks: Hooks | None = None,
) -> Reply:
    """Ask until there is a reply or no sense in asking again.

    Parameters
    ----------
    provider, prompt, trial
        As for :meth:`audit.providers.protocol.Provider.complete`.
    policy
        How often and how long.
    hooks
        Who is told of a pause, and how to sleep.

    Returns
    -------
    Reply
        With the requests of failed tries counted in ``n_attempts``.

    Raises
    ------
    ProviderError
        The last one, with ``n_attempts``: not retryable, asked too often, or the wait is too long.
    """
    chosen = hooks or Hooks()
    n_failed = 0

    async def ask() -> Reply:
        nonlocal n_failed
        try:
            async with chosen.pace.turn(chosen.n_tokens) if chosen.pace else nullcontext():
                chosen.before_send()
                reply = await provider.complete(prompt, trial=trial)
            if chosen.pace:
                chosen.pace.rest(reply.pause_s)
            return reply
        except ProviderError as error:
            n_failed += error.n_attempts
            raise

    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(lambda error: isinstance(error, ProviderError) and error.is_retryable),
        stop=_stop(policy, chosen),
        wait=_wait(policy),
        sleep=chosen.sleep,
        before_sleep=lambda state: chosen.on_wait(Wait(_error_of(state), state.upcoming_sleep, n_failed)),
        reraise=True,
    )
    try:
        reply: Reply = await retrying(ask)
    except ProviderError as error:
        error.n_attempts = n_failed
        raise
    return replace(reply, n_attempts=reply.n_attempts + n_failed)


def _no_news(wait: Wait) -> None:
    """Tell no one."""


def _always() -> bool:
    return True


def _go_on() -> None:
    """Hinder nothing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a caller can listen to and replace.

    Parameters
    ----------
    on_wait
        Called before each pause.
    sleep
        Pauses; tests put their own here.
    may_try
        Asked before each try after the first; may count them.
    before_send
        Called when a request is about to be sent; what it raises is passed on, and nothing is sent.
    pace
        Of the model that is asked, for all its calls; ``None`` for a call that stands alone.
    n_tokens
        Of the prompt, about, for the pace.
    """

    on_wait: Callable[[Wait], None] = _no_news
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    may_try: Callable[[], bool] = _always
    before_send: Callable[[], None] = _go_on
    pace: Pace | None = None
    n_tokens: int = 0


def _error_of(state: tenacity.RetryCallState) -> ProviderError:
    error = None if state.outcome is None else state.outcome.exception()
    if not isinstance(error, ProviderError):
        raise TypeError(f"only a ProviderError is retried, not {error!r}")
    return error


def _wait(policy: RetryPolicy) -> Callable[[tenacity.RetryCallState], float]:
    own = tenacity.wait_random_exponential(multiplier=policy.first_wait_s, max=policy.max_wait_s)

    def wait(state: tenacity.RetryCallState) -> float:
        return max(own(state), _error_of(state).retry_after_s or 0.0)

    return wait


def _stop(policy: RetryPolicy, hooks: Hooks) -> Callable[[tenacity.RetryCallState], bool]:
    def stop(state: tenacity.RetryCallState) -> bool:
        if state.attempt_number >= policy.max_attempts:
            return True
        if (_error_of(state).retry_after_s or 0.0) > policy.max_retry_after_s:
            return True
        spent = max(state.seconds_since_start or 0.0, state.idle_for)
        return spent + state.upcoming_sleep > policy.max_total_s or not hooks.may_try()

    return stop

from __future__ import annotations

import asyncio

import pytest

from audit.errors import RETRYABLE_KINDS, ProviderError
from audit.errors import ProviderErrorKind as Kind
from audit.providers.protocol import Provider
from audit.providers.retry import Hooks, RetryPolicy, Wait, complete_with_retries
from audit.providers.scripted import ScriptedProvider
from audit.records.prompt import Finish, Prompt, Reply
from tests.providers.asking import make_prompt, provider_for
from tests.servers import outcomes
from tests.servers.vendors import VendorServer


class Clock:
    """Sleeps at once and remembers for how long."""

    def __init__(self) -> None:
        self.waits: list[Wait] = []
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def run(self, provider: Provider, policy: RetryPolicy | None = None) -> Reply:
        hooks = Hooks(on_wait=self.waits.append, sleep=self.sleep)

        async def ask() -> Reply:
            try:
                return await complete_with_retries(
                    provider, make_prompt(), trial=0, policy=policy or RetryPolicy(), hooks=hooks
                )
            finally:
                await provider.aclose()

        return asyncio.run(ask())


def failing(kind: Kind, *, times: int = 99, retry_after_s: float | None = None) -> ScriptedProvider:
    n_calls = 0

    def answer(prompt: Prompt, trial: int) -> str | Reply | ProviderError:
        nonlocal n_calls
        n_calls += 1
        if n_calls <= times:
            return ProviderError("no luck", kind=kind, retry_after_s=retry_after_s)
        return "Done."

    return ScriptedProvider(answer)


@pytest.mark.parametrize("kind", sorted(RETRYABLE_KINDS))
def test_what_may_pass_is_asked_again(kind: Kind) -> None:
    clock = Clock()
    reply = clock.run(failing(kind, times=2))
    assert (reply.text, reply.n_attempts, len(clock.slept)) == ("Done.", 3, 2)
    assert [(wait.error.kind, wait.seconds, wait.n_attempts) for wait in clock.waits] == [
        (kind, clock.slept[0], 1),
        (kind, clock.slept[1], 2),
    ]


@pytest.mark.parametrize("kind", sorted(set(Kind) - RETRYABLE_KINDS))
def test_what_will_not_pass_is_not_asked_again(kind: Kind) -> None:
    clock = Clock()
    with pytest.raises(ProviderError, match="no luck") as caught:
        clock.run(failing(kind))
    assert (caught.value.kind, caught.value.n_attempts, clock.slept) == (kind, 1, [])


def test_it_gives_up_after_the_last_attempt_with_the_last_error() -> None:
    clock = Clock()
    with pytest.raises(ProviderError) as caught:
        clock.run(failing(Kind.SERVER), RetryPolicy(max_attempts=4))
    assert (caught.value.n_attempts, len(clock.slept)) == (4, 3)


def test_the_server_s_wait_is_the_least_that_is_waited() -> None:
    clock = Clock()
    clock.run(failing(Kind.RATE_LIMITED, times=3, retry_after_s=90), RetryPolicy(first_wait_s=0.001))
    assert clock.slept == [90, 90, 90]


def test_our_own_wait_grows_at_random_below_its_bound() -> None:
    clock = Clock()
    policy = RetryPolicy(max_attempts=12, first_wait_s=1, max_wait_s=8, max_total_s=10_000)
    with pytest.raises(ProviderError):
        clock.run(failing(Kind.SERVER), policy)
    bounds = [min(8, 2**n) for n in range(len(clock.slept))]
    assert all(0 <= slept <= bound for slept, bound in zip(clock.slept, bounds, strict=True))
    assert len(set(clock.slept)) > 6


def test_a_wait_that_is_too_long_is_not_begun() -> None:
    clock = Clock()
    with pytest.raises(ProviderError) as caught:
        clock.run(failing(Kind.RATE_LIMITED, retry_after_s=121))
    assert (caught.value.retry_after_s, caught.value.n_attempts, clock.slept) == (121, 1, [])


def test_all_waits_together_have_a_bound() -> None:
    clock = Clock()
    with pytest.raises(ProviderError):
        clock.run(failing(Kind.RATE_LIMITED, retry_after_s=50), RetryPolicy(max_attempts=99, max_total_s=170))
    assert clock.slept == [50, 50, 50]


def test_a_bug_is_not_retried() -> None:
    def answer(prompt: Prompt, trial: int) -> str:
        raise KeyError("bug")

    clock = Clock()
    with pytest.raises(KeyError):
        clock.run(ScriptedProvider(answer))
    assert clock.slept == []


def test_a_first_reply_costs_one_attempt_without_hooks() -> None:
    provider = ScriptedProvider(lambda prompt, trial: Reply("At once.", Finish.COMPLETE, "m"))
    reply = asyncio.run(complete_with_retries(provider, make_prompt(), trial=0))
    assert (reply.text, reply.n_attempts) == ("At once.", 1)


def test_a_pause_is_told_to_no_one_by_default() -> None:
    provider, policy = failing(Kind.SERVER, times=1), RetryPolicy(first_wait_s=0.001)
    assert asyncio.run(complete_with_retries(provider, make_prompt(), trial=0, policy=policy)).n_attempts == 2


def test_through_an_sdk_a_bad_start_ends_well_and_every_request_is_counted(server: VendorServer) -> None:
    server.script(
        [
            outcomes.rate_limited("3"),
            outcomes.overloaded(),
            outcomes.cut_connection(),
            outcomes.html(),
            outcomes.bad_request("no temperature"),
        ]
    )
    clock = Clock()
    reply = clock.run(provider_for(server.judge("openai")))
    assert (reply.n_attempts, len(server.requests)) == (6, 6)
    assert [wait.error.kind for wait in clock.waits] == [
        Kind.RATE_LIMITED,
        Kind.OVERLOADED,
        Kind.CONNECTION,
        Kind.BAD_RESPONSE,
    ]
    assert clock.slept[0] >= 3

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from audit.errors import ProviderError, ProviderErrorKind
from audit.providers.pace import Pace, Rates
from audit.providers.rate_headers import pause_s

CALL_S = 1.0


class Clock:
    """Time that passes when somebody sleeps, for all sleepers in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        done = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, done))
        await done

    async def run(self, work: asyncio.Future[list[None]]) -> None:
        """Let time pass until the work is done."""
        while not work.done():
            for _ in range(50):
                await asyncio.sleep(0)
            if self._sleepers:
                self._sleepers.sort(key=lambda sleeper: sleeper[0])
                self.now, done = self._sleepers.pop(0)
                if not done.done():
                    done.set_result(None)


class Provider:
    """Takes so many calls at once, and turns the others away."""

    def __init__(self, clock: Clock, takes: Callable[[float], int], *, retry_after_s: float | None = None) -> None:
        self.clock = clock
        self.takes = takes
        self.retry_after_s = retry_after_s
        self.n_now = self.most = self.n_pushed_back = self.n_answered = 0
        self.starts: list[float] = []

    async def call(self, pace: Pace, n_tokens: int = 0) -> None:
        while True:
            try:
                async with pace.turn(n_tokens):
                    await self._serve()
            except ProviderError:
                continue
            return

    async def _serve(self) -> None:
        self.starts.append(self.clock.now)
        if self.n_now >= self.takes(self.clock.now):
            self.n_pushed_back += 1
            await self.clock.sleep(0.1)
            raise ProviderError("too many", kind=ProviderErrorKind.RATE_LIMITED, retry_after_s=self.retry_after_s)
        self.n_now += 1
        self.most = max(self.most, self.n_now)
        await self.clock.sleep(CALL_S)
        self.n_now -= 1
        self.n_answered += 1


def ask(
    n: int,
    most: int,
    rates: Rates = Rates(),  # noqa: B008  # frozen
    takes: Callable[[float], int] = lambda now: 10**6,
    **facts: float,
) -> Provider:
    clock = Clock()
    provider = Provider(clock, takes, retry_after_s=facts.get("retry_after_s"))

    async def run() -> None:
        pace = Pace(most, rates, clock=clock, sleep=clock.sleep)
        calls = asyncio.gather(*(provider.call(pace, int(facts.get("n_tokens", 0))) for _ in range(n)))
        await clock.run(calls)

    asyncio.run(run())
    return provider


def test_it_begins_modestly_and_grows_while_the_provider_is_happy() -> None:
    provider = ask(200, 64)
    assert provider.starts.count(0.0) == 8
    assert provider.most == 64
    assert provider.clock.now < 200 / 64 + 5


def test_it_never_goes_above_what_the_user_allows() -> None:
    assert ask(50, 3).most == 3
    assert ask(5, 1).most == 1


def test_it_settles_near_what_the_provider_takes() -> None:
    provider = ask(600, 256, takes=lambda now: 20)
    assert provider.n_answered == 600
    assert provider.most == 20
    assert provider.n_pushed_back < 150
    assert provider.clock.now < 3 * 600 / 20


def test_calls_that_were_in_flight_together_slow_it_down_once() -> None:
    async def run() -> int:
        pace = Pace(8)
        entered, go = 0, asyncio.Event()

        async def fail() -> None:
            nonlocal entered
            async with pace.turn(0):
                entered += 1
                await go.wait()
                raise ProviderError("x", kind=ProviderErrorKind.OVERLOADED)

        calls = [asyncio.ensure_future(fail()) for _ in range(8)]
        while entered < 8:
            await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*calls, return_exceptions=True)
        return pace.level

    assert asyncio.run(run()) == 4


def test_errors_of_another_kind_do_not_slow_it_down() -> None:
    async def run() -> int:
        pace = Pace(8)
        with pytest.raises(ProviderError):
            async with pace.turn(0):
                raise ProviderError("x", kind=ProviderErrorKind.SERVER)
        return pace.level

    assert asyncio.run(run()) == 8


def test_a_server_that_asks_for_a_pause_gets_one_from_every_call() -> None:
    provider = ask(40, 8, takes=lambda now: 0 if now < 1 else 100, retry_after_s=30)
    assert provider.n_answered == 40
    later = [start for start in provider.starts if start > 0.2]
    assert min(later) >= 30


def test_a_pause_has_an_end() -> None:
    provider = ask(2, 1, takes=lambda now: 0 if now < 1 else 100, retry_after_s=86_400)
    assert 120 <= provider.clock.now < 300


def test_requests_a_minute_are_kept() -> None:
    provider = ask(31, 64, Rates(requests=60))
    assert max(provider.starts) == pytest.approx(30)
    assert all(sum(start <= other < start + 10 for other in provider.starts) <= 11 for start in provider.starts)


def test_tokens_a_minute_are_kept() -> None:
    provider = ask(11, 64, Rates(tokens=60_000), n_tokens=2_000)
    assert max(provider.starts) == pytest.approx(20)


def test_a_waiting_call_that_is_given_up_leaves_its_place_to_the_next() -> None:
    async def run() -> list[str]:
        pace, done = Pace(1), list[str]()
        held = asyncio.Event()

        async def call(name: str) -> None:
            async with pace.turn(0):
                if name == "first":
                    await held.wait()
                done.append(name)

        calls = [asyncio.ensure_future(call(name)) for name in ("first", "second", "third")]
        await asyncio.sleep(0)
        held.set()
        await asyncio.sleep(0)
        calls[1].cancel()
        await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 5)
        return done

    assert "third" in asyncio.run(run())


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "n_tokens", "seconds"),
    [
        ({}, 1000, 0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0, 0.12),
        ({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "120ms"}, 0, 0),
        ({"x-ratelimit-remaining-tokens": "999", "x-ratelimit-reset-tokens": "6m0s"}, 1000, 360),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "soon"}, 1000, 0),
        ({"x-ratelimit-remaining-tokens": "0"}, 1000, 0),
        ({"x-ratelimit-remaining-tokens": "-1", "x-ratelimit-reset-tokens": "9s"}, 1000, 0),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:10Z",
            },
            0,
            10,
        ),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "5",
                "anthropic-ratelimit-input-tokens-reset": "2026-01-01T00:00:20+00:00",
                "anthropic-ratelimit-tokens-remaining": "5",
                "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:15Z",
            },
            100,
            20,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2025-12-31T00:00:00Z",
            },
            0,
            0,
        ),
    ],
)
def test_a_pause_is_read_from_the_headers_of_openai_and_anthropic(
    headers: dict[str, str], n_tokens: int, seconds: float
) -> None:
    assert pause_s(headers, n_tokens=n_tokens, now=NOW) == pytest.approx(seconds)

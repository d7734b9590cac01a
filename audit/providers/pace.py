"""How fast one model is asked: as many calls at once as its provider is happy with, and no faster than told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from audit.errors import ProviderError, ProviderErrorKind

_FIRST_LEVEL = 8
_PUSHED_BACK = frozenset({ProviderErrorKind.RATE_LIMITED, ProviderErrorKind.OVERLOADED})
_LONGEST_REST_S = 120.0
_MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Rates:
    """How much each model may be sent in a minute; ``None`` for as much as its provider takes.

    Parameters
    ----------
    tokens
        Of prompts, estimated.
    """

    requests: float | None = None
    tokens: float | None = None


class Pace:
    """Lets calls to one model through.

    The level, which is how many may be in flight, begins low, rises by one with each reply until the provider pushes
    back for the first time, and then by one with each round of replies. Being pushed back halves it, once for all
    calls that were in flight then. A server that asks for a pause gets one, from every call.

    Parameters
    ----------
    most_at_once
        The level's upper bound, at least 1.
    rates
        Fixed by the user.
    clock, sleep
        Tests put their own here.
    """

    def __init__(
        self,
        most_at_once: int,
        rates: Rates = Rates(),  # noqa: B008  # frozen
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._most_at_once = most_at_once
        self._rates = rates
        self._clock = clock
        self._sleep = sleep
        self._level = float(min(_FIRST_LEVEL, most_at_once))
        self._was_pushed_back = False
        self._n_in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = self._next_request = self._next_token = clock()
        self._n_started = 0
        self._n_started_at_cut = 0

    @property
    def level(self) -> int:
        """How many calls may be in flight now."""
        return int(self._level)

    @asynccontextmanager
    async def turn(self, n_tokens: int) -> AsyncIterator[None]:
        """Wait until a call may be sent, and learn from how it ends.

        Parameters
        ----------
        n_tokens
            Of its prompt, about.
        """
        await self._enter()
        try:
            await self._wait_for_rates(n_tokens)
            self._n_started += 1
            number = self._n_started
            try:
                yield
            except ProviderError as error:
                if error.kind in _PUSHED_BACK:
                    self._push_back(number, error.retry_after_s or 0.0)
                raise
            self._rise()
        finally:
            self._leave()

    def rest(self, seconds: float) -> None:
        """Send nothing for a while, two minutes at most: the server said so."""
        self._not_before = max(self._not_before, self._clock() + min(seconds, _LONGEST_REST_S))

    async def _enter(self) -> None:
        while self._n_in_flight >= self.level:
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._wake()  # the place was given to us, who won't take it
                raise
        self._n_in_flight += 1

    def _leave(self) -> None:
        self._n_in_flight -= 1
        self._wake()

    def _wake(self) -> None:
        for _ in range(max(0, self.level - self._n_in_flight)):
            while self._waiting:
                place = self._waiting.popleft()
                if not place.done():
                    place.set_result(None)
                    break

    async def _wait_for_rates(self, n_tokens: int) -> None:
        rpm, tpm = self._rates.requests, self._rates.tokens
        now = self._clock()
        if rpm is not None:
            self._next_request = max(now, self._next_request)
            start = self._next_request
            self._next_request += _MINUTE_S / rpm
            await self._sleep_until(start)
        if tpm is not None:
            self._next_token = max(self._clock(), self._next_token)
            start = self._next_token
            self._next_token += _MINUTE_S * n_tokens / tpm
            await self._sleep_until(start)
        waited_for = 0.0
        while self._not_before > waited_for:  # which may be put off further meanwhile
            waited_for = self._not_before
            await self._sleep_until(waited_for)

    async def _sleep_until(self, moment: float) -> None:
        if (seconds := moment - self._clock()) > 0:
            await self._sleep(seconds)

    def _rise(self) -> None:
        if self._n_in_flight < self.level:  # nobody knows whether the provider would take more
            return
        step = 1 / self._level if self._was_pushed_back else 1
        self._level = min(self._level + step, float(self._most_at_once))

    def _push_back(self, number: int, retry_after_s: float) -> None:
        self.rest(retry_after_s)
        if number <= self._n_started_at_cut:  # it was in flight when others were pushed back
            return
        self._was_pushed_back = True
        self._n_started_at_cut = self._n_started
        self._level = float(max(1, self._n_in_flight // 2))

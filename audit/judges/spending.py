"""Limits on what a run may send and spend, kept by all its judges together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may not go beyond; ``None`` for no limit.

    Parameters
    ----------
    max_calls
        Requests, retries and repairs included. What a server refuses at once while it is found out which features a
        model takes comes on top; that is free of charge.
    budget_usd
        US dollars, by the price that is recorded with each verdict.
    """

    max_calls: int | None = None
    budget_usd: float | None = None

    @property
    def words(self) -> str:
        """The limits as a clause."""
        calls = None if self.max_calls is None else f"--max-calls {self.max_calls}"
        budget = None if self.budget_usd is None else f"--budget {self.budget_usd:g}"
        return " and ".join(limit for limit in (calls, budget) if limit)


class Spending:
    """Counts what is sent and spent, and says beforehand whether a call may be sent.

    A call is held against the budget with the most that it can cost until its price is known; a call that would not
    fit then waits for those in flight, which mostly cost less. So the budget is never crossed and hardly left unused.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._n_calls = 0
        self._spent_usd = 0.0
        self._held: list[float] = []
        self._changed = asyncio.Condition()

    @property
    def has_budget(self) -> bool:
        """Whether prices matter."""
        return self._limits.budget_usd is not None

    def take_call(self) -> bool:
        """Count one request, if one more may be sent."""
        if self._limits.max_calls is not None and self._n_calls >= self._limits.max_calls:
            return False
        self._n_calls += 1
        return True

    async def hold(self, most_usd: float) -> bool:
        """Hold what a call can cost at most; return whether it may be sent.

        Parameters
        ----------
        most_usd
            0 where no budget was set.
        """
        async with self._changed:
            await self._changed.wait_for(lambda: self._fits(most_usd) or not self._held)
            if not self._fits(most_usd) or not self.take_call():
                return False
            self._held.append(most_usd)
            return True

    async def settle(self, most_usd: float, *, spent_usd: float) -> None:
        """Put what a call did cost in the place of what was held for it."""
        async with self._changed:
            self._held.remove(most_usd)
            self._spent_usd += spent_usd
            self._changed.notify_all()

    def _fits(self, most_usd: float) -> bool:
        budget = self._limits.budget_usd
        return budget is None or self._spent_usd + sum(self._held) + most_usd <= budget

"""Who goes first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """Lets the first call of each kind go alone and the others after it, however it ended.

    The first call finds out what a model takes, and fills the prompt cache for those that share its prefix.
    """

    def __init__(self) -> None:
        self._opened: dict[int, asyncio.Event] = {}  # by hash, for a prefix may be long and a gate live long

    @asynccontextmanager
    async def turn(self, kind: str) -> AsyncIterator[None]:
        """Wait until the first call of this kind is over; the first itself does not wait."""
        key = hash(kind)
        if key in self._opened:
            await self._opened[key].wait()
            yield
            return
        opened = self._opened[key] = asyncio.Event()
        try:
            yield
        finally:
            opened.set()

"""A verdict store behind one thread, so that the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType

from audit.judges.protocol import VerdictStore
from audit.records.verdict import Verdict


class Keeper:
    """Reads and writes a store in the order of the calls; leaving its context waits for the last write.

    Parameters
    ----------
    store
        Not to be used by others meanwhile, unless it may be shared between threads.
    """

    def __init__(self, store: VerdictStore) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="verdict-store")

    def __enter__(self) -> Keeper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=True)

    async def find(self, keys: Sequence[str]) -> Mapping[str, Verdict]:
        """Return the verdicts that count for ``keys``."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store.find, keys)

    async def keep(self, verdict: Verdict, *, is_interim: bool = False) -> None:
        """Return when ``verdict`` is on the disk."""
        write = partial(self._store.append, verdict, is_interim=is_interim)
        await asyncio.get_running_loop().run_in_executor(self._thread, write)

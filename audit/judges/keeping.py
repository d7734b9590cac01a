"""A verdict store behind one thread, so that the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

from audit.errors import StoreError
from audit.judges.protocol import VerdictStore
from audit.records.verdict import Verdict


@dataclass
class _Entry:
    """Verdicts on their way to the disk together, and why they did not get there."""

    verdicts: tuple[Verdict, ...]
    is_interim: bool
    error: StoreError | None = None


class Keeper:
    """Reads and writes a store in the order of the calls; leaving its context waits for the last write.

    Parameters
    ----------
    store
        Not to be used by others meanwhile, unless it may be shared between threads.
    """

    def __init__(self, store: VerdictStore) -> None:
        self._store = store
        self._waiting: deque[_Entry] = deque()
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

    async def keep(self, *verdicts: Verdict, is_interim: bool = False) -> None:
        """Return when ``verdicts`` are on the disk, all or none of them.

        Those that come while others are being written go to the disk together.

        Raises
        ------
        StoreError
            If they can't be written.
        """
        entry = _Entry(verdicts, is_interim)
        self._waiting.append(entry)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write_waiting)
        if entry.error is not None:
            raise entry.error

    def _write_waiting(self) -> None:
        """Write what has come so far; in the thread, once for each verdict, and mostly another call has done it."""
        entries = []
        while self._waiting:
            entries.append(self._waiting.popleft())
        if not entries:
            return
        try:
            self._store.append_all([(verdict, entry.is_interim) for entry in entries for verdict in entry.verdicts])
        except StoreError as error:
            for entry in entries:
                entry.error = error

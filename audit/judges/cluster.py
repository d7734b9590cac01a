"""A Dask cluster as what asks chunks; ``distributed`` is imported when the first one is reached for."""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any

from audit import __version__
from audit.errors import WorkersError
from audit.judges.chunk_worker import ask_chunk, end_run
from audit.judges.chunks import Report

_REACH_S = 10.0
_LOST = "the scheduler was lost"
_URL_SECRET = re.compile(r"(?<=:)[^:/@\s]+(?=@)")
"""A password in an address, which none has a use for."""


class _Call:
    """Asks a chunk where it is unpickled; so a scheduler, which looks into what it hands on, needs no bench-audit."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload

    def __reduce__(self) -> tuple[Callable[[str, bytes], Report], tuple[str, bytes]]:
        return ask_chunk, (__version__, self._payload)


class Cluster:
    """A connection to a scheduler.

    Parameters
    ----------
    client
        A ``distributed.Client``.
    """

    def __init__(self, client: Any, address: str) -> None:  # noqa: ANN401  # an extra's own type
        self._client = client
        self._address = address
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._number_of: dict[str, int] = {}
        self._futures: dict[int, Any] = {}

    @property
    def n_running(self) -> int:
        """How many chunks were handed over and have not come back."""
        return len(self._futures)

    def threads(self) -> dict[str, int]:
        """Return the workers' addresses and how many chunks each takes at once; nothing once the scheduler is lost."""
        if self.is_lost:
            return {}
        try:
            return dict(self._client.nthreads())
        except (OSError, RuntimeError):
            return {}

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is not there any more."""
        return bool(self._client.status != "running")

    def hand_over(self, number: int, payload: bytes, *, run: str) -> None:
        """Have a worker ask a chunk."""
        key = f"bench-audit-{run}-{number}"
        self._number_of[key] = number
        call = pickle.dumps(_Call(payload))
        self._futures[number] = future = self._client.submit(pickle.loads, call, key=key, pure=False)
        future.add_done_callback(self._done.put)

    def take(self, seconds: float) -> tuple[int, Report | str] | None:
        """Return a chunk that has come back, waiting for it so long at most: with a report, or why there is none.

        Raises
        ------
        WorkersError
            If a worker can't so much as read a chunk.
        """
        try:
            future = self._done.get(timeout=seconds)
        except Empty:
            return None
        number = self._number_of[future.key]
        del self._futures[number]
        return number, self._outcome(future)

    def end(self, run: str) -> None:
        """Have all workers send nothing more for this run; its chunks then come back soon."""
        with suppress(OSError, RuntimeError):
            self._client.run(end_run, run, on_error="ignore")

    def drop(self) -> None:
        """Let go of everything that was handed over."""
        with suppress(OSError, RuntimeError):
            self._client.cancel(list(self._futures.values()))
        self._futures.clear()

    def _outcome(self, future: Any) -> Report | str:  # noqa: ANN401  # an extra's own type
        distributed = _import_distributed()
        if future.status == "cancelled":
            return _LOST
        try:
            error = future.exception()
            report: Report | None = None if error is not None else future.result()
        except (CancelledError, OSError):  # just now
            return _LOST
        if isinstance(error, distributed.KilledWorker):
            return f"{error.allowed_failures + 1} workers died while they asked it, and it is not given to another"
        if report is None:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            mend = "Install the same bench-audit on every worker; the worker's log says more"
            raise WorkersError(f"a worker failed: {told[:300]}", where=self._address, mend=mend)
        return report


@contextmanager
def reach(address: str, *, patience_s: float = _REACH_S) -> Iterator[Cluster]:
    """Connect to the scheduler at ``address``.

    Parameters
    ----------
    patience_s
        It is waited for no longer than that, nor than ten seconds.

    Raises
    ------
    WorkersError
        If the ``[dask]`` extra is missing, or there is no scheduler.
    """
    distributed = _import_distributed()
    where = f"--workers {_URL_SECRET.sub('…', address)}"
    patience_s = min(patience_s, _REACH_S)
    try:
        distributed.comm.resolve_address(address)
        _greet(address, patience_s=patience_s)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other versions of libraries there; ours is compared by each worker
            client = distributed.Client(address, timeout=patience_s, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        why = " ".join(_URL_SECRET.sub("…", str(error)).split())[:200] or "what listens there does not answer as one"
        mend = "Write the address that 'dask scheduler' prints, such as tcp://HOST:8786"
        raise WorkersError(f"the scheduler can't be reached: {why}", where=where, mend=mend) from error
    try:
        yield Cluster(client, where)
    finally:
        with suppress(OSError, RuntimeError):
            client.close(timeout=2)


def _greet(address: str, *, patience_s: float) -> None:
    """Fail where no scheduler answers: ``Client`` would wait for ever, and can't be closed without a word then."""
    distributed = _import_distributed()

    async def ask() -> None:
        arguments = distributed.Security().get_connection_args("client")
        comm = await distributed.comm.connect(address, timeout=patience_s, **arguments)
        comm.abort()

    asyncio.run(asyncio.wait_for(ask(), patience_s + 1))


def _import_distributed() -> ModuleType:
    try:
        import distributed  # noqa: PLC0415  # an extra, imported late
    except ImportError as error:
        mend = "pip install 'bench-audit[dask]', here and on every worker"
        raise WorkersError("workers need the package distributed", where="--workers", mend=mend) from error
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we say what is to be said
    return distributed

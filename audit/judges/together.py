"""Coroutines that live and die together, and the Ctrl-C that ends them in good order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager


async def run_together(coroutines: Iterable[Coroutine[object, object, None]]) -> None:
    """Run all to their end; when one fails or this call is cancelled, none is left running.

    Raises
    ------
    Exception
        Whatever the first that failed has raised, as it is.
    """
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


@contextmanager
def stop_on_interrupt() -> Iterator[asyncio.Event]:
    """Turn the first Ctrl-C into an event that is set; the second one interrupts as usual.

    For :attr:`audit.judges.one_model.AskingOptions.stop`. Outside the main thread, and where the event loop takes no
    signal handlers, the event stays unset and Ctrl-C interrupts as usual.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)

    def handle() -> None:
        stop.set()
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)

    try:
        loop.add_signal_handler(signal.SIGINT, handle)
    except (NotImplementedError, RuntimeError, ValueError):
        yield stop
        return
    try:
        yield stop
    finally:
        if loop.remove_signal_handler(signal.SIGINT):
            signal.signal(signal.SIGINT, before)

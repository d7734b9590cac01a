"""A panel asked from synchronous code: connections closed, Ctrl-C heeded, what was found out about models kept."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Protocol

from audit.judges.asking import Asked, ask_all
from audit.judges.batch_asking import ask_in_batches
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel, recall_models, remember_models
from audit.judges.progress import OnEvent, ignore_event
from audit.judges.questions import Questions
from audit.judges.seat_batches import BatchStore
from audit.judges.together import stop_on_interrupt
from audit.judges.workers import ShareableStore, ask_on_workers


class PanelStore(ShareableStore, BatchStore, Protocol):
    """Where verdicts are kept, what was found out about models, and what is known of batches."""


def ask_panel(
    questions: Questions,
    panel: Panel,
    *,
    store: PanelStore,
    options: AskingOptions,
    on_event: OnEvent = ignore_event,
) -> Asked:
    """Ask, and return what the panel said; the first Ctrl-C lets calls in flight end and sends no more.

    Parameters
    ----------
    options
        Concurrency and freshness; the panel's own retries, limits, prices and rates are taken.

    Raises
    ------
    BatchPendingError
        If the panel is asked through batches, and they have not ended.
    WorkersError
        If it is asked by workers, and they can't be reached or can't ask.
    """
    if panel.workers is not None:
        return ask_on_workers(questions, panel, store=store, options=options, on_event=on_event)
    found: list[Asked] = []

    async def ask() -> None:  # asyncio.run writes out what a task returned, so that nothing big may be returned
        found.append(await _ask_here(questions, panel, store=store, options=options, on_event=on_event))

    recall_models(panel, store)
    try:
        asyncio.run(ask())
    finally:
        remember_models(panel, store)
    return found[0]


async def _ask_here(
    questions: Questions, panel: Panel, *, store: PanelStore, options: AskingOptions, on_event: OnEvent
) -> Asked:
    async with AsyncExitStack() as stack:
        for provider in panel.providers.values():
            stack.push_async_callback(provider.aclose)
        with stop_on_interrupt() as stop:
            chosen = replace(
                options, retry=panel.retry, stop=stop, limits=panel.limits, prices=panel.prices, rates=panel.rates
            )
            if panel.batch is None:
                return await ask_all(questions, panel.providers, store=store, options=chosen, on_event=on_event)
            listener = (panel.batch, on_event)
            return await ask_in_batches(questions, panel.providers, store=store, options=chosen, listener=listener)

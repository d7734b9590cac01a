"""A panel of models asked a run's questions, every verdict stored as it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from audit.judges.keeping import Keeper
from audit.judges.one_model import AskingOptions, ModelRun, Shared
from audit.judges.progress import OnEvent, ignore_event, open_account
from audit.judges.protocol import VerdictStore
from audit.judges.questions import Questions, Seat, take_seats
from audit.judges.spending import Spending
from audit.judges.together import run_together
from audit.providers.protocol import Provider
from audit.records.run import JudgeStop, Tally
from audit.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Asked:
    """What a panel said.

    Parameters
    ----------
    verdicts
        By model, criterion, task and trial, whatever the order in which they came; missing ones included.
    stops
        Models that were stopped before the end.
    """

    verdicts: tuple[Verdict, ...]
    tally: Tally
    stops: tuple[JudgeStop, ...]


async def ask_all(
    questions: Questions,
    panel: Mapping[str, Provider],
    *,
    store: VerdictStore,
    options: AskingOptions | None = None,
    on_event: OnEvent = ignore_event,
) -> Asked:
    """Ask every model every question that the store has no answer to.

    Each model has its own calls in flight, so that a slow one holds up no other. The first call with each prefix goes
    alone. A quota that is used up, a refused key or an unknown model stops that model alone.

    Parameters
    ----------
    questions
        Criteria, tasks, trials.
    panel
        Name as the user gave it, without credentials, to provider. They stay open.
    store
        Consulted first; gets each verdict that was paid for before it is counted.
    options
        Concurrency, retries, freshness, interruption.
    on_event
        Told of each verdict on the event loop; must be quick.

    Raises
    ------
    StoreError
        If verdicts can't be kept; nothing more is sent then.
    asyncio.CancelledError
        If cancelled; every reply that had come is stored.
    """
    chosen = options or AskingOptions()
    seats = take_seats(panel, chosen.prices)
    n_each = questions.n_per_model
    account = open_account(questions, len(seats), on_event=on_event)
    spending = Spending(chosen.limits)
    with Keeper(store) as keeper:
        shared = Shared(account, keeper, spending, _once(seats))
        runs = [ModelRun(seat, chosen, shared=shared, first_place=n_each * number) for number, seat in enumerate(seats)]
        watcher = asyncio.ensure_future(_interrupt_when_stopped(runs, chosen))
        try:
            await run_together([run.run(questions) for run in runs])
        finally:
            watcher.cancel()
    stops = tuple(run.stop for run in runs if run.stop is not None)
    return Asked(account.verdicts(), account.tally(), stops)


def _once(seats: Sequence[Seat]) -> Callable[[], None]:
    """Return what prepares every provider when it is first called: no call is in flight whose time would run out."""
    left = list(seats)

    def prepare() -> None:
        while left:
            left[-1].provider.prepare()
            left.pop()

    return prepare


async def _interrupt_when_stopped(runs: Sequence[ModelRun], options: AskingOptions) -> None:
    if options.stop is not None:
        await options.stop.wait()
        await asyncio.sleep(options.grace_s)
        for run in runs:
            run.interrupt()

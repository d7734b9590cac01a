"""A panel asked by the workers of a cluster, chunk by chunk; the verdicts come by way of the store."""

from __future__ import annotations

import pickle
import signal
import threading
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol

from audit.errors import WorkersError
from audit.judges.asking import Asked
from audit.judges.chunks import Chunk, Layout, Report, SharedStore, Unit, cut, gather_units
from audit.judges.cluster import Cluster, reach
from audit.judges.ledger import CountingStore, Ledger
from audit.judges.one_model import AskingOptions
from audit.judges.panel import ModelMemory, Panel, WorkersChoice
from audit.judges.progress import OnEvent
from audit.judges.questions import Questions, Seat, take_seats
from audit.judges.stops import LOST, interruption, why_stopped
from audit.records.run import JudgeStop

_LOOK_S = 0.5
_LONGEST_END_S = 20.0
"""After an interruption, calls in flight are waited for no longer than that."""


class ShareableStore(CountingStore, ModelMemory, Protocol):
    """The run's store."""

    def share(self) -> SharedStore:
        """Return how a worker opens it."""
        ...


@dataclass
class _Run:
    """What is under way."""

    name: str
    layout: Layout
    ledger: Ledger
    seats: tuple[Seat, ...]
    base: Chunk
    chunks: list[tuple[Unit, ...]]
    next: int = 0
    stops: dict[str, JudgeStop] = field(default_factory=dict)

    @property
    def is_ending(self) -> bool:
        """Whether nothing more is to be handed over."""
        return self.next == len(self.chunks) or len(self.stops) == len(self.seats)


def ask_on_workers(
    questions: Questions,
    panel: Panel,
    *,
    store: ShareableStore,
    options: AskingOptions,
    on_event: OnEvent,
) -> Asked:
    """Have workers ask what the store has no answer to, and take the answers from it.

    The first Ctrl-C lets calls in flight end. A worker that is lost loses the calls that it had in flight; the rest
    of its chunk is asked by another. What no worker could ask is missing, with the reason.

    Parameters
    ----------
    questions, panel, store, options, on_event
        As for :func:`audit.judges.running.ask_panel`; the panel says which workers.

    Raises
    ------
    WorkersError
        If the cluster can't be reached, has no worker, or a worker can't ask.
    """
    choice = panel.workers
    assert choice is not None, "a panel for workers"
    seats = take_seats(panel.providers, panel.prices)
    ledger = Ledger(questions, seats, store=store, on_event=on_event)
    stops: Mapping[str, JudgeStop] = {}
    if n_calls := ledger.n_calls:
        with reach(choice.address, patience_s=choice.patience_s) as cluster, _interruption() as interrupted:
            n_slots = _wait_for_workers(cluster, choice, n_calls)
            layout = Layout(questions)
            chunks = cut(gather_units(layout, ledger.keys), n_calls, n_slots=n_slots)
            name = uuid.uuid4().hex
            sent = replace(options, retry=panel.retry, prices=panel.prices, stop=None)
            base = Chunk(name, questions, choice.judges, _requests(seats), store.share(), sent)
            run = _Run(name, layout, ledger, seats, base, chunks)
            stops = _ask(run, cluster, choice=choice, interrupted=interrupted)
    verdicts, tally = ledger.finish({seat.name: _why(stops, seat.name) for seat in seats})
    return Asked(verdicts, tally, tuple(stops[seat.name] for seat in seats if seat.name in stops))


def _requests(seats: Sequence[Seat]) -> dict[str, tuple[str, str, str]]:
    return {seat.name: (seat.endpoint, seat.model, seat.parameters) for seat in seats}


def _wait_for_workers(cluster: Cluster, choice: WorkersChoice, n_calls: Counter[int]) -> int:
    """Return how many chunks the workers take at once, when there is a worker."""
    started = monotonic()
    is_told = False
    while not (threads := cluster.threads()):
        if monotonic() - started > choice.patience_s:
            mend = f"Start one: dask worker {choice.address}"
            raise WorkersError("no worker is connected", where=f"--workers {choice.address}", mend=mend)
        if not is_told:
            choice.tell(f"Waiting for a worker at {choice.address}")
            is_told = True
        threading.Event().wait(_LOOK_S)
    n_slots = sum(threads.values())
    choice.tell(f"{_say_workers(threads)} at {choice.address}: {n_calls.total():,} calls to make")
    return n_slots


def _say_workers(threads: Mapping[str, int]) -> str:
    n, n_threads = len(threads), sum(threads.values())
    return f"{n} worker{'' if n == 1 else 's'} with {n_threads} thread{'' if n_threads == 1 else 's'}"


def _ask(
    run: _Run, cluster: Cluster, *, choice: WorkersChoice, interrupted: threading.Event
) -> Mapping[str, JudgeStop]:
    """Hand chunks over and take what comes back, until nothing is left or there is no sense in going on."""
    threads = cluster.threads()
    alone_since = ended_at = None
    while not run.is_ending or cluster.n_running:
        while not run.is_ending and cluster.n_running < sum(threads.values()) + 1 and not interrupted.is_set():
            _hand_over_next(run, cluster)
        if (taken := cluster.take(_LOOK_S)) is not None:
            _settle(run, *taken)
        now = monotonic()
        if interrupted.is_set() and ended_at is None:
            ended_at = now
            cluster.end(run.name)
            _stop_all(run, interruption(""))
        if ended_at is not None and now - ended_at > _LONGEST_END_S:
            break
        found = cluster.threads()
        if found != threads and found:
            choice.tell(f"{_say_workers(found)} now")
        threads = found
        alone_since = None if threads else alone_since or now
        if cluster.is_lost or (alone_since is not None and now - alone_since > choice.patience_s):
            what = "the scheduler was lost" if cluster.is_lost else "all workers were lost"
            _stop_all(run, JudgeStop("", LOST, f"{what}; what was answered is kept, and the same command goes on"))
            break
    cluster.drop()
    return run.stops


def _hand_over_next(run: _Run, cluster: Cluster) -> None:
    units = run.chunks[run.next]
    active = [seat.name for seat in run.seats if seat.name not in run.stops]
    judges = {name: run.base.judges[name] for name in active}
    chunk = replace(run.base, questions=run.layout.questions_of(units), judges=judges)
    cluster.hand_over(run.next, pickle.dumps(chunk), run=run.name)
    run.next += 1


def _settle(run: _Run, number: int, outcome: Report | str) -> None:
    """Take a chunk's verdicts from the store, and what its worker says of those that are not there."""
    failed, why = {}, ""
    if isinstance(outcome, Report):
        if outcome.refusal is not None:
            what, where, mend = outcome.refusal
            raise WorkersError(what, where=f"worker {outcome.worker}{f': {where}' if where else ''}", mend=mend)
        failed = {(verdict.judge, verdict.key): verdict for verdict in reversed(outcome.failed)}
        for stop in outcome.stops:
            run.stops.setdefault(stop.judge, stop)
    else:
        why = outcome
    places = [place for unit in run.chunks[number] for place in unit.numbers]
    reasons = {seat.name: why or _why(run.stops, seat.name) for seat in run.seats}
    run.ledger.settle(places, failed, why=reasons)


def _stop_all(run: _Run, stop: JudgeStop) -> None:
    for seat in run.seats:
        run.stops.setdefault(seat.name, replace(stop, judge=seat.name))


def _why(stops: Mapping[str, JudgeStop], judge: str) -> str:
    return why_stopped(stops[judge]) if judge in stops else "no worker has asked it"


@contextmanager
def _interruption() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event that is set; the second one interrupts as usual."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(_number: int, _frame: object) -> None:
        event.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handle)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)

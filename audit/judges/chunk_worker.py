"""What a worker does with a chunk: it makes the judges from its own environment, asks, and stores what comes."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from audit import __version__
from audit.errors import AuditError, UsageError
from audit.judges.asking import Asked, ask_all
from audit.judges.chunks import Chunk, Report
from audit.judges.panel import Panel, recall_models, remember_models
from audit.judges.protocol import VerdictStore
from audit.providers.gate import Gate
from audit.providers.pace import Pace
from audit.providers.protocol import Provider
from audit.providers.registry import make_provider
from audit.providers.spec import parse_judge

_LOOK_S = 0.2
_ended_runs: set[str] = set()
_left = threading.local()
"""What a thread's chunk has left for the next one of its run: how fast judges are asked, which prefixes they know."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk is asked.

    Parameters
    ----------
    n_threads
        How many chunks may be asked beside each other there.
    is_wanted
        Whether somebody still waits for the chunk.
    """

    address: str
    n_threads: int
    is_wanted: Callable[[], bool]


def end_run(run: str) -> None:
    """Have the chunks of a run send nothing more; calls in flight may end."""
    _ended_runs.add(run)


def ask_chunk(version: str, payload: bytes) -> Report:
    """Ask a chunk in a worker of a cluster.

    Parameters
    ----------
    version
        Of the bench-audit that made the chunk.
    payload
        The chunk, pickled; it is read only by the same version.

    Returns
    -------
    Report
        With a refusal where the worker can't ask.
    """
    place = _this_place()
    if version != __version__:
        what = f"bench-audit {__version__} is installed there, and this command is {version}"
        return Report(place.address, refusal=(what, "", "Install the same version on every worker"))
    chunk: Chunk = pickle.loads(payload)  # noqa: S301  # from the command, by way of a scheduler that is trusted to run code
    try:
        return _ask(chunk, place)
    except UsageError as error:
        return Report(place.address, refusal=(error.what, error.where, f"{error.mend}, where the worker runs"))
    except AuditError as error:
        return Report(place.address, refusal=(error.what, error.where, error.mend))


def _this_place() -> Place:
    """Return the worker that runs this thread."""
    from distributed import get_worker  # noqa: PLC0415  # an extra, and here already

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        is_held = key in worker.state.tasks and worker.state.tasks[key].state in {"executing", "long-running"}
        return is_held and worker.status.name in {"running", "paused"}

    return Place(worker.address, worker.state.nthreads, is_wanted)


def _ask(chunk: Chunk, place: Place) -> Report:
    providers = {name: make_provider(parse_judge(name), options) for name, options in chunk.judges.items()}
    _check(providers, chunk)
    panel = Panel(providers)
    with chunk.store.open() as store:
        recall_models(panel, store)
        try:
            asked = asyncio.run(_ask_all(providers, chunk, store=store, place=place))
        finally:
            remember_models(panel, store)
    failed = tuple(verdict for verdict in asked.verdicts if verdict.key and not verdict.is_ok)
    return Report(place.address, failed, asked.stops)


def _check(providers: Mapping[str, Provider], chunk: Chunk) -> None:
    """Refuse to ask what would not be found again under the command's keys."""
    for name, provider in providers.items():
        own = (provider.endpoint, provider.model, provider.parameters)
        if own != chunk.requests[name]:
            what = f"it would be asked at {own[0]} from there, and the command means {chunk.requests[name][0]}"
            mend = "Write VENDOR:MODEL@URL, or set the vendor's URL variable as the command has it"
            raise UsageError(what, where=f"judge {name}", mend=mend)


async def _ask_all(providers: Mapping[str, Provider], chunk: Chunk, *, store: VerdictStore, place: Place) -> Asked:
    stop = asyncio.Event()
    concurrency = max(1, chunk.options.concurrency // place.n_threads)
    learned = {name: _learned(chunk.run, name, concurrency=concurrency) for name in providers}
    options = replace(chunk.options, concurrency=concurrency, stop=stop, learned=learned)
    watcher = asyncio.ensure_future(_watch(chunk.run, stop, place.is_wanted))
    async with AsyncExitStack() as stack:
        for provider in providers.values():
            stack.push_async_callback(provider.aclose)
        try:
            return await ask_all(chunk.questions, providers, store=store, options=options)
        finally:
            watcher.cancel()


def _learned(run: str, judge: str, *, concurrency: int) -> tuple[Gate, Pace]:
    if _left.__dict__.get("run") != run:
        _left.run, _left.by_judge = run, {}
    learned: tuple[Gate, Pace] = _left.by_judge.setdefault(judge, (Gate(), Pace(concurrency)))
    return learned


async def _watch(run: str, stop: asyncio.Event, is_wanted: Callable[[], bool]) -> None:
    while run not in _ended_runs and is_wanted():
        await asyncio.sleep(_LOOK_S)
    stop.set()

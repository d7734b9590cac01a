"""Progress on stderr while judges are asked: rate, time left, failures and spend."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from audit.cli.output import say
from audit.judges.progress import Event, OnEvent, ignore_event
from audit.records.run import Tally
from audit.reports import numbers

_SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def show_progress(*, is_quiet: bool) -> Iterator[OnEvent]:
    """Yield what to tell of each verdict: a live bar on a terminal, a line every ten seconds elsewhere."""
    if is_quiet:
        yield ignore_event
    elif sys.stderr.isatty():
        with _bar() as on_event:
            yield on_event
    else:
        with _lines() as on_event:
            yield on_event


def describe_tally(tally: Tally) -> str:
    """Return how far a run is, in one line.

    Examples
    --------
    >>> describe_tally(Tally(planned=10, stored=4, asked=5, scored=8, unscored=1, seconds=2.0, cost_usd=0.5))
    '9 of 10 verdicts, 4 stored, 5 asked (2.5/s), 1 without a verdict, $0.50 spent'
    """
    done = tally.scored + tally.unscored
    rate = f" ({tally.asked / tally.seconds:.1f}/s)" if tally.asked and tally.seconds else ""
    missing = f", {tally.unscored} without a verdict" if tally.unscored else ""
    return (
        f"{done} of {tally.planned} verdicts, {tally.stored} stored, {tally.asked} asked{rate}{missing}, "
        f"{_spend(tally)}"
    )


def _spend(tally: Tally) -> str:
    return "spend unknown" if tally.cost_usd is None else f"{numbers.usd(tally.cost_usd)} spent"


@contextlib.contextmanager
def _lines() -> Iterator[OnEvent]:
    state = {"next": time.monotonic() + _SECONDS_BETWEEN_LINES}
    last: list[Tally] = []

    def on_event(event: Event) -> None:
        last[:] = [event.tally]
        if time.monotonic() >= state["next"]:
            state["next"] = time.monotonic() + _SECONDS_BETWEEN_LINES
            say(describe_tally(event.tally))

    try:
        yield on_event
    finally:
        if last:
            say(describe_tally(last[0]))


@contextlib.contextmanager
def _bar() -> Iterator[OnEvent]:
    from rich.console import Console  # noqa: PLC0415  # a tenth of a second that only a terminal needs
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    last: list[Tally] = []
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("asking", total=None)

        def on_event(event: Event) -> None:
            last[:] = [event.tally]
            tally = event.tally
            done = tally.scored + tally.unscored
            progress.update(bar, total=tally.planned, completed=done, description=describe_tally(tally))

        yield on_event
    if last:
        say(describe_tally(last[0]))

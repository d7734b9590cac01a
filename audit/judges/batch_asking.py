"""A panel asked through its batch APIs, in one or more runs of the same command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace

from audit.errors import BatchPendingError
from audit.judges.answer import not_asked, undefined
from audit.judges.asking import Asked
from audit.judges.one_model import AskingOptions, is_answer, relabel
from audit.judges.panel import BatchChoice
from audit.judges.progress import Account, EventKind, OnEvent, open_account
from audit.judges.questions import Question, Questions, Undefined, render_questions, take_batch, take_seats
from audit.judges.seat_batches import Allowance, BatchStore, SeatRun
from audit.providers.batches.service import open_batches
from audit.providers.protocol import Provider
from audit.records.verdict import Verdict

_FIRST_POLL_S, _LONGEST_POLL_S, _SLOWER = 5.0, 120.0, 1.5


async def ask_in_batches(
    questions: Questions,
    panel: Mapping[str, Provider],
    *,
    store: BatchStore,
    options: AskingOptions,
    listener: tuple[BatchChoice, OnEvent],
) -> Asked:
    """Take what the panel's batches brought, and hand over what nothing answers yet.

    A question is in one open batch at most. What came and is no verdict, such as an unreadable reply, is reported as
    missing and handed over again by the next run.

    Parameters
    ----------
    questions, panel, store, options
        As for :func:`audit.judges.asking.ask_all`.
    listener
        How batches are used, and what is told of each verdict.

    Raises
    ------
    BatchPendingError
        If questions wait in batches and the run does not.
    UsageError
        If a judge has no batch API; found out before anything is sent, where that can be known.
    """
    choice, on_event = listener
    allowance = Allowance(options.limits.max_calls, options.limits.budget_usd)
    async with AsyncExitStack() as stack:
        runs = []
        for seat in take_seats(panel, options.prices):
            batches = open_batches(seat.provider, options.retry)
            stack.push_async_callback(batches.aclose)
            runs.append(SeatRun(seat, batches, store, options, choice, allowance))
        for run in runs:
            await run.look()
            await run.hand_over(questions)
        if choice.is_waiting:
            await _wait(runs, questions)
    if any(run.n_waiting for run in runs):
        raise _pending(runs)
    return _account(questions, runs, store=store, on_event=on_event)


async def _wait(runs: Sequence[SeatRun], questions: Questions) -> None:
    pause = _FIRST_POLL_S
    while any(run.n_waiting for run in runs):
        await runs[0].options.hooks.sleep(pause)
        pause = min(pause * _SLOWER, _LONGEST_POLL_S)
        for run in runs:
            if run.n_waiting and await run.look():
                await run.hand_over(questions)
                pause = _FIRST_POLL_S


def _pending(runs: Sequence[SeatRun]) -> BatchPendingError:
    waiting = [_describe(run) for run in runs if run.n_waiting]
    stops = [f"{run.seat.name}: {run.stop.message}" for run in runs if run.stop is not None]
    told = "; ".join((f"Submitted, and not answered yet: {', '.join(waiting)}", *stops))
    mend = "Collect later with the same command; 'bench-audit batch status' shows how far they are"
    return BatchPendingError(told, mend=mend)


def _describe(run: SeatRun) -> str:
    batches = _count(len(run.open_records()), "batch", "batches")
    return f"{_count(run.n_waiting, 'question')} to {run.seat.name} in {batches}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _account(questions: Questions, runs: Sequence[SeatRun], *, store: BatchStore, on_event: OnEvent) -> Asked:
    """Put the verdicts of the store and of this run into their places."""
    n_each = questions.n_per_model
    account = open_account(questions, len(runs), on_event=on_event)
    for number, run in enumerate(runs):
        _record(questions, run, store=store, place=(account, n_each * number))
    stops = tuple(run.stop for run in runs if run.stop is not None)
    return Asked(account.verdicts(), account.tally(), stops)


def _record(questions: Questions, run: SeatRun, *, store: BatchStore, place: tuple[Account, int]) -> None:
    account, first = place
    seen: set[str] = set()
    rendered = render_questions(questions, run.seat)
    while entries := take_batch(rendered):
        stored = store.find([entry.key for entry in entries if isinstance(entry, Question)])
        for entry in entries:
            if isinstance(entry, Undefined):
                verdict, kind = undefined(entry.slot, run.seat, reason=entry.reason), EventKind.UNDEFINED
            else:
                verdict, kind = _find(entry, run, stored=stored, is_repeat=entry.key in seen)
                seen.add(entry.key)
            account.record(first + entry.slot.number, verdict, kind=kind)


def _find(
    question: Question, run: SeatRun, *, stored: Mapping[str, Verdict], is_repeat: bool
) -> tuple[Verdict, EventKind]:
    given, kept = run.given.get(question.key), stored.get(question.key)
    if given is not None:
        own = relabel(given, question, seat=run.seat)
        if is_repeat:
            return replace(own, n_calls=0), EventKind.REPEATED
        return own, EventKind.ASKED if given.is_ok else EventKind.FAILED
    if kept is not None and is_answer(kept, question):
        return relabel(kept, question, seat=run.seat), EventKind.STORED
    why = run.stop.message if run.stop is not None else "its batches ended without an answer"
    return not_asked(question.slot, run.seat, problem=why), EventKind.NOT_ASKED

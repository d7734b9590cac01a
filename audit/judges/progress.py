"""The running account of a run: verdicts in their places, what was planned, found, asked and spent."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from audit.judges.questions import Questions
from audit.records.prompt import Finish
from audit.records.run import Tally
from audit.records.verdict import Verdict, VerdictState

logger = logging.getLogger(__name__)

_REPLIED = frozenset(VerdictState(finish.value) for finish in Finish if finish is not Finish.COMPLETE) | {
    VerdictState.OK,
    VerdictState.MALFORMED,
    VerdictState.EMPTY,
}


class EventKind(StrEnum):
    """How a verdict, or its absence, came about."""

    ASKED = "asked"
    """The model gave a verdict."""
    FAILED = "failed"
    """The model was asked and there is no verdict."""
    STORED = "stored"
    """The verdict was in the store."""
    REPEATED = "repeated"
    """The same question stands elsewhere in the run, and its answer counts here too."""
    NOT_ASKED = "not_asked"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Event:
    """One verdict that has just found its place, and the account with it."""

    kind: EventKind
    verdict: Verdict
    tally: Tally


OnEvent: TypeAlias = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """Do nothing."""


class Account:
    """Collects a run's verdicts, in the order of their places whatever the order of their coming.

    Parameters
    ----------
    n_verdicts
        Places, undefined ones included.
    n_undefined
        Those of them that can't be asked.
    on_event
        Told of each verdict.
    """

    def __init__(self, n_verdicts: int, *, n_undefined: int, on_event: OnEvent) -> None:
        self._verdicts: list[Verdict | None] = [None] * n_verdicts
        self._planned = n_verdicts - n_undefined
        self._on_event = on_event
        self._started = time.monotonic()
        self._count = dict.fromkeys(EventKind, 0)
        self._scored = self._unscored = self._n_calls = 0
        self._input_tokens = self._cached_tokens = self._output_tokens = 0
        self._cost_usd: float | None = 0.0
        self._stored_cost_usd: float | None = 0.0

    def record(self, place: int, verdict: Verdict, *, kind: EventKind) -> None:
        """Put ``verdict`` into its place and tell of it."""
        assert self._verdicts[place] is None, "every place is filled once"
        self._verdicts[place] = verdict
        self._count[kind] += 1
        if verdict.is_ok:
            self._scored += 1
        elif verdict.state is not VerdictState.UNDEFINED:
            self._unscored += 1
        self._count_spending(verdict, kind)
        if self._on_event is not ignore_event:
            self._on_event(Event(kind, verdict, self.tally()))

    def _count_spending(self, verdict: Verdict, kind: EventKind) -> None:
        if kind is EventKind.STORED:
            self._stored_cost_usd = _spend(self._stored_cost_usd, verdict.cost_usd)
        if kind not in (EventKind.ASKED, EventKind.FAILED):
            return
        self._n_calls += verdict.n_calls
        self._input_tokens += verdict.usage.input_tokens or 0
        self._cached_tokens += verdict.usage.cached_tokens or 0
        self._output_tokens += verdict.usage.output_tokens or 0
        if verdict.cost_usd is not None or verdict.state in _REPLIED:
            self._cost_usd = _spend(self._cost_usd, verdict.cost_usd)

    def verdict_at(self, place: int) -> Verdict:
        """Return the verdict in a place that is filled."""
        verdict = self._verdicts[place]
        assert verdict is not None, "no place stays empty"
        return verdict

    def verdicts(self) -> tuple[Verdict, ...]:
        """Return every verdict, when all places are filled."""
        return tuple(self.verdict_at(place) for place in range(len(self._verdicts)))

    def tally(self) -> Tally:
        """Return the account so far; ``planned == scored + unscored`` once all places are filled."""
        return Tally(
            planned=self._planned,
            stored=self._count[EventKind.STORED] + self._count[EventKind.REPEATED],
            asked=self._count[EventKind.ASKED] + self._count[EventKind.FAILED],
            scored=self._scored,
            unscored=self._unscored,
            undefined=self._count[EventKind.UNDEFINED],
            n_calls=self._n_calls,
            input_tokens=self._input_tokens,
            cached_tokens=self._cached_tokens,
            output_tokens=self._output_tokens,
            cost_usd=self._cost_usd,
            stored_cost_usd=self._stored_cost_usd,
            seconds=time.monotonic() - self._started,
        )


def open_account(questions: Questions, n_models: int, *, on_event: OnEvent) -> Account:
    """Return the account of a run that asks so many models."""
    n_undefined = questions.count_undefined() * n_models
    return Account(questions.n_per_model * n_models, n_undefined=n_undefined, on_event=on_event)


def recount(verdicts: Sequence[Verdict]) -> Tally:
    """Return the account of some of a run's verdicts: what was sent for them, and what stood somewhere before."""
    n_undefined = sum(verdict.state is VerdictState.UNDEFINED for verdict in verdicts)
    account = Account(len(verdicts), n_undefined=n_undefined, on_event=ignore_event)
    for place, verdict in enumerate(verdicts):
        account.record(place, verdict, kind=_kind_of(verdict))
    return replace(account.tally(), seconds=0.0)


def _kind_of(verdict: Verdict) -> EventKind:
    if verdict.state is VerdictState.UNDEFINED:
        return EventKind.UNDEFINED
    if verdict.was_sent:
        return EventKind.ASKED if verdict.is_ok else EventKind.FAILED
    return EventKind.NOT_ASKED if verdict.state is VerdictState.NOT_ASKED else EventKind.STORED


def _spend(total: float | None, cost: float | None) -> float | None:
    return None if total is None or cost is None else total + cost


def log_call(verdict: Verdict) -> None:
    """Say in the log what came of a question."""
    usage, seconds = verdict.usage, verdict.latency_s
    logger.debug(
        "%s %s task %s trial %d: %s, prompt %s, %s tokens in, %s out, %s s",
        verdict.judge,
        verdict.criterion,
        verdict.task_id,
        verdict.trial,
        verdict.state.value,
        verdict.prompt_hash[:12],
        usage.input_tokens,
        usage.output_tokens,
        "-" if seconds is None else f"{seconds:.1f}",
    )

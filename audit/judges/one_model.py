"""A run's questions to one model: what the store has is taken from it, the rest is asked, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from audit.errors import ProviderError, ProviderErrorKind
from audit.judges.answer import Answer, Asker, InterruptedCallError, answer, cost_of, not_asked, undefined
from audit.judges.deciding import decide
from audit.judges.keeping import Keeper
from audit.judges.planning import most_usd, prompt_tokens
from audit.judges.progress import Account, EventKind, log_call
from audit.judges.questions import Question, Questions, Seat, Undefined, render_groups, take_batch
from audit.judges.spending import Limits, Spending
from audit.judges.stops import interruption, limit_stop, why_stopped
from audit.judges.together import run_together
from audit.providers.gate import Gate
from audit.providers.pace import Pace, Rates
from audit.providers.prices import OwnPrice
from audit.providers.retry import Hooks, RetryPolicy, complete_with_retries
from audit.records.prompt import Prompt, Reply
from audit.records.run import JudgeStop
from audit.records.verdict import Verdict, VerdictState


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """How a panel is asked.

    Parameters
    ----------
    concurrency
        The most calls in flight for each model, at least 1; it begins with fewer.
    retry, hooks
        How failed calls are tried again, and who is told of the pauses.
    is_fresh
        Ask even what the store has; the new verdicts are stored too and count from then on.
    max_failures_in_a_row
        A model that fails so often without a single reply between is not asked further.
    stop
        Once set, nothing more is sent; ``None`` where nobody sets it.
    grace_s
        How long the calls in flight may go on after that.
    limits
        What the panel as a whole may send and spend. Every judge's price must be known where there is a budget.
    prices
        The user's own prices, by judge.
    rates
        Of each model.
    learned
        By judge, the gate and the pace that an earlier run has left; the others begin anew.
    """

    concurrency: int = 16
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    hooks: Hooks = field(default_factory=Hooks)
    is_fresh: bool = False
    max_failures_in_a_row: int = 20
    stop: asyncio.Event | None = None
    grace_s: float = 10.0
    limits: Limits = field(default_factory=Limits)
    prices: Mapping[str, OwnPrice] = field(default_factory=dict)
    rates: Rates = field(default_factory=Rates)
    learned: Mapping[str, tuple[Gate, Pace]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shared:
    """What the models of a run have in common."""

    account: Account
    keeper: Keeper
    spending: Spending
    prepare: Callable[[], None]
    """Called before each call; makes every provider ready before the first."""


class ModelRun:
    """Asks one model.

    Parameters
    ----------
    first_place
        Where this model's verdicts begin in the account.
    """

    def __init__(self, seat: Seat, options: AskingOptions, *, shared: Shared, first_place: int) -> None:
        self.stop: JudgeStop | None = None
        self._seat = seat
        self._options = options
        self._account = shared.account
        self._keeper = keeper = shared.keeper
        self._spending = shared.spending
        self._prepare = shared.prepare
        self._first_place = first_place
        self._queue: asyncio.Queue[tuple[Question, ...] | None] = asyncio.Queue(maxsize=options.concurrency)
        anew = (Gate(), Pace(options.concurrency, options.rates, sleep=options.hooks.sleep))
        self._gate, self._pace = options.learned.get(seat.name, anew)
        self._asker = Asker(seat, self._call, lambda verdict: keeper.keep(verdict, is_interim=True))
        self._calls: set[asyncio.Task[Reply]] = set()
        self._number_by_key: dict[str, int] = {}
        self._repeats: list[tuple[Question, int]] = []
        self._n_failures_in_a_row = 0

    async def run(self, questions: Questions) -> None:
        """Fill every place of this model."""
        await run_together([self._produce(questions), *(self._work() for _ in range(self._options.concurrency))])
        for question, number in self._repeats:
            self._record_repeat(question, self._account.verdict_at(self._first_place + number))

    def interrupt(self) -> None:
        """Give up the calls in flight."""
        for call in self._calls:
            call.cancel()

    @property
    def _is_interrupted(self) -> bool:
        return self._options.stop is not None and self._options.stop.is_set()

    async def _produce(self, questions: Questions) -> None:
        rendered = render_groups(questions, self._seat)
        while batch := take_batch(rendered):
            entries = [entry for group in batch for entry in group]
            for entry in entries:
                if isinstance(entry, Undefined):
                    verdict = undefined(entry.slot, self._seat, reason=entry.reason)
                    self._record(entry.slot.number, verdict, EventKind.UNDEFINED)
            is_fresh = self._options.is_fresh
            keys = [] if is_fresh else [entry.key for entry in entries if isinstance(entry, Question)]
            stored = await self._keeper.find(keys)
            for group in batch:
                await self._place([entry for entry in group if isinstance(entry, Question)], stored)
        for _ in range(self._options.concurrency):
            await self._queue.put(None)

    async def _place(self, group: Sequence[Question], stored: Mapping[str, Verdict]) -> None:
        if missing := tuple(question for question in group if not self._has(question, stored.get(question.key))):
            await self._queue.put(missing)

    def _has(self, question: Question, stored: Verdict | None) -> bool:
        """Whether a question need not be asked; then its verdict is recorded, or will be."""
        number = question.slot.number
        if stored is not None and is_answer(stored, question):
            self._record(number, relabel(stored, question, seat=self._seat), EventKind.STORED)
            return True
        if question.key in self._number_by_key:
            self._repeats.append((question, self._number_by_key[question.key]))
            return True
        self._number_by_key[question.key] = number
        return False

    async def _work(self) -> None:
        while (group := await self._queue.get()) is not None:
            async with self._gate.turn(group[0].prompt.prefix):
                await self._ask(group)

    async def _ask(self, group: Sequence[Question]) -> None:
        if self._is_interrupted:
            self._note_interruption()
        if self.stop is not None:
            for question in group:
                verdict = not_asked(question.slot, self._seat, problem=why_stopped(self.stop))
                self._record(question.slot.number, verdict, EventKind.NOT_ASKED)
            return
        if group[0].prompt.decisions:
            answers = await decide(group, self._asker)
        else:
            answers = (await answer(group[0], self._asker),)
        if paid := [given.verdict for given in answers if given.has_reply]:
            await self._keeper.keep(*paid)
        self._watch(answers)
        for question, given in zip(group, answers, strict=True):
            log_call(given.verdict)
            self._record(question.slot.number, given.verdict, _kind_of(given))

    async def _call(self, prompt: Prompt, trial: int) -> Reply:
        """Send a prompt if the limits allow it."""
        self._prepare()
        most = most_usd(prompt, self._seat) if self._spending.has_budget else 0.0
        if not await self._spending.hold(most):
            raise InterruptedCallError(self._note_limit())
        spent = 0.0
        try:
            reply = await self._send(prompt, trial)
            cost = cost_of(reply, self._seat)
            spent = most if cost is None else cost
            return reply
        finally:
            await self._spending.settle(most, spent_usd=spent)

    async def _send(self, prompt: Prompt, trial: int) -> Reply:
        """Send a prompt as a task of its own, so that it can be given up without ending the worker."""
        provider, options = self._seat.provider, self._options
        hooks = replace(
            options.hooks,
            may_try=self._spending.take_call,
            before_send=self._refuse_when_interrupted,
            pace=self._pace,
            n_tokens=0 if options.rates.tokens is None else prompt_tokens(prompt),
        )
        call = asyncio.ensure_future(
            complete_with_retries(provider, prompt, trial=trial, policy=options.retry, hooks=hooks)
        )
        self._calls.add(call)
        try:
            await asyncio.wait({call})
        finally:
            self._calls.discard(call)
            if not call.done():
                call.cancel()
        if call.cancelled():
            raise InterruptedCallError("interrupted before the reply came")
        return call.result()

    def _refuse_when_interrupted(self) -> None:
        if self._is_interrupted:
            raise InterruptedCallError("interrupted before it was sent")

    def _note_limit(self) -> str:
        stop = limit_stop(self._seat.name, self._options.limits)
        self.stop = self.stop or stop
        return stop.message

    def _note_interruption(self) -> None:
        if self.stop is None:
            self.stop = interruption(self._seat.name)

    def _watch(self, answers: Sequence[Answer]) -> None:
        """Stop the model if the answers to a call say that further calls are in vain."""
        if any(given.verdict.state is VerdictState.NOT_ASKED for given in answers):
            self._note_interruption()
        error = next((given.error for given in answers if given.error is not None), None)
        if error is None or error.kind is ProviderErrorKind.CONTEXT_TOO_LONG:
            self._n_failures_in_a_row = 0
            return
        self._n_failures_in_a_row += 1
        if self.stop is not None:
            return
        if error.stops_judge:
            self.stop = JudgeStop(self._seat.name, error.kind.value, _tell(error))
        elif self._n_failures_in_a_row >= self._options.max_failures_in_a_row:
            message = f"{self._n_failures_in_a_row} calls in a row failed, the last one so: {_tell(error)}"
            self.stop = JudgeStop(self._seat.name, error.kind.value, message)

    def _record(self, number: int, verdict: Verdict, kind: EventKind) -> None:
        self._account.record(self._first_place + number, verdict, kind=kind)

    def _record_repeat(self, question: Question, verdict: Verdict) -> None:
        shared = relabel(replace(verdict, n_calls=0, is_shared=False), question, seat=self._seat)
        self._record(question.slot.number, shared, EventKind.REPEATED)


def is_answer(stored: Verdict, question: Question) -> bool:
    """Whether a verdict that stands under a question's key is one; what somebody wrote there is asked again."""
    is_of_policy = stored.violated is None or question.policy.item_ids.issuperset(stored.violated)
    return is_of_policy and stored.criterion == question.slot.judge.criterion


def relabel(verdict: Verdict, question: Question, *, seat: Seat) -> Verdict:
    """Say of whom and what the verdict is in this run; the key has made sure that the request is the same."""
    slot = question.slot
    said = (verdict.task_id, verdict.criterion, verdict.judge, verdict.trial, verdict.trust)
    if said == (slot.task.id, slot.judge.criterion, seat.name, slot.trial, seat.trust):
        return verdict
    return replace(
        verdict,
        task_id=slot.task.id,
        criterion=slot.judge.criterion,
        judge=seat.name,
        trial=slot.trial,
        trust=seat.trust,
    )


def _kind_of(given: Answer) -> EventKind:
    if given.verdict.is_ok:
        return EventKind.ASKED
    return EventKind.FAILED if given.verdict.was_sent else EventKind.NOT_ASKED


def _tell(error: ProviderError) -> str:
    return f"{error.what}. {error.mend}".rstrip(". ") if error.mend else error.what

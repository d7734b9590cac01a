"""One judge's part of a run through batches: what came is taken, the rest is handed over."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from audit.batch_book import BatchBook
from audit.errors import ProviderError, UsageError
from audit.judges.answer import failed, read_reply
from audit.judges.batch_looking import look, now, this_process
from audit.judges.one_model import AskingOptions, is_answer
from audit.judges.panel import BatchChoice
from audit.judges.planning import most_usd
from audit.judges.protocol import VerdictStore
from audit.judges.questions import Question, Questions, Seat, render_questions, take_batch
from audit.judges.stops import LIMIT, limit_stop
from audit.providers.batches.service import UNCERTAIN, Batches, read_result
from audit.providers.retry import complete_with_retries
from audit.records.batch import BatchLine, BatchRecord, BatchState
from audit.records.run import JudgeStop
from audit.records.verdict import Verdict

_MOST_ROUNDS = 3
"""How often a waiting run hands the same question over."""


class BatchStore(VerdictStore, Protocol):
    """Where verdicts are kept, and what is known of batches."""

    @property
    def batches(self) -> BatchBook:
        """The book of batches."""
        ...


@dataclass
class Allowance:
    """What the run may still hand over, whichever judge it is for."""

    calls: int | None
    usd: float | None

    def take(self, most: float) -> bool:
        """Hold one question against the limits, if it fits."""
        if (self.calls is not None and self.calls < 1) or (self.usd is not None and most > self.usd):
            return False
        self.calls = None if self.calls is None else self.calls - 1
        self.usd = None if self.usd is None else self.usd - most
        return True


@dataclass
class SeatRun:
    """One judge's part of the run."""

    seat: Seat
    batches: Batches
    store: BatchStore
    options: AskingOptions
    choice: BatchChoice
    allowance: Allowance
    given: dict[str, Verdict] = field(default_factory=dict)
    """What this run got, by key."""
    n_rounds: Counter[str] = field(default_factory=Counter)
    n_waiting: int = 0
    stop: JudgeStop | None = None

    def open_records(self) -> list[BatchRecord]:
        """Return this judge's batches that have not ended."""
        return [record for record in self.store.batches.find(judge=self.seat.name) if record.state.is_open]

    async def look(self) -> bool:
        """Ask how far the open batches are; return whether one has ended."""
        has_ended = False
        for record in self.open_records():
            try:
                seen = await look(record, self.batches, book=self.store.batches)
            except ProviderError as error:
                self.choice.tell(f"{self.seat.name}: a batch could not be asked about: {error}")
                continue
            if not seen.state.is_open:
                has_ended = True
                note = f" ({seen.note})" if seen.note else ""
                self.choice.tell(f"{self.seat.name}: batch {seen.id[:8]} {seen.state.value}{note}")
        return has_ended

    async def hand_over(self, questions: Questions) -> None:
        """Make verdicts of what came, and hand over what no batch holds and nothing answers."""
        self.n_waiting = 0
        book, waiting = self.store.batches, []
        rendered = render_questions(questions, self.seat)
        while entries := take_batch(rendered):
            asked = {entry.key: entry for entry in entries if isinstance(entry, Question)}
            self._take_results(asked)
            stored = self.store.find(list(asked))
            held = book.held(list(asked))
            self.n_waiting += len(held)
            for key, question in asked.items():
                is_answered = key in stored and is_answer(stored[key], question)
                if not (is_answered or key in held or key in self.given):
                    waiting.append(question)
        await self._submit({question.key: question for question in waiting})

    def _take_results(self, asked: Mapping[str, Question]) -> None:
        lines = self.store.batches.results(list(asked))
        verdicts, kept = {}, []
        for key, line in lines.items():
            verdicts[key], is_paid = _read(asked[key], line, self.seat)
            kept += [verdicts[key]] if is_paid else []
        if lines:
            self.store.batches.take(kept, list(lines))
        self.given |= verdicts

    async def _submit(self, waiting: Mapping[str, Question]) -> None:
        left = [question for question in waiting.values() if self.n_rounds[question.key] < _MOST_ROUNDS]
        if left and not self.seat.provider.capabilities.is_settled:
            left = await self._ask_first(left)
        for questions, requests in self._parts(left):
            if self.stop is not None and self.stop.kind != LIMIT:
                return
            await self._submit_part(questions, requests)

    async def _ask_first(self, questions: list[Question]) -> list[Question]:
        """Ask one question live, for a batch can't find out what a model refuses."""
        first, *rest = questions
        if not self._fits(first):
            return []
        provider, options = self.seat.provider, self.options
        try:
            reply = await complete_with_retries(
                provider, first.prompt, trial=first.slot.trial, policy=options.retry, hooks=options.hooks
            )
        except ProviderError as error:
            self.given[first.key] = failed(first, self.seat, error=error)
            if error.stops_judge:
                self.stop = JudgeStop(self.seat.name, error.kind.value, str(error))
                return []
            return rest
        verdict = read_reply(first, reply, seat=self.seat)
        self.store.append_all([(verdict, False)])
        self.given[first.key] = verdict
        return rest

    def _parts(self, questions: Sequence[Question]) -> Iterator[tuple[list[Question], list[str]]]:
        """Cut into what one batch may hold, and off where a limit is reached."""
        limits = self.batches.limits
        part: list[Question] = []
        requests: list[str] = []
        n_bytes = 0
        for question in questions:
            if not self._fits(question):
                break
            request = self.batches.encode(question.key, question.prompt, trial=question.slot.trial)
            size = len(request.encode()) + 1
            if part and (n_bytes + size > limits.max_bytes or len(part) >= limits.max_requests):
                yield part, requests
                part, requests, n_bytes = [], [], 0
            part.append(question)
            requests.append(request)
            n_bytes += size
        if part:
            yield part, requests

    def _fits(self, question: Question) -> bool:
        most = most_usd(question.prompt, self.seat, is_batch=True) if self.allowance.usd is not None else 0.0
        if self.allowance.take(most):
            return True
        self.stop = self.stop or limit_stop(self.seat.name, self.options.limits)
        return False

    async def _submit_part(self, questions: Sequence[Question], requests: Sequence[str]) -> None:
        """Write down what is going to be handed over, hand it over, and write down that it was."""
        seat, book = self.seat, self.store.batches
        n_bytes = sum(len(request) + 1 for request in requests)
        created_at = now(precision="milliseconds")  # which tells the batches of one second apart
        intent = BatchRecord(
            uuid.uuid4().hex, seat.name, seat.endpoint, seat.model, len(questions), n_bytes, created_at, this_process()
        )
        own = book.reserve(intent, [question.key for question in questions])
        self.n_waiting += len(questions)  # what is not this batch's has just been handed over by another process
        if not own:
            return
        self.n_rounds.update(own)
        chosen = set(own)
        mine = [text for question, text in zip(questions, requests, strict=True) if question.key in chosen]
        try:
            remote = await self.batches.submit(intent.id, mine)
        except ProviderError as error:
            self.stop = JudgeStop(seat.name, error.kind.value, f"a batch was not handed over: {error}")
            is_known = error.kind not in UNCERTAIN
            state = BatchState.FAILED if is_known else BatchState.SUBMITTING
            self.n_waiting -= len(own) if is_known else 0
            book.update(replace(intent, state=state, ended_at=now() if is_known else "", note=error.what))
            return
        except UsageError as error:
            book.update(replace(intent, state=BatchState.FAILED, ended_at=now(), note=error.what))
            raise
        book.update(replace(intent, state=BatchState.RUNNING, remote_id=remote.id, submitted_at=now()))
        n_own = f"{len(own):,} question{'s' if len(own) > 1 else ''}"
        self.choice.tell(f"{seat.name}: {n_own} handed over in batch {intent.id[:8]} ({n_bytes / 1e6:.1f} MB)")


def _read(question: Question, line: BatchLine, seat: Seat) -> tuple[Verdict, bool]:
    """Return the verdict that a result holds, and whether it was paid for."""
    try:
        reply = read_result(seat.provider, line)
    except ProviderError as error:
        return failed(question, seat, error=error), False
    return read_reply(question, reply, seat=seat, is_batch=True), True

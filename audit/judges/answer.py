"""One question put to one model: the call, one repair request if the reply is unreadable, and the verdict."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias, TypeVar

from audit.errors import ProviderError, UnreadableReplyError
from audit.judges.questions import Question, Seat, Slot
from audit.prompts.templates import repair_request
from audit.providers.prices import cost_usd
from audit.records.prompt import Finish, Prompt, Reply, Usage
from audit.records.verdict import Verdict, VerdictState

_MAX_QUOTED_CHARACTERS = 4000
_MAX_KEPT_CHARACTERS = 100_000
"""Of a reply, in the store and in the results; it is read whole."""
_UNFINISHED = {
    Finish.TRUNCATED: (VerdictState.TRUNCATED, "the reply was cut off at the limit of output tokens"),
    Finish.REFUSED: (VerdictState.REFUSED, "the model refused to answer"),
    Finish.FILTERED: (VerdictState.FILTERED, "the provider's content filter withheld the reply"),
}


Number = TypeVar("Number", int, float)


class InterruptedCallError(Exception):
    """The call was not sent, or given up before the reply came; its text says why, as a clause."""


Call: TypeAlias = Callable[[Prompt, int], Awaitable[Reply]]
"""Sends a prompt for a trial, with retries; raises ``ProviderError`` or ``InterruptedCallError``."""
Keep: TypeAlias = Callable[[Verdict], Awaitable[None]]
"""Stores an unreadable reply before it is asked about again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, and the error that the last call ended with, if it did.

    Parameters
    ----------
    has_reply
        Whether any reply was paid for, so that the verdict has to be stored.
    """

    verdict: Verdict
    error: ProviderError | None = None
    has_reply: bool = True


@dataclass(frozen=True, slots=True)
class Asker:
    """How one model is asked."""

    seat: Seat
    call: Call
    keep: Keep


async def answer(question: Question, asker: Asker) -> Answer:
    """Ask, and ask once more if the reply can't be read; every outcome is a verdict.

    Parameters
    ----------
    question
        Rendered and keyed.
    asker
        How its model is asked. A repaired verdict counts the tokens and the cost of both calls.
    """
    try:
        reply = await asker.call(question.prompt, question.slot.trial)
    except ProviderError as error:
        return Answer(failed(question, asker.seat, error=error), error, has_reply=False)
    except InterruptedCallError as error:
        return Answer(not_asked(question.slot, asker.seat, problem=str(error)), has_reply=False)
    verdict = read_reply(question, reply, seat=asker.seat)
    if verdict.state not in (VerdictState.MALFORMED, VerdictState.EMPTY):
        return Answer(verdict)
    await asker.keep(verdict)
    return await _repair(question, verdict, asker)


async def _repair(question: Question, first: Verdict, asker: Asker) -> Answer:
    quoted = first.raw_reply.strip()[:_MAX_QUOTED_CHARACTERS]
    prompt = replace(question.prompt, repair=(quoted, repair_request(first.problem)))
    try:
        reply = await asker.call(prompt, question.slot.trial)
    except ProviderError as error:
        problem = f"{first.problem}; the repair request failed: {error.what}"
        return Answer(replace(first, problem=problem, n_calls=first.n_calls + error.n_attempts), error)
    except InterruptedCallError as error:
        return Answer(replace(first, problem=f"{first.problem}; not repaired: {error}"))
    second = read_reply(question, reply, seat=asker.seat)
    return Answer(
        replace(
            second,
            problem=f"{first.problem}; after a repair request: {second.problem}" if second.problem else "",
            usage=add_usage(first.usage, second.usage),
            cost_usd=_add(first.cost_usd, second.cost_usd),
            latency_s=first.latency_s + second.latency_s,
            n_calls=first.n_calls + second.n_calls,
            is_repaired=True,
        )
    )


def not_asked(slot: Slot, seat: Seat, *, problem: str) -> Verdict:
    """Return the verdict of a question that was not asked."""
    return _unscored(slot, seat, VerdictState.NOT_ASKED, problem=problem)


def undefined(slot: Slot, seat: Seat, *, reason: str) -> Verdict:
    """Return the verdict of a question that can't be put."""
    return _unscored(slot, seat, VerdictState.UNDEFINED, problem=reason)


def _unscored(slot: Slot, seat: Seat, state: VerdictState, *, problem: str) -> Verdict:
    return Verdict(slot.task.id, slot.judge.criterion, seat.name, slot.trial, state, problem=problem, trust=seat.trust)


def failed(question: Question, seat: Seat, *, error: ProviderError) -> Verdict:
    """Return the verdict of a question that brought no reply."""
    verdict = _unscored(question.slot, seat, VerdictState(error.kind.value), problem=error.what)
    return replace(
        verdict, key=question.key, prompt_hash=question.prompt.template_hash, n_calls=error.n_attempts, asked_at=_now()
    )


def read_reply(question: Question, reply: Reply, *, seat: Seat, is_batch: bool = False) -> Verdict:
    """Return the verdict that a reply holds, or why it holds none."""
    verdict = unread(question, reply, seat=seat, is_batch=is_batch)
    if reply.finish is not Finish.COMPLETE:
        return verdict
    try:
        judgement = question.slot.judge.read(reply.text, question.policy, where=question.slot.where)
    except UnreadableReplyError as error:
        state = VerdictState.MALFORMED if reply.text.strip() else VerdictState.EMPTY
        return replace(verdict, state=state, problem=error.what)
    return replace(verdict, score=judgement.score, violated=judgement.violated, reasons=judgement.reasons)


def unread(question: Question, reply: Reply, *, seat: Seat, is_batch: bool = False) -> Verdict:
    """Return what a reply says of itself, as a verdict whose content is still to be read where it is complete."""
    state, problem = _UNFINISHED.get(reply.finish, (VerdictState.OK, ""))
    return replace(
        _unscored(question.slot, seat, state, problem=problem),
        raw_reply=_cut(_encodable(reply.text)),
        usage=reply.usage,
        cost_usd=cost_of(reply, seat, is_batch=is_batch),
        latency_s=reply.latency_s,
        model=_encodable(reply.model),
        prompt_hash=question.prompt.template_hash,
        key=question.key,
        asked_at=_now(),
        n_calls=reply.n_attempts,
    )


def cost_of(reply: Reply, seat: Seat, *, is_batch: bool = False) -> float | None:
    """Return what a reply cost; ``None`` where that is not known."""
    return cost_usd(seat.endpoint, reply.model or seat.model, usage=reply.usage, own=seat.price, is_batch=is_batch)


def _cut(text: str) -> str:
    if len(text) <= _MAX_KEPT_CHARACTERS:
        return text
    return f"{text[:_MAX_KEPT_CHARACTERS]} … [cut here: {len(text)} characters]"


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def add_usage(first: Usage, second: Usage) -> Usage:
    """Return a sum; a count that one side lacks is unknown."""
    return Usage(
        input_tokens=_add(first.input_tokens, second.input_tokens),
        cached_tokens=_add(first.cached_tokens, second.cached_tokens),
        cache_write_tokens=_add(first.cache_write_tokens, second.cache_write_tokens),
        output_tokens=_add(first.output_tokens, second.output_tokens),
        reasoning_tokens=_add(first.reasoning_tokens, second.reasoning_tokens),
    )


def _add(first: Number | None, second: Number | None) -> Number | None:
    """Return a sum that is unknown when one side is."""
    return None if first is None or second is None else first + second

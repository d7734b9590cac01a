"""The questions of one call to a decisions endpoint: the call, or several where it is too long, and the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import TypeAlias

from audit.errors import ProviderError, UnreadableReplyError
from audit.judges.answer import Answer, Asker, InterruptedCallError, add_usage, cost_of, failed, not_asked, unread
from audit.judges.decisions_reply import (
    Given,
    answers_of,
    expected_score,
    is_refused,
    pack,
    read_item,
    read_levels,
)
from audit.judges.questions import Question, Seat
from audit.providers.decisions import MAX_DECISIONS
from audit.records.prompt import Decision, Finish, Reply, Usage
from audit.records.verdict import Verdict, VerdictState

VIOLATED_FROM = 0.5
"""An item counts as violated from this probability on."""
PROBABILITIES = "probabilities"
"""In the text that is kept of an answer: level or item id to its probability."""
_MAX_TOLD = 5
Outcome: TypeAlias = Reply | ProviderError | InterruptedCallError


@dataclass(frozen=True, slots=True)
class _Part:
    """What one call was asked, or would have been, and what came of it."""

    decisions: tuple[Decision, ...]
    outcome: Outcome

    def holds(self, question: Question) -> bool:
        """Whether anything of ``question`` belongs here."""
        return not set(self.decisions).isdisjoint(question.prompt.decisions)


@dataclass(frozen=True, slots=True)
class _Share:
    """What of a call is counted with one verdict."""

    n_calls: int = 0
    usage: Usage | None = None
    cost_usd: float | None = None
    latency_s: float = 0.0


async def decide(group: Sequence[Question], asker: Asker) -> tuple[Answer, ...]:
    """Ask about one task what ``group`` holds; every question gets its own verdict, whatever becomes of the others.

    What an answer lacks is not asked about again: there is no reply that could be mended.

    Returns
    -------
    tuple of Answer
        In the order of ``group``. Tokens and cost of a call are shared among its verdicts; its requests are counted
        with the first of them.
    """
    parts = await _ask(group, asker)
    shares: list[list[_Share]] = [[] for _ in group]
    for part in parts:
        places = [place for place, question in enumerate(group) if part.holds(question)]
        for rank, place in enumerate(places):
            shares[place].append(_share(part.outcome, asker.seat, rank=rank, n=len(places)))
    return tuple(
        _answer(question, [part for part in parts if part.holds(question)], own, seat=asker.seat)
        for question, own in zip(group, shares, strict=True)
    )


async def _ask(group: Sequence[Question], asker: Asker) -> list[_Part]:
    """Call until everything is asked or a call fails; the rest has then failed with it."""
    first, parts = group[0], []
    every = tuple(decision for question in group for decision in question.prompt.decisions)
    for start in range(0, len(every), MAX_DECISIONS):
        decisions = every[start : start + MAX_DECISIONS]
        try:
            reply = await asker.call(replace(first.prompt, decisions=decisions), first.slot.trial)
        except (ProviderError, InterruptedCallError) as error:
            parts.append(_Part(every[start:], error))
            break
        parts.append(_Part(decisions, reply))
    return parts


def _answer(question: Question, parts: Sequence[_Part], shares: Sequence[_Share], *, seat: Seat) -> Answer:
    failure = next((part.outcome for part in parts if not isinstance(part.outcome, Reply)), None)
    if isinstance(failure, ProviderError):
        verdict = failed(question, seat, error=failure)
    elif isinstance(failure, InterruptedCallError):
        verdict = not_asked(question.slot, seat, problem=str(failure))
        verdict = replace(verdict, key=question.key, prompt_hash=question.prompt.template_hash)
    else:
        verdict = _read(question, parts, seat)
    paid = [share for share in shares if share.usage is not None]
    verdict = replace(
        verdict,
        n_calls=sum(share.n_calls for share in shares),
        usage=reduce(add_usage, [share.usage for share in paid if share.usage is not None]) if paid else Usage(),
        cost_usd=_sum_costs([share.cost_usd for share in paid]),
        latency_s=sum(share.latency_s for share in shares),
    )
    error = failure if isinstance(failure, ProviderError) else None
    is_shared = not verdict.n_calls and (bool(paid) or error is not None)
    return Answer(replace(verdict, is_shared=is_shared), error, has_reply=bool(paid))


def _read(question: Question, parts: Sequence[_Part], seat: Seat) -> Verdict:
    replies = [part.outcome for part in parts if isinstance(part.outcome, Reply)]
    unfinished = next((reply for reply in replies if reply.finish is not Finish.COMPLETE), None)
    if unfinished is not None:
        return unread(question, unfinished, seat=seat)
    verdict, where, names = unread(question, replies[0], seat=seat), question.slot.where, _names(question)
    given: dict[str, list[Given]] = {name: [] for name in names}
    try:
        for part, reply in zip(parts, replies, strict=True):
            answers = answers_of(reply.text, part.decisions, where=where)
            given |= {name: own for name, own in answers.items() if name in names}
        verdict = replace(verdict, raw_reply=pack("answers", [answer for own in given.values() for answer in own]))
        if declined := [names[name] for name, own in given.items() if is_refused(own)]:
            return replace(verdict, state=VerdictState.REFUSED, problem=_tell_refused(question, declined))
        if question.prompt.decisions[0].levels:
            return _score(question, verdict, given)
        return _items(verdict, {names[name]: own for name, own in given.items()}, where)
    except UnreadableReplyError as error:
        return replace(verdict, state=VerdictState.MALFORMED, problem=error.what)


def _names(question: Question) -> dict[str, str]:
    """Return the names of what is asked, each with what it is about: the criterion, or an item by its id."""
    decisions = question.prompt.decisions
    if decisions[0].levels:
        return {decisions[0].name: question.slot.judge.criterion}
    return {decision.name: item.id for decision, item in zip(decisions, question.policy.items, strict=True)}


def _score(question: Question, verdict: Verdict, given: Mapping[str, list[Given]]) -> Verdict:
    (decision,) = question.prompt.decisions
    found = read_levels(given[decision.name], n_levels=len(decision.levels), where=question.slot.where)
    return replace(verdict, score=expected_score(found), raw_reply=pack(PROBABILITIES, found))


def _items(verdict: Verdict, given: Mapping[str, list[Given]], where: str) -> Verdict:
    found = {item: read_item(own, item, where=where) for item, own in given.items()}
    violated = tuple(item for item, probability in found.items() if probability >= VIOLATED_FROM)
    return replace(verdict, violated=violated, raw_reply=pack(PROBABILITIES, found))


def _tell_refused(question: Question, declined: Sequence[str]) -> str:
    if question.prompt.decisions[0].levels:
        return "the model refused to answer"
    shown = ", ".join(declined[:_MAX_TOLD]) + (", …" if len(declined) > _MAX_TOLD else "")
    return f"the model refused to answer for {len(declined)} of {len(question.prompt.decisions)} items ({shown})"


def _share(outcome: Outcome, seat: Seat, *, rank: int, n: int) -> _Share:
    """Return what of a call is counted with the verdict of that rank among ``n``."""
    if isinstance(outcome, InterruptedCallError):
        return _Share()
    n_calls = outcome.n_attempts if rank == 0 else 0
    if isinstance(outcome, ProviderError):
        return _Share(n_calls)
    counts = {field.name: getattr(outcome.usage, field.name) for field in fields(Usage)}
    usage = Usage(**{name: None if count is None else _part_of(count, rank, n) for name, count in counts.items()})
    cost = cost_of(outcome, seat)
    return _Share(n_calls, usage, None if cost is None else cost / n, outcome.latency_s)


def _part_of(count: int, rank: int, n: int) -> int:
    """Return a part of a count in whole numbers; all parts come to the count."""
    return count // n + (rank < count % n)


def _sum_costs(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known and len(known) == len(costs) else None

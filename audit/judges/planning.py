"""What a run would ask and cost, before anything is sent."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from audit.judges.protocol import VerdictStore
from audit.judges.questions import Question, Questions, Seat, render_groups, take_batch, take_seats
from audit.providers.capabilities import FACTS, ModelFacts
from audit.providers.decisions import MAX_DECISIONS
from audit.providers.prices import OwnPrice, cost_usd
from audit.providers.protocol import Provider
from audit.providers.tokens import estimate_tokens
from audit.records.mode import Mode
from audit.records.plan import Plan
from audit.records.prompt import Decision, Prompt, Usage
from audit.records.verdict import Verdict

_REPLY_TOKENS = 180
"""A score or a few ids, with three to seven short reasons."""
_THINKING_TOKENS = 1000
"""What a model that thinks spends on that, where nothing is known; real ones spend a tenth to ten times as much."""
_DECISION_TOKENS = 1
"""What an answer of probabilities is charged as, where nothing is known."""
_MOST_DECISION_TOKENS = 64
"""The same for a budget, which must not be crossed."""
_MARGIN = 1.3
"""What writing to a prompt cache may cost above the price of input, and an estimate may be too low."""
_FEWEST_STORED = 3
"""Stored replies that it takes to go by them."""


@dataclass
class _Count:
    """What has been counted of one judge's questions so far."""

    undefined: int = 0
    planned: int = 0
    seen: set[str] = field(default_factory=set)
    n_calls: int = 0
    n_decisions: int = 0
    asked_by_criterion: Counter[str] = field(default_factory=Counter)
    asked_by_prefix: Counter[str] = field(default_factory=Counter)
    tokens_by_prefix: dict[str, int] = field(default_factory=dict)
    suffix_tokens: int = 0
    n_read: int = 0
    """Stored replies that say what their prompt came to, with what they say and what was estimated for them."""
    real_input: int = 0
    estimated_input: int = 0
    n_replies: Counter[str] = field(default_factory=Counter)
    """By criterion, stored replies that say what they came to, and what they say."""
    reply_tokens: Counter[str] = field(default_factory=Counter)

    @property
    def to_ask(self) -> int:
        return self.asked_by_criterion.total()

    def prefix_tokens(self, prefix: str) -> int:
        """Estimate a prefix; it is looked at once."""
        if prefix not in self.tokens_by_prefix:
            self.tokens_by_prefix[prefix] = estimate_tokens(prefix)
        return self.tokens_by_prefix[prefix]

    def take(self, group: Sequence[Question], stored: Mapping[str, Verdict]) -> None:
        """Count questions that are put in one call."""
        if not group:
            return
        prompt = group[0].prompt
        prefix, suffix = self.prefix_tokens(prompt.prefix), estimate_tokens(prompt.suffix)
        if all(question.key in stored for question in group):
            decisions = sum(decision_tokens(question.prompt.decisions) for question in group)
            self._learn([stored[question.key] for question in group], prefix + suffix + decisions)
        new = {question.key: question for question in group if question.key not in stored}
        asked = [question for key, question in new.items() if key not in self.seen]
        if not asked:
            return
        self.seen.update(question.key for question in asked)
        self.asked_by_criterion.update(question.slot.judge.criterion for question in asked)
        n_decisions = sum(len(question.prompt.decisions) for question in asked)
        n_calls = max(1, -(-n_decisions // MAX_DECISIONS))
        self.n_calls += n_calls
        self.n_decisions += n_decisions
        self.asked_by_prefix[prompt.prefix] += n_calls
        self.suffix_tokens += suffix * n_calls + sum(decision_tokens(each.prompt.decisions) for each in asked)

    def _learn(self, stored: Sequence[Verdict], tokens: int) -> None:
        """Go by what a call said of itself that all of ``stored`` came of; those of decisions share its counts."""
        if any(verdict.is_repaired for verdict in stored):  # counts two prompts
            return
        if read := sum(verdict.usage.input_tokens or 0 for verdict in stored):
            self.n_read += 1
            self.real_input += read
            self.estimated_input += tokens
        for verdict in stored:
            if verdict.usage.output_tokens:
                self.n_replies[verdict.criterion] += 1
                self.reply_tokens[verdict.criterion] += verdict.usage.output_tokens

    @property
    def correction(self) -> float:
        """By how much estimates of this judge's prompts are off, as far as stored replies tell."""
        return self.real_input / self.estimated_input if self.n_read >= _FEWEST_STORED else 1.0

    @property
    def knows_replies(self) -> bool:
        """Whether stored replies tell how long replies are."""
        return self.n_replies.total() >= _FEWEST_STORED

    def mean_reply(self, criterion: str) -> float:
        """The mean length of stored replies; a criterion without any goes by the others."""
        if self.n_replies[criterion]:
            return self.reply_tokens[criterion] / self.n_replies[criterion]
        return self.reply_tokens.total() / self.n_replies.total()


def plan(
    questions: Questions,
    panel: Mapping[str, Provider],
    *,
    store: VerdictStore,
    is_fresh: bool = False,
    prices: Mapping[str, OwnPrice] | None = None,
) -> tuple[Plan, ...]:
    """Count what :func:`audit.judges.asking.ask_all` would ask, judge by judge; sends nothing.

    Parameters
    ----------
    questions, panel, store, is_fresh
        As for :func:`audit.judges.asking.ask_all`.
    prices
        The user's own prices, by judge.

    Returns
    -------
    tuple of Plan
        Tokens are estimated from the prompts' texts; where the store has replies of the judge to questions of this
        very run, their counts correct the estimate. Repair requests and retries are not in it.
    """
    seats = take_seats(panel, prices)
    return tuple(_plan_seat(seat, _count(questions, seat, store=store, is_fresh=is_fresh)) for seat in seats)


def _count(questions: Questions, seat: Seat, *, store: VerdictStore, is_fresh: bool) -> _Count:
    count = _Count()
    rendered = render_groups(questions, seat)
    while batch := take_batch(rendered):
        groups = [[entry for entry in group if isinstance(entry, Question)] for group in batch]
        asked = [question.key for group in groups for question in group]
        count.undefined += sum(map(len, batch)) - len(asked)
        count.planned += len(asked)
        stored = {} if is_fresh else store.find(asked)
        for group in groups:
            count.take(group, stored)
    return count


def _plan_seat(seat: Seat, count: _Count) -> Plan:
    facts = _facts_of(seat)
    correction, replies = count.correction, _reply_tokens(count, facts, seat.mode)
    by_prefix = count.asked_by_prefix
    whole = count.suffix_tokens + sum(count.tokens_by_prefix[prefix] * n for prefix, n in by_prefix.items())
    cached = sum(
        count.tokens_by_prefix[prefix] * (n - 1)
        for prefix, n in by_prefix.items()
        if count.tokens_by_prefix[prefix] * correction >= facts.cache_min_tokens
    )
    usage = Usage(
        input_tokens=round(whole * correction), cached_tokens=round(cached * correction), output_tokens=replies
    )
    costs = _costs(seat, usage, count.n_calls)
    return Plan(
        judge=seat.name,
        planned=count.planned,
        stored=count.planned - count.to_ask,
        to_ask=count.to_ask,
        undefined=count.undefined,
        n_calls=count.n_calls,
        input_tokens=usage.input_tokens or 0,
        cached_tokens=usage.cached_tokens or 0,
        output_tokens=replies,
        cost_usd=costs[0],
        cached_cost_usd=costs[1],
        batch_cost_usd=costs[2],
        basis=_say_basis(count, facts, seat.mode),
    )


def _facts_of(seat: Seat) -> ModelFacts:
    vendor = seat.name.partition(":")[0]
    known = (facts for facts in FACTS.get(vendor, ()) if re.fullmatch(facts.pattern, seat.model))
    return next(known, ModelFacts(""))


def _reply_tokens(count: _Count, facts: ModelFacts, mode: Mode) -> int:
    if mode is Mode.DECISIONS and not count.knows_replies:
        return count.n_decisions * _DECISION_TOKENS
    if not count.knows_replies:
        return (_REPLY_TOKENS + (_THINKING_TOKENS if facts.is_reasoning else 0)) * count.to_ask
    return round(sum(n * count.mean_reply(criterion) for criterion, n in count.asked_by_criterion.items()))


def _costs(seat: Seat, usage: Usage, n: int) -> tuple[float | None, float | None, float | None]:
    """Return the list price, that with a cache, and that of a batch; list prices have steps, so a call is the unit."""
    if not n:
        return 0.0, 0.0, 0.0
    each, cached = _mean(usage, n, is_cached=False), _mean(usage, n, is_cached=True)

    def cost(call: Usage, *, is_batch: bool = False) -> float | None:
        one = cost_usd(seat.endpoint, seat.model, usage=call, own=seat.price, is_batch=is_batch)
        return None if one is None else one * n

    batch = None if seat.mode is Mode.DECISIONS else cost(each, is_batch=True)
    return cost(each), cost(cached), batch


def _mean(usage: Usage, n: int, *, is_cached: bool) -> Usage:
    cached = (usage.cached_tokens or 0) // n if is_cached else 0
    return Usage((usage.input_tokens or 0) // n, cached, output_tokens=(usage.output_tokens or 0) // n)


def _say_basis(count: _Count, facts: ModelFacts, mode: Mode) -> str:
    read = (
        f"corrected by {count.n_read} stored replies" if count.n_read >= _FEWEST_STORED else "estimated from the text"
    )
    if count.knows_replies:
        return f"input {read}; output as in {count.n_replies.total()} stored replies"
    if mode is Mode.DECISIONS:
        return f"input {read}; output assumed at {_DECISION_TOKENS} for each of {count.n_decisions:,} answers"
    thinking = f" and {_THINKING_TOKENS:,} of thinking" if facts.is_reasoning else ""
    return f"input {read}; output assumed at {_REPLY_TOKENS}{thinking} a call"


@lru_cache(maxsize=64)
def _prefix_tokens(prefix: str) -> int:
    return estimate_tokens(prefix)


def prompt_tokens(prompt: Prompt) -> int:
    """Return about how many tokens a prompt is."""
    return _prefix_tokens(prompt.prefix) + estimate_tokens(prompt.suffix) + decision_tokens(prompt.decisions)


@lru_cache(maxsize=64)
def decision_tokens(decisions: tuple[Decision, ...]) -> int:
    """Return about how many tokens the questions to a decisions endpoint are."""
    return sum(estimate_tokens("\n".join((each.text, *each.levels))) for each in decisions)


def most_usd(prompt: Prompt, seat: Seat, *, is_batch: bool = False) -> float:
    """Return the most that a call can cost, nothing cached and the whole allowance used; 0 where no price is known."""
    if seat.mode is Mode.DECISIONS:
        allowance = len(prompt.decisions) * _MOST_DECISION_TOKENS
    else:
        allowance = json.loads(seat.parameters)["max_output_tokens"] if seat.parameters else 0
    read = round(prompt_tokens(prompt) * _MARGIN)
    usage = Usage(input_tokens=read, cached_tokens=0, output_tokens=allowance)
    return cost_usd(seat.endpoint, seat.model, usage=usage, own=seat.price, is_batch=is_batch) or 0.0


def unpriced(
    panel: Mapping[str, Provider], prices: Mapping[str, OwnPrice], *, is_batch: bool = False
) -> tuple[str, ...]:
    """Return the judges whose price is not known, so that no budget can be kept."""
    one = Usage(input_tokens=1, cached_tokens=0, output_tokens=1)
    return tuple(
        seat.name
        for seat in take_seats(panel, prices)
        if cost_usd(seat.endpoint, seat.model, usage=one, own=seat.price, is_batch=is_batch) is None
    )

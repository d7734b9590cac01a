"""What a run would ask of one judge, and what that would cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do with one judge, without doing it. ``planned == stored + to_ask``.

    Parameters
    ----------
    stored
        Verdicts that need no call: they are in the store, or the same question comes earlier in this run.
    undefined
        Questions that can't be put; not among the planned.
    n_calls
        Requests that this takes: one a verdict, or for decisions one for all of a task's.
    input_tokens, output_tokens
        Estimates for the calls to be sent.
    cached_tokens
        Those of the input tokens that a prompt cache that works would hold; never more than ``input_tokens``.
    cost_usd
        List price with nothing cached; ``None`` where no price is known, 0 only where nothing is asked or the replies
        are scripted.
    cached_cost_usd
        The same with ``cached_tokens`` read from the cache.
    batch_cost_usd
        The price through the vendor's batch API, nothing cached; ``None`` too where it has no price for that.
    basis
        How tokens were counted, as a clause for people.
    """

    judge: str
    planned: int
    stored: int
    to_ask: int
    undefined: int
    n_calls: int
    input_tokens: int
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    cached_cost_usd: float | None = None
    batch_cost_usd: float | None = None
    basis: str = ""

"""A judge's answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.records.mode import Mode, mode_of
from audit.records.prompt import Usage


class VerdictState(StrEnum):
    """Whether a verdict exists, and why not. Only ``OK`` carries a score or ids."""

    OK = "ok"
    MALFORMED = "malformed"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    AUTH = "auth"
    NOT_FOUND = "not_found"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    OVERLOADED = "overloaded"
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    BAD_RESPONSE = "bad_response"
    NOT_ASKED = "not_asked"
    """The judge was stopped (quota, key, interruption) before this call was sent."""
    UNDEFINED = "undefined"
    """The question can't be put: no policy items, too few tasks. Not a failure, never counted as missing."""


STATE_WORDS: Mapping[VerdictState, str] = {
    VerdictState.OK: "answered",
    VerdictState.MALFORMED: "unreadable",
    VerdictState.EMPTY: "empty",
    VerdictState.TRUNCATED: "cut off",
    VerdictState.REFUSED: "refused",
    VerdictState.FILTERED: "filtered by the provider",
    VerdictState.RATE_LIMITED: "rate limited",
    VerdictState.QUOTA: "out of quota",
    VerdictState.AUTH: "key refused",
    VerdictState.NOT_FOUND: "no such model or path",
    VerdictState.BAD_REQUEST: "request rejected",
    VerdictState.CONTEXT_TOO_LONG: "too long for the model",
    VerdictState.OVERLOADED: "turned away (overload)",
    VerdictState.SERVER: "failed by the server",
    VerdictState.TIMEOUT: "timed out",
    VerdictState.CONNECTION: "not connected",
    VerdictState.BAD_RESPONSE: "garbled in transit",
    VerdictState.NOT_ASKED: "not asked",
    VerdictState.UNDEFINED: "undefined",
}
"""Why there is no verdict, in two or three words."""


class Trust(StrEnum):
    """What stands behind a verdict; everything but ``MODEL`` is labelled wherever it is shown."""

    MODEL = "model"
    OFFLINE = "offline (heuristic)"
    SCRIPTED = "scripted (not a real judge)"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judge's answer on one task for one criterion in one trial.

    Parameters
    ----------
    criterion
        What was judged: ``desc_alignment``, ``policy_alignment``, ``policy_violations`` or ``offline_match``.
    judge
        The judge as the user named it, without credentials, such as ``openai:gpt-5.4``.
    score
        1 to 10 for alignment, 0 to 1 for ``offline_match``; ``None`` without a verdict and for violations.
    violated
        Ids of violated policy items; ``None`` without a verdict and for scores.
    reasons
        The judge's short reasons, untrusted text.
    problem
        Why there is no verdict, in one clause; empty when there is one.
    raw_reply
        The reply's text, untrusted.
    cost_usd
        ``None`` when the price is not known.
    key
        The store's key: SHA-256 of the canonical request.
    """

    task_id: str
    criterion: str
    judge: str
    trial: int
    state: VerdictState
    score: float | None = None
    violated: tuple[str, ...] | None = None
    reasons: tuple[str, ...] = ()
    problem: str = ""
    raw_reply: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    latency_s: float = 0.0
    model: str = ""
    prompt_hash: str = ""
    key: str = ""
    trust: Trust = Trust.MODEL
    asked_at: str = ""
    """UTC, ISO 8601."""
    n_calls: int = 0
    """Requests that this verdict took, retries and the repair request included; 0 when it was read back or computed."""
    is_repaired: bool = False
    is_shared: bool = False
    """Whether it was asked for just now, in a request that is counted with another verdict; never stored."""

    @property
    def was_sent(self) -> bool:
        """Whether it was asked for just now, and not read back, computed or left out."""
        return self.n_calls > 0 or self.is_shared

    @property
    def level(self) -> float | None:
        """The score by which two verdicts are told to be the same.

        A mean over a scale's levels, as decisions give it, is taken for the nearest level; other scores as they are.
        """
        if self.score is None or mode_of(self.judge) is Mode.PROMPTS:
            return self.score
        return nearest_level(self.score)

    @property
    def is_ok(self) -> bool:
        """Whether there is a verdict."""
        return self.state is VerdictState.OK


def nearest_level(score: float) -> float:
    """Return the whole number that is nearest to a score, of two the higher.

    Examples
    --------
    >>> nearest_level(6.5), nearest_level(6.49)
    (7.0, 6.0)
    """
    return float(math.floor(score + 0.5))

"""One pass over one benchmark and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.certificate import HeldCertificate
from audit.records.check import CheckResult
from audit.records.panel import PanelResult
from audit.records.pattern import FailurePatterns
from audit.records.replay import ReplayedCall
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Settings:
    """What fixes a run; saved with its result. Holds no key."""

    benchmark: str
    judges: tuple[str, ...]
    """Empty: the offline scorer."""
    metrics: tuple[str, ...]
    behavior: tuple[str, ...]
    trials: int = 1
    seed: int = 0
    concurrency: int = 16
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    split: str | None = None
    timeout_s: float = 120.0
    is_fresh: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run planned, found stored, asked and failed to get. ``planned == scored + unscored``."""

    planned: int = 0
    stored: int = 0
    asked: int = 0
    scored: int = 0
    unscored: int = 0
    undefined: int = 0
    n_calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """What this run spent; ``None`` when the price of any of its calls is not known."""
    stored_cost_usd: float | None = None
    cache_saved_usd: float | None = 0.0
    """What the vendors' prompt caches took off ``cost_usd``, less what filling them cost; ``None`` as there."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class JudgeStop:
    """A judge that was stopped before the end, and why, in one line without secrets."""

    judge: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """Everything that a report shows."""

    settings: Settings
    benchmark: Benchmark
    verdicts: tuple[Verdict, ...]
    scores: tuple[Score, ...]
    tally: Tally = field(default_factory=Tally)
    stops: tuple[JudgeStop, ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()
    """``(criterion and variant, prompt hash)`` of every prompt used."""
    tool_version: str = ""
    created_at: str = ""
    notes: tuple[str, ...] = ()
    """Sentences that every reader must see, such as what the offline scorer can't."""

    panel: PanelResult | None = None
    """With two judges or more: what they say together, and where they part."""
    checked: CheckResult | None = None
    """What the free checks found, low scores of judges among them; ``None`` where nobody looked."""
    replays: Mapping[str, tuple[ReplayedCall, ...]] = field(default_factory=dict)
    """Task id to what its gold actions do, one entry an action; empty where there is no environment."""
    certificates: tuple[HeldCertificate, ...] = ()
    """What is known of each judge, and the shares of flawed tasks; empty where nobody looked."""
    patterns: FailurePatterns | None = None
    """What the low scores' reasons have in common; ``None`` where no judge gave a score, or nobody looked."""

    @property
    def is_complete(self) -> bool:
        """Whether every planned verdict is there."""
        return self.tally.unscored == 0 and not self.stops

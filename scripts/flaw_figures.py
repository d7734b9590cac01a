"""How well a score or a mark tells flawed tasks from sound ones: shares, rankings and their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.metrics import average_precision_score, roc_auc_score

from audit.records.finding import Certainty, Finding, Severity

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
LEVEL = 0.95
WEIGHTS = {
    (Severity.ERROR, Certainty.PROVED): 0.95,
    (Severity.ERROR, Certainty.LIKELY): 0.8,
    (Severity.WARNING, Certainty.PROVED): 0.6,
    (Severity.WARNING, Certainty.LIKELY): 0.5,
    (Severity.NOTE, Certainty.PROVED): 0.05,
    (Severity.NOTE, Certainty.LIKELY): 0.05,
}
"""How much one rule's finding speaks for a flaw: by what severity and certainty mean, fitted to nothing."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its counts, a bootstrap interval over tasks, and the exact interval of Clopper and Pearson.

    Parameters
    ----------
    bootstrap
        ``None`` where too few draws define the share.
    exact
        Says how far a share of 0 or 1 can be trusted, of which the bootstrap knows nothing.
    """

    hits: int
    n: int
    bootstrap: tuple[float, float] | None
    exact: tuple[float, float] | None

    @property
    def value(self) -> float | None:
        """The share; ``None`` of nothing."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Ranking:
    """AUROC and average precision of a score that should be higher for flawed tasks, over the tasks that have it."""

    auroc: float | None
    auroc_interval: tuple[float, float] | None
    precision: float | None
    precision_interval: tuple[float, float] | None
    n_flawed: int
    n_sound: int


def weigh(findings: Iterable[Finding]) -> float:
    """Return how strongly a task's findings speak for a flaw: noisy or over rules, each by its gravest finding.

    Returns
    -------
    float
        In [0, 1); 0 without findings.
    """
    by_rule: dict[str, float] = {}
    for finding in findings:
        weight = WEIGHTS[finding.severity, finding.certainty]
        by_rule[finding.rule] = max(weight, by_rule.get(finding.rule, 0.0))
    return 1.0 - float(np.prod([1.0 - weight for weight in by_rule.values()]))


def break_ties(first: Floats, second: Floats) -> Floats:
    """Return scores in the order of ``first``, ties in the order of ``second``; no weight between the two is needed."""
    pairs = np.stack([first, second], axis=1)
    _, places = np.unique(pairs, axis=0, return_inverse=True)
    return np.asarray(places, dtype=np.float64).reshape(-1)


def measure_share(is_hit: Flags, is_counted: Flags, *, draws: NDArray[np.intp]) -> Share:
    """Return the share of the counted tasks that are hits.

    Parameters
    ----------
    draws
        Shape (draws, tasks): indices of tasks drawn with replacement.
    """
    hits, n = int((is_hit & is_counted).sum()), int(is_counted.sum())
    counted = is_counted[draws].sum(axis=1)
    drawn = (is_hit & is_counted)[draws].sum(axis=1)
    values = drawn[counted > 0] / counted[counted > 0]
    return Share(hits, n, interval(values, n_draws=len(draws)), _exact(hits, n))


def _exact(hits: int, n: int) -> tuple[float, float] | None:
    if not n:
        return None
    tail = (1 - LEVEL) / 2
    low = float(beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    return low, high


def measure_ranking(score: Floats, is_flawed: Flags, *, draws: int, rng: np.random.Generator) -> Ranking:
    """Return how a score ranks flawed tasks above sound ones; tasks whose score is nan are left out."""
    known = ~np.isnan(score)
    score, is_flawed = score[known], is_flawed[known]
    n_flawed, n = int(is_flawed.sum()), len(score)
    if n_flawed in (0, n):
        return Ranking(None, None, None, None, n_flawed, n - n_flawed)
    chosen = rng.integers(0, n, size=(draws, n))
    both = [draw for draw in chosen if 0 < is_flawed[draw].sum() < n]
    aurocs, precisions = (_over(both, statistic, score, is_flawed) for statistic in _STATISTICS)
    return Ranking(
        auroc=float(roc_auc_score(is_flawed, score)),
        auroc_interval=interval(aurocs, n_draws=draws),
        precision=float(average_precision_score(is_flawed, score)),
        precision_interval=interval(precisions, n_draws=draws),
        n_flawed=n_flawed,
        n_sound=n - n_flawed,
    )


_STATISTICS: tuple[Callable[[Flags, Floats], float], ...] = (roc_auc_score, average_precision_score)


def _over(
    draws: Sequence[NDArray[np.intp]], statistic: Callable[[Flags, Floats], float], score: Floats, is_flawed: Flags
) -> Floats:
    return np.asarray([float(statistic(is_flawed[draw], score[draw])) for draw in draws])


def interval(values: Floats, *, n_draws: int) -> tuple[float, float] | None:
    """Return the percentile interval of a statistic's draws; ``None`` where under nine in ten draws define it."""
    if len(values) < 0.9 * n_draws:
        return None
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)

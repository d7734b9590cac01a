"""The share of flawed tasks, corrected for the error of the judge that found them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.bootstrap import LEVEL

N_DRAWS = 20_000
_LEAST_SKILL = 0.05
"""Sensitivity plus specificity less 1, below which a judge says too little to be corrected."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many of ``n`` tasks a judge marked, or marked rightly."""

    n_marked: int
    n: int

    @property
    def share(self) -> float:
        """The share of the tasks."""
        return self.n_marked / self.n


@dataclass(frozen=True, slots=True)
class Corrected:
    """A share as counted, and corrected, with the interval of the corrected one."""

    raw: float
    value: float
    interval: Interval


def correct_prevalence(
    marked: Counted,
    *,
    sensitivity: Counted,
    specificity: Counted,
    rng: np.random.Generator,
    level: float = LEVEL,
) -> Corrected:
    """Return the share of flawed tasks as it would be had the judge made no mistakes.

    Parameters
    ----------
    marked
        Tasks that the judge calls flawed, of all.
    sensitivity
        Tasks known to be flawed that it calls so, of all such.
    specificity
        Tasks known to be sound that it calls so, of all such.

    Returns
    -------
    Corrected
        The value is cut to [0, 1]. Its interval carries the chance in all three counts: each share is drawn from its
        posterior under Jeffreys' prior.

    Raises
    ------
    UndefinedScoreError
        If a count is of no tasks, or the judge marks flawed tasks hardly more often than sound ones.

    Notes
    -----
    Rogan and Gladen (1978), "Estimating prevalence from the results of a screening test".

    Examples
    --------
    >>> found = correct_prevalence(
    ...     Counted(30, 100), sensitivity=Counted(9, 10), specificity=Counted(8, 10), rng=np.random.default_rng(0)
    ... )
    >>> found.raw, round(found.value, 4)
    (0.3, 0.1429)
    """
    for name, count in (("judged", marked), ("known flawed", sensitivity), ("known sound", specificity)):
        if count.n < 1:
            raise UndefinedScoreError(f"no {name} tasks")
    skill = sensitivity.share + specificity.share - 1
    if skill < _LEAST_SKILL:
        raise UndefinedScoreError(
            f"the judge marks {sensitivity.share:.0%} of flawed and {1 - specificity.share:.0%} of sound tasks: "
            "too alike to correct by"
        )
    value = (marked.share + specificity.share - 1) / skill
    shares, hits, passes = (
        rng.beta(each.n_marked + 0.5, each.n - each.n_marked + 0.5, N_DRAWS)
        for each in (marked, sensitivity, specificity)
    )
    drawn_skill = np.maximum(hits + passes - 1, _LEAST_SKILL)
    drawn = np.clip((shares + passes - 1) / drawn_skill, 0.0, 1.0)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    cut = min(1.0, max(0.0, value))
    return Corrected(marked.share, cut, Interval(min(float(low), cut), max(float(high), cut), level))

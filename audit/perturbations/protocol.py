"""The seam from a benchmark to the same benchmark with known changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from audit.records.perturbation import Direction, Perturbed
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Dose:
    """How much to change, and how to choose.

    Parameters
    ----------
    rate
        Share of the tasks, in [0, 1]. The tasks of a lower rate are among those of a higher one, changed alike.
    seed
        Chooses tasks and changes; nothing else is random.
    other
        Another benchmark, for kinds that take something from one.
    """

    rate: float
    seed: int = 0
    other: Benchmark | None = None


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One kind of change.

    Parameters
    ----------
    name
        As on the command line.
    direction
        What it must do to scores.
    metrics
        Names of the metrics that it must lower; of one that keeps scores, those that it must not move.
    summary
        A line for help texts and reports, without a full stop.
    apply
        The pure function.
    is_whole
        Whether it changes what all tasks share, so that the rate can only be 1.
    needs_other
        Whether it takes something from another benchmark.
    variant_of
        The kind that it is another way of: words for several kinds stand for that one alone.
    """

    name: str
    direction: Direction
    metrics: tuple[str, ...]
    summary: str
    apply: Callable[[Benchmark, Dose], Perturbed]
    is_whole: bool = False
    needs_other: bool = False
    variant_of: str = ""

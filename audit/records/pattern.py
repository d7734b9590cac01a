"""What the low scores of a run have in common: their reasons in groups, with how far the grouping comes back."""

from __future__ import annotations

from dataclasses import dataclass

from audit.records.codebook import CodeOrigin
from audit.records.score import Interval


@dataclass(frozen=True, slots=True)
class FailurePattern:
    """A group of reasons.

    Parameters
    ----------
    id
        Of its group in the codebook, or made of the words that set it apart.
    is_fault
        Whether its reasons fault anything; a low score's reasons may also say what is in order.
    share
        Of the grouped reasons.
    task_ids
        The tasks of its reasons, the most typical first.
    example
        The most typical reason, untrusted text; of the task ``task_ids[0]``.
    example_judge
        Who gave it.
    comes_back
        Mean likeness (Jaccard) to the best fitting group of a redraw; ``None`` where it can't be said.
    words
        What sets it apart.
    trust
        What its reasons are to be labelled with; empty for those of a model.
    """

    id: str
    name: str
    origin: CodeOrigin
    is_fault: bool
    n_reasons: int
    share: float
    task_ids: tuple[str, ...]
    example: str
    example_judge: str
    comes_back: float | None
    words: tuple[str, ...]
    trust: str = ""


@dataclass(frozen=True, slots=True)
class FailurePatterns:
    """The reasons of low scores in groups.

    Parameters
    ----------
    codebook
        What the groups start from: ``start``, or the name of a file that somebody has gone through.
    below
        Scores below it are low.
    n_scores, n_tasks, n_reasons
        Low scores, their tasks, and their reasons.
    n_grouped
        Reasons that were grouped: all, or an even draw of them where they are very many.
    patterns
        Those that hold a reason: faults first, the most frequent first.
    problem
        Why nothing was grouped; empty where something was.
    rand, interval
        Mean adjusted Rand index between the grouping and those of bootstrap draws, and the middle 95 % of it.
    unsteady
        Why these do not exist; empty where they do.
    """

    codebook: str
    below: float
    seed: int
    n_scores: int
    n_tasks: int
    n_reasons: int
    n_grouped: int
    patterns: tuple[FailurePattern, ...]
    problem: str = ""
    rand: float | None = None
    interval: Interval | None = None
    n_draws: int = 0
    unsteady: str = ""

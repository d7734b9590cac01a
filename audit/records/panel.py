"""What several judges say together, and where they part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.records.score import Score


class AgreementStatistic(StrEnum):
    """How the agreement of two judges is measured."""

    KENDALL_TAU_B = "kendall_tau_b"
    EXACT_MATCH = "exact_match"
    """Share of tasks with the same value; for violations, with the same set of items."""
    MEAN_ABSOLUTE_DIFFERENCE = "mean_absolute_difference"
    JACCARD = "jaccard"
    """Violations only: shared items over items named by either, averaged over tasks where either names one."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One statistic of one pair of judges on one criterion.

    Parameters
    ----------
    n
        Tasks that entered it.
    value
        ``None`` when undefined.
    reason
        Why ``value`` is ``None``; empty when there is one.
    """

    criterion: str
    judges: tuple[str, str]
    statistic: AgreementStatistic
    value: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PanelTask:
    """One task as the judges of a panel see it on one criterion.

    Parameters
    ----------
    value_by_judge
        Mean over trials of the score, or of the number of violated items; judges without a verdict are absent.
    violated_by_judge
        Violations only: the items that a judge names in most of its trials.
    median
        Over the judges; ``None`` below the panel's quorum.
    violated
        Violations only: the items that more than half of the judges with a verdict name; ``None`` below the quorum.
    spread
        Greatest minus least value; for violations, how many items some judges name and others don't.
    has_parted
        Whether the judges part: a spread of 3 points or more, or different sets of items.
    """

    task_id: str
    criterion: str
    value_by_judge: Mapping[str, float]
    violated_by_judge: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    median: float | None = None
    violated: tuple[str, ...] | None = None
    spread: float = 0.0
    has_parted: bool = False


@dataclass(frozen=True, slots=True)
class PanelResult:
    """The panel's own scores, and the agreement of its judges.

    Parameters
    ----------
    name
        What stands for a judge in ``scores``, such as ``panel (median of 3)``.
    quorum
        Judges that must have a verdict on a task for the panel to have one: more than half of them.
    tasks
        By criterion, then in the benchmark's order; tasks without any verdict are absent.
    family_by_judge
        Model family of each judge; ``None`` when its name doesn't tell.
    author_family
        The family that wrote the benchmark, when known.
    """

    name: str
    judges: tuple[str, ...]
    quorum: int
    scores: tuple[Score, ...]
    tasks: tuple[PanelTask, ...]
    agreements: tuple[Agreement, ...]
    family_by_judge: Mapping[str, str | None]
    author_family: str | None = None

    @property
    def parted(self) -> tuple[PanelTask, ...]:
        """Tasks where the judges part, the widest first within a criterion."""
        criteria = list(dict.fromkeys(task.criterion for task in self.tasks))
        parted = (task for task in self.tasks if task.has_parted)
        return tuple(sorted(parted, key=lambda task: (criteria.index(task.criterion), -task.spread)))

    @property
    def same_family(self) -> tuple[str, ...]:
        """Judges of the family that wrote the benchmark; they may favour their own."""
        if self.author_family is None:
            return ()
        author = self.author_family.lower()
        return tuple(judge for judge in self.judges if self.family_by_judge[judge] == author)

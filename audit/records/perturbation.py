"""What was changed in a benchmark on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from audit.records.task import Benchmark, Json


class Direction(StrEnum):
    """What a perturbation must do to its metrics."""

    LOWERS = "lowers"
    """It plants a defect: the scores of the changed tasks must fall."""
    KEEPS = "keeps"
    """It changes the form alone: no score may move."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value of a task that is no longer what it was.

    Parameters
    ----------
    task_id
        ``None`` for what all tasks share: the policy, the database.
    field
        JSON path inside the task's entry, such as ``evaluation_criteria.actions[2]``; a thing that went stands at the
        place where it was, one that came at the place where it is.
    before, after
        ``None`` where there was, or is, nothing.
    partner
        Where the new value is from: another task's id, a row, a benchmark.
    how
        The way in which it was changed, of kinds that have several.
    """

    task_id: str | None
    field: str
    before: Json
    after: Json
    partner: str | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Untouched:
    """A task that can't be changed in this way, and why: a clause."""

    task_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A benchmark with known defects, or in another form.

    Parameters
    ----------
    benchmark
        The tasks in their order, under their ids; some are changed.
    kind, rate, seed
        What was asked for; the rate is the share of all tasks that were to be changed.
    n_wanted
        The tasks that this rate comes to.
    changes
        In task order; what all tasks share comes first.
    untouched
        Tasks that can't be changed in this way at any rate.
    notes
        What a user has to know: sentences.
    """

    benchmark: Benchmark
    kind: str
    rate: float
    seed: int
    n_wanted: int
    changes: tuple[Change, ...]
    untouched: tuple[Untouched, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changed_ids(self) -> tuple[str, ...]:
        """The changed tasks, in task order; all of them where what they share was changed."""
        if any(change.task_id is None for change in self.changes):
            return tuple(task.id for task in self.benchmark.tasks)
        return tuple(dict.fromkeys(change.task_id for change in self.changes if change.task_id is not None))

    @property
    def partner_by_task(self) -> Mapping[str, str]:
        """Changed tasks and where their new values are from, for those that have it from somewhere."""
        return {c.task_id: c.partner for c in self.changes if c.task_id is not None and c.partner is not None}

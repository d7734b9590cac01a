"""What two runs, or two versions of a benchmark, have in common and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.score import Interval, Score
from audit.records.verdict import Trust


@dataclass(frozen=True, slots=True)
class SavedFinding:
    """A finding as far as a comparison needs it; ``what`` is untrusted text."""

    fingerprint: str
    rule: str
    severity: str
    task_id: str | None
    what: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One side of a comparison, taken from a run or read from a saved one.

    Parameters
    ----------
    label
        What the user called it: a benchmark or a file.
    benchmark
        The benchmark's own name.
    items
        Policy item's id to where it stands in its policy; ``None`` where a file doesn't tell.
    tasks
        Task id to component to digest, in the benchmark's order; no components where the file doesn't tell them.
    findings
        ``None`` where nobody looked for any.
    rules
        Ids of the rules that were looked for.
    violated
        Judge to task id to the items that it violates in most trials.
    behavior
        Parts of the expected behavior that judges saw.
    prompts
        Criterion to the hash of its prompt.
    models
        Judge to the models that answered, as the provider named them.
    """

    label: str
    benchmark: str
    policy_sha256: str
    items: Mapping[str, str] | None
    tasks: Mapping[str, Mapping[str, str]]
    findings: tuple[SavedFinding, ...] | None = None
    rules: frozenset[str] = frozenset()
    scores: tuple[Score, ...] = ()
    violated: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    behavior: frozenset[str] = frozenset()
    trials: int = 1
    prompts: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task that both sides have and that differs, with the components that do."""

    task_id: str
    components: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One metric of one judge on both sides.

    Parameters
    ----------
    old, new
        Each side's value over all of its own tasks; ``None`` where it has none.
    n_paired
        Tasks that have a value on both sides.
    difference
        New minus old over the paired tasks; ``None`` when the two can't be compared, with ``reasons``.
    interval
        Paired bootstrap over tasks.
    reasons
        Why there is no difference.
    """

    metric: str
    judge: str
    old: float | None
    new: float | None
    n_paired: int = 0
    difference: float | None = None
    interval: Interval | None = None
    reasons: tuple[str, ...] = ()
    trust: Trust = Trust.MODEL

    @property
    def has_fallen(self) -> bool:
        """Whether the whole interval lies below zero."""
        return self.interval is not None and self.interval.high < 0

    @property
    def has_risen(self) -> bool:
        """Whether the whole interval lies above zero."""
        return self.interval is not None and self.interval.low > 0


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """Findings of both sides by fingerprint.

    Parameters
    ----------
    gone
        Of the old side's, those whose task is no longer there, or whose rule was not looked for again.
    """

    new: tuple[SavedFinding, ...] = ()
    fixed: tuple[SavedFinding, ...] = ()
    unchanged: tuple[SavedFinding, ...] = ()
    gone: tuple[SavedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that changed from the old side to the new one.

    Parameters
    ----------
    n_same
        Tasks that both have and that say the same.
    policy_changed
        Whether the benchmark's policy is another text.
    items_changed
        Ids of policy items that only one side has or, in the same text, that stand elsewhere.
    findings
        ``None`` where one side has not been checked.
    notes
        What could not be compared, as sentences.
    """

    old: Snapshot
    new: Snapshot
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[TaskChange, ...]
    n_same: int
    policy_changed: bool
    items_changed: tuple[str, ...]
    findings: FindingChanges | None
    scores: tuple[ScoreChange, ...]
    notes: tuple[str, ...] = ()

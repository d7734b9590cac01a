"""What a release gate demands, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from audit.records.check import CheckResult
from audit.records.comparison import Comparison
from audit.records.finding import Finding
from audit.records.run import RunResult
from audit.records.verdict import Trust


class Level(StrEnum):
    """What a criterion, or the whole gate, says."""

    PASS = "pass"  # noqa: S105  # no password
    WARN = "warn"
    INCOMPLETE = "incomplete"
    """It can't be told: verdicts are missing, or something was not looked at."""
    FAIL = "fail"


GRAVITY = (Level.FAIL, Level.INCOMPLETE, Level.WARN, Level.PASS)


class Kind(StrEnum):
    """What a criterion is about."""

    SEVERITY = "severity"
    RULE = "rule"
    METRIC = "metric"
    VERDICTS = "verdicts"
    WAIVER = "waiver"
    CERTIFICATE = "certificate"


class Side(StrEnum):
    """On which side of a threshold it is bad."""

    BELOW = "below"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where a criterion warns and where it fails; the threshold itself passes."""

    side: Side
    warn: float | None = None
    fail: float | None = None

    def level(self, number: float) -> Level:
        """Return what ``number`` means."""
        for limit, level in ((self.fail, Level.FAIL), (self.warn, Level.WARN)):
            if limit is not None and (number < limit if self.side is Side.BELOW else number > limit):
                return level
        return Level.PASS


@dataclass(frozen=True, slots=True)
class Subset:
    """Which tasks a demand is about: all of the run's, or those of a split or with a tag."""

    kind: str = ""
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.kind else ""


WHOLE = Subset()


@dataclass(frozen=True, slots=True)
class Demand:
    """One line of the settings.

    Parameters
    ----------
    name
        A severity, a rule's id or a metric.
    judge
        For metrics: whose score; empty for the panel's, or the only judge's; ``each`` for every judge's.
    where
        The place in the settings file.
    """

    kind: Kind
    name: str
    threshold: Threshold
    subset: Subset = WHOLE
    judge: str = ""
    where: str = ""


EACH = "each"


@dataclass(frozen=True, slots=True)
class Waiver:
    """A finding that somebody has looked at and lets through for a time.

    Parameters
    ----------
    task_id
        ``None`` for findings of the benchmark as a whole.
    content
        Digest of what was looked at.
    expires
        The last day on which it holds.
    where
        The place in the settings file.
    """

    rule: str
    task_id: str | None
    content: str
    reason: str
    owner: str
    expires: date
    where: str = ""


@dataclass(frozen=True, slots=True)
class CertificateDemand:
    """That judges are certified, and how long ago at most; ``None`` for any time."""

    max_age_days: int | None = None


@dataclass(frozen=True, slots=True)
class GateSettings:
    """The gate's table of a settings file."""

    demands: tuple[Demand, ...]
    waivers: tuple[Waiver, ...] = ()
    where: str = ""
    certificate: CertificateDemand | None = None
    """That every judge is certified; ``None`` where nothing is demanded."""


class WaiverState(StrEnum):
    """What became of a waiver."""

    USED = "used"
    UNUSED = "unused"
    """Nothing to waive."""
    EXPIRED = "expired"
    REOPENED = "re-opened"
    """What it waives was edited."""
    IDLE = "not in this run"
    """Its task is not among those chosen, or only a judge could find what it waives and none was asked."""


WAIVER_LEVEL = {
    WaiverState.USED: Level.PASS,
    WaiverState.UNUSED: Level.WARN,
    WaiverState.EXPIRED: Level.FAIL,
    WaiverState.REOPENED: Level.WARN,
    WaiverState.IDLE: Level.PASS,
}


@dataclass(frozen=True, slots=True)
class WaiverOutcome:
    """A waiver, what became of it, why, and the findings that it lets through or once did."""

    waiver: Waiver
    state: WaiverState
    why: str
    findings: tuple[Finding, ...] = ()

    @property
    def is_used(self) -> bool:
        """Whether it lets its findings through."""
        return self.state is WaiverState.USED


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that the gate looked at.

    Parameters
    ----------
    number
        How many findings count, or a metric's value; ``None`` where it doesn't exist.
    bound
        For metrics: the end of the interval that was held against the threshold.
    why
        One clause: what was compared, and why this level.
    judge, trust
        For metrics: whose score it is, and what stands behind it.
    findings
        Those that count.
    """

    kind: Kind
    name: str
    level: Level
    why: str
    subset: Subset = WHOLE
    threshold: Threshold | None = None
    number: float | None = None
    bound: float | None = None
    judge: str = ""
    trust: Trust | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate says, and everything that it says it from.

    Parameters
    ----------
    criteria
        In the settings' order; verdicts and waivers last.
    counted
        Findings that are neither waived nor known from the baseline.
    waived, known
        The others.
    checked
        The checks' own result, waived findings included.
    runs
        What judges and the offline scorer said.
    comparison
        With the baseline, where there is one.
    notes
        Sentences that every reader must see.
    """

    criteria: tuple[Criterion, ...]
    waivers: tuple[WaiverOutcome, ...]
    counted: tuple[Finding, ...]
    waived: tuple[Finding, ...]
    known: tuple[Finding, ...]
    checked: CheckResult
    runs: tuple[RunResult, ...]
    today: date
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        """The gravest level of any criterion."""
        return min((criterion.level for criterion in self.criteria), key=GRAVITY.index, default=Level.PASS)

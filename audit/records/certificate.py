"""What was measured of a judge, kept with its identity, and what a run makes of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.records.score import Interval
from audit.records.study import Estimate, StudySubject

SUITE_VERSION = "2"
"""Of what judges are asked for a certificate; goes up whenever that changes."""
FLAWED_AT = 6.0
"""On the 1-to-10 scales, a task counts as flawed at this score and below."""
FLAWED_BELOW = 0.5
"""A task counts as flawed at an offline match below this."""
THRESHOLDS: Mapping[str, float] = {
    "desc_alignment": FLAWED_AT,
    "policy_alignment": FLAWED_AT,
    "offline_match": FLAWED_BELOW,
}
"""Metrics by which a task can be called flawed."""


class Section(StrEnum):
    """What a certificate measures, in the order in which it is told."""

    SENSITIVITY = "sensitivity"
    """Do scores fall where a defect is planted?"""
    INVARIANCE = "invariance"
    """Do verdicts stay where only the form is changed?"""
    STABILITY = "stability"
    """Are answers to the same question the same?"""
    INJECTION = "injection"
    """Do orders planted in a task move its verdict?"""
    FORMAT = "format"
    """How many replies can't be used?"""
    AGREEMENT = "agreement"
    """Does the judge say what labels say?"""


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """What decides what a judge is asked with: the same for the same judge in every run.

    Parameters
    ----------
    model
        As it is asked for; what a server returned stands in the certificate.
    parameters
        Canonical, as in the verdicts' keys.
    """

    endpoint: str
    model: str
    parameters: str

    @property
    def key(self) -> str:
        """Its hash, under which certificates are kept."""
        text = json.dumps([self.endpoint, self.model, self.parameters], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that was measured on one benchmark.

    Parameters
    ----------
    name
        A kind of change, a disguise, a statistic.
    metric
        The metric or criterion that it is about.
    n
        Tasks, verdicts or replies that it rests on.
    values
        Numbers by name; what is undefined has its reason.
    """

    section: Section
    benchmark: str
    name: str
    metric: str
    n: int
    values: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Screen:
    """What the judge gave tasks of the sample that are known to be flawed, and those known to be sound.

    Parameters
    ----------
    flawed
        One value a task, each with one planted defect.
    sound
        One value a task, as it stands.
    """

    metric: str
    flawed: tuple[float, ...]
    sound: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """What a certificate does not measure, and why: a clause."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """How a judge did on a fixed suite of questions whose answers are known.

    Parameters
    ----------
    judge
        As the user named it.
    models
        Those that answered, as returned.
    label
        What must stand beside its numbers, such as for a scripted judge.
    suite, suite_sha256
        Version of the suite, and the hash of everything that it asks on the sample.
    prompts
        ``(criterion and variant, prompt hash)``.
    n_planned, n_missing
        Verdicts that the suite needs, and those that are not there.
    missing
        Why they are not there: state of a verdict to their number.
    measured_at
        For benchmarks that were measured earlier, and whose numbers are kept: name to the time of that certificate.
    """

    judge: str
    identity: JudgeIdentity
    models: tuple[str, ...]
    label: str
    suite: str
    suite_sha256: str
    prompts: tuple[tuple[str, str], ...]
    subjects: tuple[StudySubject, ...]
    measures: tuple[Measure, ...]
    screens: tuple[Screen, ...]
    unmeasured: tuple[Gap, ...]
    trials: int
    n_planned: int
    n_missing: int
    missing: Mapping[str, int] = field(default_factory=dict)
    tool_version: str = ""
    created_at: str = ""
    measured_at: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether every verdict is there."""
        return self.n_missing == 0

    def of(self, section: Section) -> tuple[Measure, ...]:
        """Return what was measured in a section."""
        return tuple(each for each in self.measures if each.section is section)


@dataclass(frozen=True, slots=True)
class CorrectedShare:
    """The share of flawed tasks by a judge: as it says, and corrected for its measured error.

    Parameters
    ----------
    n_flawed, n
        Tasks at or below the threshold, of those with a value.
    hits, n_known_flawed, passes, n_known_sound
        The certificate's tasks on the right side of the threshold: its sensitivity and specificity as counts.
    value, interval
        Corrected; ``None`` where it is undefined, and ``reason`` says why.
    """

    metric: str
    threshold: float
    n_flawed: int
    n: int
    hits: int = 0
    n_known_flawed: int = 0
    passes: int = 0
    n_known_sound: int = 0
    value: float | None = None
    interval: Interval | None = None
    reason: str = ""

    @property
    def raw(self) -> float:
        """The share as the judge says."""
        return self.n_flawed / self.n


@dataclass(frozen=True, slots=True)
class HeldCertificate:
    """What is known of one of a run's judges.

    Parameters
    ----------
    certificate
        The newest one of the same endpoint, model and parameters; ``None`` for none.
    caveats
        Sentences on where the run differs from what was certified.
    shares
        One a metric by which tasks can be called flawed.
    """

    judge: str
    certificate: Certificate | None
    caveats: tuple[str, ...] = ()
    shares: tuple[CorrectedShare, ...] = ()

"""What was measured, for the page and for results.json."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from scripts.bench.browser import Speed
from scripts.bench.checking import Run
from scripts.bench.processes import Used
from scripts.bench.server import Counts, Manner


@dataclass(frozen=True, slots=True)
class Asked:
    """One program that asked a server of its own; ``error`` says why it did not.

    Parameters
    ----------
    n_planned, n_kept
        Questions, and the verdicts that the program itself kept or counted at its end.
    used
        The whole command, from its start to its exit.
    counts
        What the server saw.
    """

    program: str
    concurrency: int
    manner: Manner
    n_planned: int
    n_kept: int = 0
    used: Used = field(default_factory=Used)
    counts: Counts | None = None
    error: str = ""

    @property
    def per_second(self) -> float:
        """Verdicts a second of the whole command."""
        return self.n_kept / self.used.seconds

    @property
    def asking_seconds(self) -> float:
        """From the first request to the last answer, by the server's clock."""
        assert self.counts is not None
        return self.counts.last_answer_s - (self.counts.first_request_s or 0.0)

    @property
    def per_second_asking(self) -> float:
        """Verdicts a second between the first request and the last answer."""
        return self.n_kept / self.asking_seconds

    @property
    def share_of_ideal(self) -> float:
        """How long the calls take at least, if a program costs nothing, over how long they took."""
        latency = self.manner.latency_s + self.manner.jitter_s / 2
        return math.ceil(self.n_planned / self.concurrency) * latency / self.asking_seconds

    @property
    def cpu_ms(self) -> float:
        """Processor time of the whole command for each verdict."""
        return 1000 * self.used.cpu_seconds / self.n_kept


@dataclass(frozen=True, slots=True)
class Repeated:
    """One command, several times."""

    name: str
    runs: tuple[Used, ...]

    @property
    def error(self) -> str:
        """Why one of them did not finish, or an empty string."""
        return next((used.error for used in self.runs if used.error), "")

    def spread(self, what: str) -> tuple[float, float]:
        """Return the least and the median of a figure."""
        values = [float(getattr(used, what)) for used in self.runs]
        return min(values), statistics.median(values)


@dataclass(frozen=True, slots=True)
class Stored:
    """A process that loads and aggregates stored verdicts: its parts in seconds, by its own clock."""

    n_verdicts: int
    whole: Repeated
    load_s: float = 0.0
    aggregate_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it was measured; nothing that names a machine or a place on it."""

    day: str
    processor: str
    n_cores: int
    memory_gb: float
    system: str
    python: str
    versions: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Results:
    """All of one run of the benchmark; what was not measured is empty, and ``skipped`` says why."""

    machine: Machine
    command: str
    load_before: float
    load_after: float = 0.0
    seconds: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    peers: list[Asked] = field(default_factory=list)
    again: Sequence[Repeated] = ()
    n_again: int = 0
    stored: Stored | None = None
    rest: list[Repeated] = field(default_factory=list)
    browser: Speed | None = None
    checks: Sequence[Run] = ()
    skipped: list[str] = field(default_factory=list)

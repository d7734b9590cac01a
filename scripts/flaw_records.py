"""What was measured on tasks with labels of flaws, for the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.records.finding import Severity
from scripts.bench.checking import Run
from scripts.flaw_figures import Ranking, Share


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything measured under one source of labels."""

    domain: str
    source: str
    n_flawed: int
    n_sound: int
    precision: Mapping[str, Share]
    recall: Mapping[str, Share]
    rankings: Mapping[str, Ranking]


@dataclass(frozen=True, slots=True)
class RuleCount:
    """In how many flawed and sound tasks of a domain a rule reports a finding of a severity."""

    rule: str
    severity: Severity
    domain: str
    n_flawed: int
    n_sound: int


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """How many of the tasks with a kind of flaw are marked by an error or warning."""

    category: str
    n_found: int
    n: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What the tables show."""

    figures: tuple[Figures, ...]
    rules: tuple[RuleCount, ...]
    categories: tuple[CategoryCount, ...]
    runs: tuple[Run, ...]
    not_loaded: tuple[str, ...]
    seed: int
    draws: int
    day: str

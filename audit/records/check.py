"""What a pass of the free checks over one benchmark brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.finding import SEVERITY_ORDER, Finding, Rule, Severity
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Something that was not looked at.

    Parameters
    ----------
    what
        What nobody looked at, as a clause without a period.
    reason
        Why not, as a clause.
    rules
        Ids of the rules that were left out; empty where it is a matter of what the files hold.
    """

    what: str
    reason: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Every finding, with what was looked for and what could not be looked at.

    Parameters
    ----------
    findings
        The gravest first, then in task order; judged ones may stand among them.
    rules
        Every rule that was looked for, in the checks' order, and those of the findings.
    environment
        Name of the environment that the gold actions were replayed in; empty for none.
    fail_on
        The mildest severity that fails a release; ``None`` where nobody said so.
    paths
        File as named in origins to its path as seen from where the program ran, for viewers that open the files;
        files that lie elsewhere are absent.
    """

    benchmark: Benchmark
    findings: tuple[Finding, ...]
    rules: tuple[Rule, ...]
    unchecked: tuple[Unchecked, ...] = ()
    environment: str = ""
    tool_version: str = ""
    fail_on: Severity | None = None
    paths: Mapping[str, str] = field(default_factory=dict)

    @property
    def rule_by_id(self) -> dict[str, Rule]:
        """The rules that were looked for."""
        return {rule.id: rule for rule in self.rules}

    @property
    def n_by_severity(self) -> dict[Severity, int]:
        """How many findings of each severity there are, the gravest first, zeros included."""
        counts = Counter(finding.severity for finding in self.findings)
        return {severity: counts[severity] for severity in SEVERITY_ORDER}

    @property
    def n_by_rule(self) -> dict[str, int]:
        """How many findings each rule has, in the rules' order, zeros included."""
        counts = Counter(finding.rule for finding in self.findings)
        return {rule.id: counts[rule.id] for rule in self.rules}

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that are at least as grave as ``fail_on``."""
        return () if self.fail_on is None else self.at_least(self.fail_on)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings that are at least as grave as ``severity``."""
        worst = SEVERITY_ORDER[: SEVERITY_ORDER.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in worst)

    def of_task(self, task_id: str | None) -> tuple[Finding, ...]:
        """Return the findings of one task; ``None`` for those of the set as a whole."""
        return tuple(finding for finding in self.findings if finding.task_id == task_id)

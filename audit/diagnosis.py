"""What a report shows beside scores: what the free checks find, and what the gold actions do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from audit import __version__
from audit.checks.judged import JUDGED_RULES, judged_findings
from audit.checks.registry import order_findings
from audit.environments.registry import environment_for
from audit.environments.replay import replay
from audit.inspection import CheckOptions, check_benchmark, see_from_here
from audit.kept import keep
from audit.loaders.registry import LOADERS
from audit.metrics.registry import needed_criterion
from audit.records.check import CheckResult, Unchecked
from audit.records.finding import Finding, Rule
from audit.records.replay import ReplayedCall
from audit.records.run import RunResult, Settings
from audit.records.task import BEHAVIOR_KINDS, DEFAULT_BEHAVIOR, Benchmark

_Call: TypeAlias = tuple[Any, str, str, tuple[tuple[str, str], ...]]
"""The fields of a replayed call."""


def diagnose(result: RunResult, options: CheckOptions | None = None, *, root: Path) -> RunResult:
    """Return a run with what the free checks find in its tasks, judges' low scores among it, and the gold replays.

    Parameters
    ----------
    root
        The folder that the benchmark's files are named relative to.
    """
    looked = _look(result, options, root)
    checked = looked.checked(result.benchmark, root=root)
    asked = {needed_criterion(metric) for metric in result.settings.metrics} if result.settings.judges else set()
    rules = tuple(rule for criterion, rule in JUDGED_RULES.items() if criterion in asked)
    findings = order_findings((*checked.findings, *judged_findings(result)), result.benchmark)
    checked = replace(checked, findings=findings, rules=(*checked.rules, *rules))
    return replace(result, checked=checked, replays=looked.replays)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the free layer says of a benchmark, which is worked out once."""

    findings: tuple[Finding, ...]
    rules: tuple[Rule, ...]
    unchecked: tuple[Unchecked, ...]
    environment: str
    calls: dict[str, tuple[_Call, ...]]

    @property
    def replays(self) -> dict[str, tuple[ReplayedCall, ...]]:
        """The gold replays, by task."""
        return {id: tuple(ReplayedCall(*call) for call in calls) for id, calls in self.calls.items()}

    def checked(self, benchmark: Benchmark, *, root: Path) -> CheckResult:
        """Return the findings as those of a benchmark."""
        result = CheckResult(benchmark, self.findings, self.rules, self.unchecked, self.environment, __version__)
        return see_from_here(result, root=root)


def _look(result: RunResult, options: CheckOptions | None, root: Path) -> _Looked:
    """Return what the checks say, kept from the last run where nothing but known files and this program decides it."""
    benchmark = result.benchmark

    def look() -> _Looked:
        found = check_benchmark(benchmark, options, root=root)
        calls = {
            id: tuple((call.result, call.error, call.detail, call.changed) for call in replayed)
            for id, replayed in replay_gold(benchmark, options).items()
        }
        return _Looked(found.findings, found.rules, found.unchecked, found.environment, calls)

    is_told_whole = options is None and benchmark.format in LOADERS and benchmark.files
    if result.settings.is_fresh or not is_told_whole:
        return look()
    return keep("checks", of=_identity(benchmark), as_type=_Looked, make=look)


def _identity(benchmark: Benchmark) -> list[object]:
    """Return everything that tells a benchmark from another: its files, and how they were read."""
    own = {task.policy.name: task.policy for task in benchmark.tasks if task.policy is not None}
    twin, policies = benchmark.twin, (benchmark.policy, *own.values(), *benchmark.other_policies)
    return [
        *(benchmark.name, benchmark.format, benchmark.version, benchmark.style, benchmark.columns),
        twin and (twin.file, dict(twin.entries)),  # read from a file that is none of the set's own
        [(file.path, file.sha256) for file in benchmark.files],
        [task.id for task in benchmark.tasks],
        [(each.name, each.sha256, repr(each.items)) for each in policies],
    ]


def add_findings(result: RunResult, checked: CheckResult, *, options: CheckOptions | None = None) -> RunResult:
    """Return a run with findings that are there already, and the gold replays."""
    return replace(result, checked=checked, replays=replay_gold(result.benchmark, options))


def without_scores(checked: CheckResult, name: str, *, options: CheckOptions | None = None) -> RunResult:
    """Return the findings as a run in which nobody scored anything, for the report of the checks alone.

    Parameters
    ----------
    name
        What the user called the benchmark.
    """
    behavior = tuple(kind.value for kind in BEHAVIOR_KINDS if kind in DEFAULT_BEHAVIOR)
    settings = Settings(benchmark=name, judges=(), metrics=(), behavior=behavior)
    created_at = datetime.now(UTC).isoformat(timespec="seconds")
    alone = RunResult(
        settings=settings,
        benchmark=checked.benchmark,
        verdicts=(),
        scores=(),
        tool_version=checked.tool_version,
        created_at=created_at,
    )
    return add_findings(alone, checked, options=options)


def replay_gold(benchmark: Benchmark, options: CheckOptions | None = None) -> Mapping[str, tuple[ReplayedCall, ...]]:
    """Run every task's gold actions; nothing where there is no environment."""
    name = "auto" if options is None else options.environment
    if name == "none":
        return {}
    environment = environment_for(benchmark, name=None if name == "auto" else name)
    if environment is None:
        return {}
    return {
        task.id: tuple(
            ReplayedCall(outcome.result, outcome.error, outcome.detail, outcome.changed)
            for outcome in replay(environment, task).outcomes
        )
        for task in benchmark.tasks
    }

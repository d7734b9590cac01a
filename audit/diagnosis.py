"""What a report shows beside scores: what the free checks find, and what the gold actions do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from audit.checks.judged import JUDGED_RULES, judged_findings
from audit.checks.registry import order_findings
from audit.environments.registry import environment_for
from audit.environments.replay import replay
from audit.inspection import CheckOptions, check_benchmark
from audit.metrics.registry import needed_criterion
from audit.records.check import CheckResult
from audit.records.replay import ReplayedCall
from audit.records.run import RunResult, Settings
from audit.records.task import BEHAVIOR_KINDS, DEFAULT_BEHAVIOR, Benchmark


def diagnose(result: RunResult, options: CheckOptions | None = None, *, root: Path) -> RunResult:
    """Return a run with what the free checks find in its tasks, judges' low scores among it, and the gold replays.

    Parameters
    ----------
    root
        The folder that the benchmark's files are named relative to.
    """
    checked = check_benchmark(result.benchmark, options, root=root)
    asked = {needed_criterion(metric) for metric in result.settings.metrics} if result.settings.judges else set()
    rules = tuple(rule for criterion, rule in JUDGED_RULES.items() if criterion in asked)
    findings = order_findings((*checked.findings, *judged_findings(result)), result.benchmark)
    return add_findings(result, replace(checked, findings=findings, rules=(*checked.rules, *rules)), options=options)


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

"""What ``gate`` and ``compare`` share: checks, offline scores and judges over one benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from audit import pipeline, release
from audit.cli.judging import RunFlags, with_judge
from audit.cli.places import with_places
from audit.cli.progress import show_progress
from audit.compare.saved import read_snapshot
from audit.judges.panel import Panel
from audit.loaders.json_file import read_input
from audit.records.check import CheckResult
from audit.records.comparison import Snapshot
from audit.records.plan import Plan
from audit.records.task import Benchmark
from audit.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyFlags(RunFlags):
    """Which benchmark, which of its tasks, and what is asked about them."""

    benchmark: str
    environment: str
    policy_rules: Path | None

    @property
    def check_options(self) -> pipeline.CheckOptions:
        """What is checked."""
        return pipeline.CheckOptions(environment=self.environment, policy_rules=self.policy_rules)


def load(flags: SurveyFlags, panel: Panel) -> Benchmark:
    """Load the benchmark with the tasks that the flags choose."""
    return pipeline.load(flags.benchmark, flags.places, settings=flags.settings(panel, benchmark=flags.benchmark))


def plan(flags: SurveyFlags, panel: Panel, *, benchmark: Benchmark) -> tuple[Plan, ...]:
    """Count the calls that :func:`survey` would send."""
    with Store(flags.judge.store_place) as store:
        return pipeline.plan_run(benchmark, flags.settings(panel, benchmark=flags.benchmark), panel=panel, store=store)


def check(flags: SurveyFlags, benchmark: Benchmark) -> CheckResult:
    """Only check."""
    root = pipeline.find_source(flags.benchmark, flags.places).root
    return pipeline.check_benchmark(benchmark, flags.check_options, root=root)


def survey(flags: SurveyFlags, panel: Panel, *, benchmark: Benchmark) -> release.Survey:
    """Check, score and judge."""
    root = pipeline.find_source(flags.benchmark, flags.places).root
    is_quiet = flags.judge.quiet or not panel.providers
    with Store(flags.judge.store_place) as store, show_progress(is_quiet=is_quiet) as on_event:
        ground = release.Ground(panel, store, flags.check_options, on_event)
        return release.survey(benchmark, flags.settings(panel, benchmark=flags.benchmark), ground=ground, root=root)


def make_survey_flags(parsed: Mapping[str, Any]) -> SurveyFlags:
    """Return the flags that say what is looked at."""
    grouped = with_judge(with_places(parsed))
    return SurveyFlags(**{field.name: grouped[field.name] for field in fields(SurveyFlags)})


def read_saved(path: Path) -> Snapshot:
    """Read a saved run that the user named."""
    return read_snapshot(read_input(path, root=path.parent, role="saved run").content, where=str(path))

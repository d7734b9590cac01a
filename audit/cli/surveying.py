"""What ``gate`` and ``compare`` share: checks, offline scores and judges over one benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from audit import pipeline, release
from audit.cli.judging import JudgeFlags
from audit.cli.options import chosen_items, chosen_layout
from audit.cli.progress import show_progress
from audit.compare.saved import read_snapshot
from audit.judges.panel import Panel
from audit.loaders.json_file import read_input
from audit.records.check import CheckResult
from audit.records.comparison import Snapshot
from audit.records.plan import Plan
from audit.records.run import Settings
from audit.records.task import Benchmark
from audit.store import Store, StorePlace, default_store_path


@dataclass(frozen=True, slots=True)
class SurveyFlags:
    """Which benchmark, which of its tasks, and what is asked about them.

    Parameters
    ----------
    places
        Where its files are.
    """

    benchmark: str
    places: pipeline.Places
    metrics: tuple[str, ...]
    behavior: tuple[str, ...]
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    environment: str
    policy_rules: Path | None
    seed: int
    judge: JudgeFlags

    @property
    def check_options(self) -> pipeline.CheckOptions:
        """What is checked."""
        return pipeline.CheckOptions(environment=self.environment, policy_rules=self.policy_rules)

    @property
    def store_path(self) -> StorePlace:
        """The verdict store's place."""
        return self.judge.store or default_store_path()

    def settings(self, panel: Panel) -> Settings:
        """Return what fixes the run of these judges."""
        return Settings(
            benchmark=self.benchmark,
            judges=tuple(panel.providers),
            metrics=pipeline.choose_metrics(self.metrics, has_judge=bool(panel.providers)),
            behavior=pipeline.choose_behavior(self.behavior),
            trials=self.judge.trials,
            seed=self.seed,
            concurrency=self.judge.concurrency,
            tasks=self.tasks,
            limit=self.limit,
            split=self.split,
            timeout_s=self.judge.timeout_s,
            is_fresh=self.judge.fresh,
        )


def load(flags: SurveyFlags, panel: Panel) -> Benchmark:
    """Load the benchmark with the tasks that the flags choose."""
    return pipeline.load(flags.benchmark, flags.places, settings=flags.settings(panel))


def plan(flags: SurveyFlags, panel: Panel, *, benchmark: Benchmark) -> tuple[Plan, ...]:
    """Count the calls that :func:`survey` would send."""
    with Store(flags.store_path) as store:
        return pipeline.plan_run(benchmark, flags.settings(panel), panel=panel, store=store)


def check(flags: SurveyFlags, benchmark: Benchmark) -> CheckResult:
    """Only check."""
    root = pipeline.find_source(flags.benchmark, flags.places).root
    return pipeline.check_benchmark(benchmark, flags.check_options, root=root)


def survey(flags: SurveyFlags, panel: Panel, *, benchmark: Benchmark) -> release.Survey:
    """Check, score and judge."""
    root = pipeline.find_source(flags.benchmark, flags.places).root
    is_quiet = flags.judge.quiet or not panel.providers
    with Store(flags.store_path) as store, show_progress(is_quiet=is_quiet) as on_event:
        ground = release.Ground(panel, store, flags.check_options, on_event)
        return release.survey(benchmark, flags.settings(panel), ground=ground, root=root)


def make_survey_flags(parsed: Mapping[str, Any]) -> SurveyFlags:
    """Return the flags that say what is looked at."""
    own = {field.name for field in fields(SurveyFlags)} - {"places", "judge"}
    return SurveyFlags(
        **{name: value for name, value in parsed.items() if name in own},
        places=pipeline.Places(
            parsed["data_dir"],
            parsed["policy"],
            parsed["database"],
            parsed["tools"],
            **chosen_items(parsed["policy_items"]),
            **chosen_layout(parsed["columns"], parsed["style"]),
        ),
        judge=JudgeFlags(**{field.name: parsed[field.name] for field in fields(JudgeFlags)}),
    )


def read_saved(path: Path) -> Snapshot:
    """Read a saved run that the user named."""
    return read_snapshot(read_input(path, root=path.parent, role="saved run").content, where=str(path))

"""Judges as a side job of another command: asked for what it needs, through the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from audit import pipeline
from audit.cli.output import say
from audit.cli.progress import show_progress
from audit.errors import UsageError
from audit.judges.panel import BatchChoice, Panel, PanelOptions, WorkersChoice, make_panel, tell_no_one
from audit.judges.spending import Limits
from audit.metrics.registry import JUDGED_METRICS, METRICS
from audit.postgres import StorePlace
from audit.providers.pace import Rates
from audit.records.mode import Mode
from audit.records.run import RunResult, Settings
from audit.records.task import Benchmark
from audit.store import Store, default_store_path


@dataclass(frozen=True, slots=True)
class JudgeFlags:
    """The flags of ``judge_options`` as click parsed them."""

    judges: tuple[str, ...]
    api_key_env: tuple[str, ...]
    trials: int
    concurrency: int
    timeout_s: float
    retries: int
    budget: float | None
    max_calls: int | None
    prices: tuple[str, ...]
    rpm: float | None
    tpm: float | None
    store: StorePlace | None
    fresh: bool
    quiet: bool
    batch: bool = False
    wait: bool = False
    workers: str | None = None
    modes: tuple[str, ...] = ()
    is_planned: bool = False
    """Whether --dry-run is given, with which no key is needed."""

    @property
    def store_place(self) -> StorePlace:
        """The verdict store's place."""
        return self.store or default_store_path()

    def panel(self) -> Panel:
        """Return the judges; nothing is sent."""
        options = PanelOptions(
            key_envs=self.api_key_env,
            timeout_s=self.timeout_s,
            n_retries=self.retries,
            prices=self.prices,
            limits=Limits(self.max_calls, self.budget),
            rates=Rates(self.rpm, self.tpm),
            batch=self._batch(),
            workers=self._workers(),
            modes=self._modes(),
            is_planned=self.is_planned,
        )
        return make_panel(self.judges, options)

    def _batch(self) -> BatchChoice | None:
        if self.wait and not self.batch:
            raise UsageError("there is nothing to wait for", where="--wait", mend="Add --batch")
        if not self.batch:
            return None
        self._need_judge("--batch")
        if self.fresh:
            what = "--fresh would hand over again what has just come"
            raise UsageError(what, where="--batch", mend="Name a new file with --store instead")
        return BatchChoice(self.wait, self._tell)

    def _modes(self) -> tuple[Mode, ...]:
        if self.modes:
            self._need_judge("--mode")
        return tuple(Mode(mode) for mode in self.modes)

    def _workers(self) -> WorkersChoice | None:
        if self.workers is None:
            return None
        self._need_judge("--workers")
        if self.fresh:
            what = "--fresh would ask again what a lost worker had stored"
            raise UsageError(what, where="--workers", mend="Name a new store with --store instead")
        return WorkersChoice(self.workers, self._tell)

    @property
    def _tell(self) -> Callable[[str], None]:
        return tell_no_one if self.quiet else say

    def _need_judge(self, flag: str) -> None:
        if not self.judges:
            raise UsageError("no judge is named", where=flag, mend="Add --judge VENDOR:MODEL")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags:
    """What fixes a run beside its benchmark; the flags that several commands share."""

    places: pipeline.Places
    metrics: tuple[str, ...]
    behavior: tuple[str, ...]
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    seed: int
    judge: JudgeFlags

    def check_metrics(self) -> None:
        """Refuse a judge's metric without a judge: a flag that was forgotten, not a wish for the offline score."""
        if self.metrics and not self.judge.judges and pipeline.OFFLINE not in self.metrics:
            name = self.metrics[0]
            if name in METRICS:
                raise UsageError(f"{name} needs a judge", where="--metric", mend="Add --judge VENDOR:MODEL")

    def settings(self, panel: Panel, *, benchmark: str) -> Settings:
        """Return what fixes the run of these judges."""
        return Settings(
            benchmark=benchmark,
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


def with_judge(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a command's flags with those of ``judge_options`` as one record, ``judge``."""
    names = {field.name for field in fields(JudgeFlags)}
    is_planned = "dry_run" in parsed and bool(parsed["dry_run"])
    judge = JudgeFlags(**{name: value for name, value in parsed.items() if name in names}, is_planned=is_planned)
    return {name: value for name, value in parsed.items() if name not in names} | {"judge": judge}


def score(benchmark: Benchmark, metrics: Sequence[str], *, flags: JudgeFlags, panel: Panel) -> tuple[RunResult, ...]:
    """Measure ``metrics``: what needs a judge with the panel, what needs none without it; nothing for no metric."""
    judged = tuple(name for name in metrics if name in JUDGED_METRICS)
    offline = tuple(name for name in metrics if name not in JUDGED_METRICS)
    if not metrics:
        return ()
    with (
        Store(flags.store_place) as store,
        show_progress(is_quiet=flags.quiet or not judged) as on_event,
    ):
        return tuple(
            pipeline.score_benchmark(
                benchmark, _settings(benchmark, names, flags, judges), panel=judges, store=store, on_event=on_event
            )
            for names, judges in ((judged, panel), (offline, Panel()))
            if names
        )


def _settings(benchmark: Benchmark, metrics: tuple[str, ...], flags: JudgeFlags, panel: Panel) -> Settings:
    return Settings(
        benchmark=benchmark.name,
        judges=tuple(panel.providers),
        metrics=metrics,
        behavior=pipeline.choose_behavior(()),
        trials=flags.trials,
        concurrency=flags.concurrency,
        timeout_s=flags.timeout_s,
        is_fresh=flags.fresh,
    )

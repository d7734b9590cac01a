"""Judges as a side job of another command: asked for what it needs, through the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit import pipeline
from audit.cli.output import say
from audit.cli.progress import show_progress
from audit.errors import UsageError
from audit.judges.panel import BatchChoice, Panel, PanelOptions, make_panel
from audit.judges.spending import Limits
from audit.metrics.registry import JUDGED_METRICS
from audit.records.run import RunResult, Settings
from audit.records.task import Benchmark
from audit.store import Store, StorePlace, default_store_path


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

    def panel(self) -> Panel:
        """Return the judges; nothing is sent."""
        options = PanelOptions(
            key_envs=self.api_key_env,
            timeout_s=self.timeout_s,
            n_retries=self.retries,
            prices=self.prices,
            limits=Limits(self.max_calls, self.budget),
            rates=(self.rpm, self.tpm),
            batch=self._batch(),
        )
        return make_panel(self.judges, options)

    def _batch(self) -> BatchChoice | None:
        if self.wait and not self.batch:
            raise UsageError("there is nothing to wait for", where="--wait", mend="Add --batch")
        if not self.batch:
            return None
        if not self.judges:
            raise UsageError("no judge is named", where="--batch", mend="Add --judge VENDOR:MODEL")
        if self.fresh:
            what = "--fresh would hand over again what has just come"
            raise UsageError(what, where="--batch", mend="Name a new file with --store instead")
        return BatchChoice(self.wait, _tell_no_one if self.quiet else say)


def _tell_no_one(line: str) -> None:
    """Say nothing."""


def score(benchmark: Benchmark, metrics: Sequence[str], *, flags: JudgeFlags, panel: Panel) -> tuple[RunResult, ...]:
    """Measure ``metrics``: what needs a judge with the panel, what needs none without it; nothing for no metric."""
    judged = tuple(name for name in metrics if name in JUDGED_METRICS)
    offline = tuple(name for name in metrics if name not in JUDGED_METRICS)
    if not metrics:
        return ()
    with (
        Store(flags.store or default_store_path()) as store,
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

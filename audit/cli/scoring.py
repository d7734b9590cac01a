"""What ``bench-audit score`` does with its flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from audit import pipeline
from audit.cli.judging import JudgeFlags
from audit.cli.main import INCOMPLETE
from audit.cli.options import chosen_items, chosen_layout
from audit.cli.output import check_writable, say, terminal_width, write_file, write_lines, write_result
from audit.cli.planning import plan_csv, plan_json, plan_text
from audit.cli.progress import show_progress
from audit.diagnosis import diagnose
from audit.errors import UsageError
from audit.judges.panel import Panel
from audit.metrics.registry import METRICS
from audit.records.plan import Plan
from audit.records.run import RunResult, Settings
from audit.reports.registry import RENDERERS
from audit.reports.to_text import WIDTH, to_text
from audit.store import Store, StorePlace, default_store_path


@dataclass(frozen=True, slots=True)
class ScoreFlags:
    """The command's flags as click parsed them."""

    benchmark: str
    data_dir: Path | None
    policy: Path | None
    database: Path | None
    tools: Path | None
    policy_items: str
    columns: tuple[str, ...]
    style: str | None
    judges: tuple[str, ...]
    api_key_env: tuple[str, ...]
    metrics: tuple[str, ...]
    behavior: tuple[str, ...]
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    trials: int
    concurrency: int
    timeout_s: float
    retries: int
    budget: float | None
    max_calls: int | None
    prices: tuple[str, ...]
    rpm: float | None
    tpm: float | None
    seed: int
    dry_run: bool
    format_name: str
    output: Path | None
    report: Path | None
    checks: bool
    store: StorePlace | None
    fresh: bool
    batch: bool
    wait: bool
    quiet: bool

    @property
    def places(self) -> pipeline.Places:
        """Where the benchmark's files are."""
        given, layout = chosen_items(self.policy_items), chosen_layout(self.columns, self.style)
        return pipeline.Places(self.data_dir, self.policy, self.database, self.tools, **given, **layout)

    def panel(self) -> Panel:
        """Return the judges; nothing is sent."""
        return JudgeFlags(**{field.name: getattr(self, field.name) for field in fields(JudgeFlags)}).panel()

    @property
    def store_path(self) -> StorePlace:
        """The verdict store's place."""
        return self.store or default_store_path()


def run(flags: ScoreFlags) -> int:
    """Score as the flags say, write what they name, and return the exit code."""
    _check_files(flags)
    check_metrics(flags)
    panel = flags.panel()
    settings = settings_of(flags, tuple(panel.providers))
    benchmark = pipeline.load(flags.benchmark, flags.places, settings=settings)
    with Store(flags.store_path) as store:
        if flags.dry_run:
            write_plan(flags, pipeline.plan_run(benchmark, settings, panel=panel, store=store))
            if flags.report is not None:
                say(f"Not written, for nothing was scored (--dry-run): {flags.report}")
            return 0
        with show_progress(is_quiet=flags.quiet or not panel.providers) as on_event:
            result = pipeline.score_benchmark(benchmark, settings, panel=panel, store=store, on_event=on_event)
    if flags.checks:
        result = diagnose(result, root=pipeline.find_source(flags.benchmark, flags.places).root)
    _write(flags, result)
    return 0 if result.is_complete else INCOMPLETE


def _check_files(flags: ScoreFlags) -> None:
    """Find out before anything is asked that a file can't be written, or that one would overwrite another."""
    for target in (flags.output, flags.report):
        if target is not None:
            check_writable(target)
    named = {"--output": flags.output, "--report": flags.report, "--store": flags.store}
    files = {flag: path for flag, path in named.items() if isinstance(path, Path)}
    paths = {flag: path for flag, path in files.items() if path.is_file() or not path.exists()}
    owners: dict[Path, str] = {}
    for flag, path in paths.items():
        owner = owners.setdefault(path.resolve(), flag)
        if owner != flag:
            raise UsageError(f"{owner} and {flag} name the same file", where=str(path), mend="Name two files")


def check_metrics(flags: ScoreFlags) -> None:
    """A judge's metrics without a judge are a flag that was forgotten, not a wish for the offline score."""
    if flags.metrics and not flags.judges and pipeline.OFFLINE not in flags.metrics:
        name = flags.metrics[0]
        if name in METRICS:
            raise UsageError(f"{name} needs a judge", where="--metric", mend="Add --judge VENDOR:MODEL")


def settings_of(flags: ScoreFlags, judges: tuple[str, ...]) -> Settings:
    """Return what fixes the run."""
    return Settings(
        benchmark=flags.benchmark,
        judges=judges,
        metrics=pipeline.choose_metrics(flags.metrics, has_judge=bool(judges)),
        behavior=pipeline.choose_behavior(flags.behavior),
        trials=flags.trials,
        seed=flags.seed,
        concurrency=flags.concurrency,
        tasks=flags.tasks,
        limit=flags.limit,
        split=flags.split,
        timeout_s=flags.timeout_s,
        is_fresh=flags.fresh,
    )


def write_plan(flags: ScoreFlags, plans: Sequence[Plan]) -> None:
    """Write a dry run's plan where the flags say."""
    content = {"text": plan_text, "json": plan_json, "csv": plan_csv, "markdown": plan_text}[flags.format_name](plans)
    if flags.output is None:
        write_lines(content.rstrip("\n"))
    else:
        write_file(flags.output, content.encode())


def _write(flags: ScoreFlags, result: RunResult) -> None:
    if flags.output is not None:
        write_file(flags.output, RENDERERS[flags.format_name].render(result))
    elif flags.format_name == "text":
        write_result(to_text(result, width=min(WIDTH, terminal_width(WIDTH))).encode(errors="backslashreplace"))
    else:
        write_result(RENDERERS[flags.format_name].render(result))
    if flags.report is not None:
        write_file(flags.report, RENDERERS["html"].render(result))
        say(f"Report: {flags.report}")
    say(f"Store: {flags.store_path}")

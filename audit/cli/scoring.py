"""What ``bench-audit score`` does with its flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit import pipeline
from audit.cli.judging import RunFlags
from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, terminal_width, write_file, write_lines, write_result
from audit.cli.planning import plan_csv, plan_json, plan_text
from audit.cli.progress import show_progress
from audit.diagnosis import diagnose
from audit.errors import UsageError
from audit.records.plan import Plan
from audit.records.run import RunResult
from audit.reports.registry import RENDERERS
from audit.reports.to_text import WIDTH, to_text
from audit.store import Store
from audit.studies.failure_patterns import with_patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFlags(RunFlags):
    """The command's flags as click parsed them."""

    benchmark: str
    dry_run: bool
    format_name: str
    output: Path | None
    report: Path | None
    checks: bool


def run(flags: ScoreFlags) -> int:
    """Score as the flags say, write what they name, and return the exit code."""
    _check_files(flags)
    flags.check_metrics()
    panel = flags.judge.panel()
    settings = flags.settings(panel, benchmark=flags.benchmark)
    benchmark = pipeline.load(flags.benchmark, flags.places, settings=settings)
    with Store(flags.judge.store_place) as store:
        if flags.dry_run:
            write_plan(flags, pipeline.plan_run(benchmark, settings, panel=panel, store=store))
            if flags.report is not None:
                say(f"Not written, for nothing was scored (--dry-run): {flags.report}")
            return 0
        with show_progress(is_quiet=flags.judge.quiet or not panel.providers) as on_event:
            result = pipeline.score_benchmark(benchmark, settings, panel=panel, store=store, on_event=on_event)
    if flags.checks:
        result = diagnose(result, root=pipeline.find_source(flags.benchmark, flags.places).root)
    if flags.report is not None or flags.format_name == "json":
        result = with_patterns(result)
    _write(flags, result)
    return 0 if result.is_complete else INCOMPLETE


def _check_files(flags: ScoreFlags) -> None:
    """Find out before anything is asked that a file can't be written, or that one would overwrite another."""
    for target in (flags.output, flags.report):
        if target is not None:
            check_writable(target)
    named = {"--output": flags.output, "--report": flags.report, "--store": flags.judge.store}
    files = {flag: path for flag, path in named.items() if isinstance(path, Path)}
    paths = {flag: path for flag, path in files.items() if path.is_file() or not path.exists()}
    owners: dict[Path, str] = {}
    for flag, path in paths.items():
        owner = owners.setdefault(path.resolve(), flag)
        if owner != flag:
            raise UsageError(f"{owner} and {flag} name the same file", where=str(path), mend="Name two files")


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
    say(f"Store: {flags.judge.store_place}")

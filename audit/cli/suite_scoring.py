"""What ``bench-audit score`` does with several benchmarks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.progress import show_progress
from audit.cli.scoring import ScoreFlags, write_plan
from audit.errors import UsageError
from audit.records.suite import Suite
from audit.store import Store
from audit.studies.failure_patterns import with_patterns
from audit.suites.loading import load_suite
from audit.suites.reading import read_suite, suite_from_flags
from audit.suites.running import plan_suite, score_suite, with_findings
from audit.suites.summary import summarise_suite
from audit.suites.writing import INDEX, SUITE_FORMATS, SuiteResult, render_pages


def choose_suite(benchmarks: tuple[str, ...], tiers: tuple[str, ...], file: Path | None) -> Suite:
    """Return the suite that the flags name.

    Raises
    ------
    UsageError
        If none is named, or a file and others beside it.
    """
    if file is None:
        return suite_from_flags(benchmarks, tiers)
    if benchmarks or tiers:
        mend = "Put them into the file, or leave it out"
        raise UsageError("benchmarks are named beside the suite file", where="--suite", mend=mend)
    return read_suite(file)


def run(flags: ScoreFlags, suite: Suite) -> int:
    """Score every member as the flags say, write what they name, and return the exit code."""
    _check_targets(flags)
    flags.check_metrics()
    panel = flags.judge.panel()
    settings = flags.settings(panel, benchmark=flags.benchmark)
    loaded = load_suite(suite, flags.places, settings=settings)
    with Store(flags.judge.store_place) as store:
        if flags.dry_run:
            write_plan(flags, plan_suite(loaded, settings, panel=panel, store=store))
            return 0
        with show_progress(is_quiet=flags.judge.quiet or not panel.providers) as on_event:
            scored = tuple(score_suite(loaded, settings, make_panel=flags.judge.panel, store=store, on_event=on_event))
    if flags.checks:
        scored = tuple(with_findings(each, flags.places) for each in scored)
    if flags.report is not None or flags.format_name == "json":
        scored = tuple(replace(each, result=with_patterns(each.result)) for each in scored)
    result = SuiteResult(suite, scored, summarise_suite(suite, scored))
    _write(flags, result)
    return 0 if result.is_complete else INCOMPLETE


def _check_targets(flags: ScoreFlags) -> None:
    """Find out before anything is asked that a file can't be written."""
    if flags.output is not None:
        check_writable(flags.output)
    if flags.report is None:
        return
    if flags.report.exists() and not flags.report.is_dir():
        mend = "Name a folder: it gets a page for each benchmark"
        raise UsageError("is a file", where=f"--report {flags.report}", mend=mend)
    if not flags.dry_run:
        check_writable(flags.report / INDEX)


def _write(flags: ScoreFlags, result: SuiteResult) -> None:
    content = SUITE_FORMATS[flags.format_name](result)
    if flags.output is None:
        write_result(content)
    else:
        write_file(flags.output, content)
    if flags.report is not None:
        for name, page in render_pages(result).items():
            write_file(flags.report / name, page)
        say(f"Reports: {flags.report / INDEX}, and one for each benchmark beside it")
    say(f"Store: {flags.judge.store_place}")

"""What ``bench-audit check`` does with its flags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from audit import inspection
from audit.checks.judged import JUDGED_RULES
from audit.checks.registry import RULES
from audit.checks.running import Choice, find_rule
from audit.cli.output import check_writable, say, write_file, write_result
from audit.errors import UsageError
from audit.loaders.splits import choose_tasks
from audit.records.check import CheckResult
from audit.records.finding import Rule, Severity
from audit.reports.finding_formats import FINDING_FORMATS
from audit.reports.finding_words import count_severities
from audit.reports.findings_json import rules_document
from audit.reports.findings_text import explain, list_rules


@dataclass(frozen=True, slots=True)
class CheckFlags:
    """The command's flags as click parsed them."""

    benchmark: str | None
    places: inspection.Places
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    only: tuple[str, ...]
    skip: tuple[str, ...]
    environment: str
    policy_rules: Path | None
    fail_on: str | None
    format_name: str
    output: Path | None
    report: Path | None
    explain: str | None
    list_rules: bool


def run(flags: CheckFlags) -> int:
    """Check as the flags say, write what they name, and return the exit code."""
    _check_files(flags)
    if flags.explain is not None or flags.list_rules:
        _write(flags, _describe_rules(flags).encode())
        return 0
    if flags.benchmark is None:
        mend = "Give set/domain or a folder; --rules and --explain need none"
        raise UsageError("no benchmark is named", where="check", mend=mend)
    choice = Choice(flags.only, flags.skip)
    choice.rules()
    benchmark = inspection.load(flags.benchmark, flags.places)
    benchmark = choose_tasks(benchmark, tasks=flags.tasks, limit=flags.limit, split=flags.split)
    root = inspection.find_source(flags.benchmark, flags.places).root
    options = inspection.CheckOptions(choice, flags.environment, flags.policy_rules)
    result = inspection.check_benchmark(benchmark, options, root=root)
    result = replace(result, fail_on=None if flags.fail_on is None else Severity(flags.fail_on))
    _write(flags, FINDING_FORMATS[flags.format_name](result))
    if flags.report is not None:
        write_file(flags.report, _render_report(result, flags.benchmark, options))
        say(f"Report: {flags.report}")
    if result.failing:
        say(f"Failed: {count_severities(result.failing)} (--fail-on {flags.fail_on})")
    return 1 if result.failing else 0


def _check_files(flags: CheckFlags) -> None:
    """Find out before anything is read that a file can't be written, or that one would overwrite the other."""
    for path in (flags.output, flags.report):
        if path is not None:
            check_writable(path)
    if flags.output is not None and flags.report is not None and flags.output.resolve() == flags.report.resolve():
        mend = "Name two files"
        raise UsageError("--output and --report name the same file", where=str(flags.report), mend=mend)


def _render_report(result: CheckResult, name: str, options: inspection.CheckOptions) -> bytes:
    """Return the report of the checks alone; it loads what draws and counts, which takes longer than checking."""
    from audit.diagnosis import without_scores
    from audit.reports.registry import RENDERERS

    return RENDERERS["html"].render(without_scores(result, name, options=options))


def _describe_rules(flags: CheckFlags) -> str:
    known = [*RULES.values(), *JUDGED_RULES.values()]
    chosen: list[Rule] = known if flags.explain is None else [find_rule(flags.explain, known, where="--explain")]
    if flags.format_name == "json":
        return rules_document(chosen)
    if flags.format_name != "text":
        raise UsageError("rules are described as text or json", where="--format", mend="Choose one of them")
    return list_rules(chosen) if flags.explain is None else explain(chosen[0])


def _write(flags: CheckFlags, content: bytes) -> None:
    if flags.output is None:
        write_result(content)
    else:
        write_file(flags.output, content)

"""What ``bench-audit gate`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from audit import release
from audit.checks.judged import JUDGED_RULES
from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.planning import plan_json, plan_text
from audit.cli.surveying import SurveyFlags, check, load, make_survey_flags, plan, read_saved, survey
from audit.config import read_own_keys
from audit.diagnosis import add_findings
from audit.errors import UsageError
from audit.gate.nearest import nearest
from audit.gate.settings import read_settings
from audit.gate.waiver_settings import write_waiver
from audit.gate.waivers import content_of
from audit.judges.panel import Panel
from audit.metrics.registry import JUDGED_METRICS
from audit.records.gate import GateResult, GateSettings, Kind, Level
from audit.reports.certificate_words import run_notes
from audit.reports.gate_formats import GATE_FORMATS
from audit.reports.registry import HTML
from audit.studies.failure_patterns import with_patterns

EXIT_CODES = {Level.PASS: 0, Level.WARN: 0, Level.FAIL: 1, Level.INCOMPLETE: INCOMPLETE}


@dataclass(frozen=True, slots=True)
class GateFlags:
    """The command's flags as click parsed them, those that say what is looked at in records of their own."""

    survey: SurveyFlags
    config: Path | None
    baseline: Path | None
    dry_run: bool
    today: datetime | None
    print_waiver: str | None
    format_name: str
    output: Path | None
    report: Path | None

    @property
    def day(self) -> date:
        """The day that waivers are held against."""
        return self.today.date() if self.today else datetime.now(UTC).date()


def make_flags(parsed: Mapping[str, Any]) -> GateFlags:
    """Return click's flags as a record."""
    own = {field.name for field in fields(GateFlags)} - {"survey"}
    return GateFlags(make_survey_flags(parsed), **{name: value for name, value in parsed.items() if name in own})


def run(flags: GateFlags) -> int:
    """Hold the benchmark against the settings, write what the flags name, and return the exit code."""
    for path in (flags.output, flags.report):
        if path is not None:
            check_writable(path)
    if flags.print_waiver is not None:
        return _print_waiver(flags, flags.print_waiver)
    panel = flags.survey.judge.panel()
    settings = read_gate(flags, panel)
    baseline = None if flags.baseline is None else read_saved(flags.baseline)
    benchmark = load(flags.survey, panel)
    release.check_subsets(settings, benchmark)
    if flags.dry_run:
        plans = plan(flags.survey, panel, benchmark=benchmark)
        _put(flags, (plan_json if flags.format_name == "json" else plan_text)(plans).encode())
        return 0
    found = survey(flags.survey, panel, benchmark=benchmark)
    result = release.gate(found, settings, today=flags.day, baseline=baseline)
    result = replace(result, notes=(*result.notes, *(line for run in result.runs for line in run_notes(run))))
    _write(flags, result)
    return EXIT_CODES[result.level]


def read_gate(flags: GateFlags, panel: Panel) -> GateSettings:
    """Read the settings, and make sure that what they demand will be measured."""
    if flags.config is None:
        mend = "Write bench-audit.toml with a [gate] table, or name one with --config"
        raise UsageError("no settings file says what the gate demands", where="gate", mend=mend)
    table = read_own_keys(flags.config, "gate")
    settings = read_settings(table, release.known_names(), where=str(flags.config))
    if settings.certificate is not None and not panel.providers:
        where = f"{flags.config}: [gate] certificate"
        raise UsageError(
            "there is no judge to be certified", where=where, mend="Name one with --judge, or leave it out"
        )
    measured = flags.survey.settings(panel, benchmark=flags.survey.benchmark).metrics
    for demand in settings.demands:
        metric = demand.name.partition("@")[0]
        if demand.kind is not Kind.METRIC or metric not in JUDGED_METRICS:
            continue
        if not panel.providers:
            raise UsageError(f"{demand.name} needs a judge", where=demand.where, mend="Name one with --judge")
        if metric not in measured:
            raise UsageError(f"{demand.name} is not judged", where=demand.where, mend=f"Add {metric} to --metric")
    return settings


def _print_waiver(flags: GateFlags, name: str) -> int:
    rule, colon, task_id = name.partition(":")
    rules = release.known_names().rules
    if rule not in rules:
        raise UsageError(f"no rule '{rule}'", where="--print-waiver", mend=nearest(rule, rules))
    benchmark = load(flags.survey, Panel())
    ids = [task.id for task in benchmark.tasks]
    if colon and task_id not in ids:
        raise UsageError(f"no task '{task_id}' in this run", where="--print-waiver", mend=nearest(task_id, ids))
    findings = check(flags.survey, benchmark).findings
    wanted = task_id if colon else None
    own = [finding for finding in findings if finding.rule == rule and finding.task_id == wanted]
    if not own and rule not in {each.id for each in JUDGED_RULES.values()}:
        about = f"task '{task_id}'" if colon else "the benchmark as a whole (for a task write RULE:TASK)"
        mend = "See bench-audit check for what there is"
        raise UsageError(f"{rule} finds nothing in {about}", where="--print-waiver", mend=mend)
    content = content_of(benchmark, rule, task_id=wanted, findings=own)
    _put(flags, write_waiver(rule, wanted, content=content, today=flags.day).encode())
    for finding in own:
        say(f"Waives: {finding.what}")
    return 0


def _write(flags: GateFlags, result: GateResult) -> None:
    _put(flags, GATE_FORMATS[flags.format_name](result))
    if flags.report is not None:
        run = add_findings(result.runs[0], result.checked, options=flags.survey.check_options)
        write_file(flags.report, HTML.render(with_patterns(run), gate=result))
        say(f"Report: {flags.report}")
    say(f"Gate: {result.level.value}")


def _put(flags: GateFlags, content: bytes) -> None:
    if flags.output is None:
        write_result(content)
    else:
        write_file(flags.output, content)

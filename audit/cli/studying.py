"""What ``bench-audit study`` does with its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from textwrap import wrap
from typing import Any

from audit import pipeline
from audit.cli.judging import RunFlags, with_judge
from audit.cli.main import INCOMPLETE
from audit.cli.options import split_commas
from audit.cli.output import check_writable, say, terminal_width, write_file, write_lines, write_result
from audit.cli.places import with_places
from audit.cli.planning import plan_text
from audit.cli.progress import show_progress
from audit.loaders.anchor import read_anchor, write_anchor
from audit.providers.prices import price_table
from audit.records.plan import Plan
from audit.records.study import Calls, StudyResult
from audit.reports.plain import Plain, dump, fields_of
from audit.reports.study_cells import CALL_TITLES, CALLS_ABOUT, call_cells
from audit.reports.study_files import STUDY_FORMATS, render_files
from audit.reports.study_text import WIDTH, to_text
from audit.store import Store
from audit.studies.ground import Ground, plan_calls, price_calls
from audit.studies.sensitivity import (
    SensitivityOptions,
    choose_kinds,
    parse_rates,
    plan_sensitivity,
    study_sensitivity,
)
from audit.studies.stability import study_stability

PLAN_FORMAT = "bench-audit/study-plan"
_PLANNED = ("judge", "label", "planned", "repeated", "stored", "to_ask", "undefined")
"""What is known of calls before they are made."""
Planned = tuple[Sequence[Calls], Sequence[Plan]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFlags(RunFlags):
    """The flags that all studies share, as click parsed them."""

    dry_run: bool
    out: Path | None
    format_name: str


def make_study_flags(parsed: Mapping[str, Any]) -> StudyFlags:
    """Return click's flags as a record."""
    grouped = with_judge(with_places(parsed))
    return StudyFlags(**{field.name: grouped[field.name] for field in fields(StudyFlags)})


def run_sensitivity(parsed: Mapping[str, Any]) -> int:
    """Study what judges make of planted defects; return the exit code."""
    flags, name = make_study_flags(parsed), parsed["benchmark"]
    named = split_commas(parsed["kinds"], flag="--kind") or ("swap-behavior",)
    kinds, rates = choose_kinds(named, has_other=parsed["other"] is not None), parse_rates(parsed["rates"])
    check_folder(flags)
    with open_ground(flags, benchmark=name) as ground:
        benchmark = pipeline.load(name, flags.places, settings=ground.settings)
        other = None if parsed["other"] is None else pipeline.load(parsed["other"], other_places(flags))
        options = SensitivityOptions(kinds, rates, other)
        if flags.dry_run:
            return write_plan(flags, plan_sensitivity(benchmark, options, ground=ground))
        return write_study(flags, study_sensitivity(benchmark, options, ground=ground))


def run_stability(parsed: Mapping[str, Any]) -> int:
    """Study how steady judges are; return the exit code."""
    flags, name, target = make_study_flags(parsed), parsed["benchmark"], parsed["save_anchor"]
    anchor = None if parsed["anchor"] is None else read_anchor(parsed["anchor"])
    check_folder(flags)
    if target is not None:
        check_writable(target)
    with open_ground(flags, benchmark=name) as ground:
        benchmark = pipeline.load(name, flags.places, settings=ground.settings)
        if flags.dry_run:
            return write_plan(flags, (plan_calls([benchmark], ground), price_calls([benchmark], ground)))
        study, own = study_stability(benchmark, ground=ground, anchor=anchor)
    if target is not None:
        write_file(target, write_anchor(own, tool_version=study.tool_version))
        say(f"Anchor: {target}")
    return write_study(flags, study)


def other_places(flags: StudyFlags) -> pipeline.Places:
    """Return where another benchmark's files are: its policy and database are its own."""
    return pipeline.Places(flags.places.data_dir)


@contextmanager
def open_ground(flags: StudyFlags, *, benchmark: str) -> Iterator[Ground]:
    """Yield what a study stands on: judges, store and progress."""
    panel = flags.judge.panel()
    flags.check_metrics()
    settings = flags.settings(panel, benchmark=benchmark)
    is_quiet = flags.judge.quiet or flags.dry_run or not panel.providers
    path = flags.judge.store_place
    with Store(path) as store, show_progress(is_quiet=is_quiet) as on_event:
        yield Ground(settings, panel, store, on_event)


def check_folder(flags: StudyFlags) -> None:
    """Find out before anything is asked that the folder can't be written."""
    if flags.out is not None:
        check_writable(flags.out / "study.json")


def write_study(flags: StudyFlags, result: StudyResult) -> int:
    """Write a study to its folder and to stdout; return the exit code."""
    if flags.out is not None:
        write_files(flags.out, result)
    if flags.format_name == "text":
        write_result(to_text(result, width=min(WIDTH, terminal_width(WIDTH))).encode(errors="backslashreplace"))
    else:
        write_result(STUDY_FORMATS[flags.format_name](result))
    return finish(result)


def write_files(folder: Path, result: StudyResult) -> None:
    """Write every file of a study to its folder, and say so."""
    files = render_files(result)
    for name, content in files.items():
        write_file(folder / name, content)
    say(f"Written to {folder}: {len(files)} files; {result.kind}.html shows them all")


def finish(result: StudyResult) -> int:
    """Say what is missing; return the exit code."""
    if result.is_complete:
        return 0
    say("Incomplete: verdicts are missing; the same command asks only for these")
    return INCOMPLETE


def write_plan(flags: StudyFlags, planned: Planned) -> int:
    """Write what a study would ask; return the exit code."""
    calls, plans = planned
    if flags.format_name == "json":
        judges: list[Plain] = [_plan_of(one, plan) for one, plan in zip(calls, plans, strict=True)]
        document: Plain = {"format": PLAN_FORMAT, "format_version": 1, "prices": price_table(), "judges": judges}
        write_result(f"{dump(document)}\n".encode())
        return 0
    if calls:
        write_lines(*_plan_lines(calls), "", *wrap(CALLS_ABOUT, terminal_width(WIDTH)), "")
    write_lines(plan_text(plans, is_counted=not calls).rstrip("\n"))
    return 0


def _plan_of(calls: Calls, plan: Plan) -> Plain:
    counts = fields_of(calls)
    return {**{name: counts[name] for name in _PLANNED}, "plan": fields_of(plan)}


def _plan_lines(calls: Sequence[Calls]) -> list[str]:
    columns = (0, 1, 2, 3, 6)  # planned, repeated, stored, to ask, undefined
    names = [f"{each.judge}{f' [{each.label}]' if each.label else ''}" for each in calls]
    rows = [
        [CALL_TITLES[0], *(CALL_TITLES[column + 1] for column in columns)],
        *([name, *(call_cells(each)[column] for column in columns)] for name, each in zip(names, calls, strict=True)),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]

"""What ``bench-audit compare`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.planning import plan_json, plan_text
from audit.cli.surveying import SurveyFlags, load, make_survey_flags, plan, read_saved, survey
from audit.compare.saved import is_saved_run
from audit.compare.sides import compare
from audit.errors import UsageError
from audit.loaders.json_file import read_input
from audit.records.comparison import Comparison, Snapshot
from audit.records.plan import Plan
from audit.reports.gate_formats import COMPARISON_FORMATS


@dataclass(frozen=True, slots=True)
class CompareFlags:
    """The command's flags as click parsed them, with a record for each side."""

    old: SurveyFlags
    new: SurveyFlags
    dry_run: bool
    format_name: str
    output: Path | None
    report: Path | None

    @property
    def sides(self) -> tuple[SurveyFlags, SurveyFlags]:
        """The old side and the new one."""
        return self.old, self.new


def make_flags(parsed: Mapping[str, Any]) -> CompareFlags:
    """Return click's flags as a record; what is not said of the old side is as for the new one."""
    old_places = {
        name: parsed[name] if parsed[f"old_{name}"] is None else parsed[f"old_{name}"]
        for name in ("data_dir", "policy", "database", "tools")
    }
    own = {field.name for field in fields(CompareFlags)} - {"old", "new"}
    return CompareFlags(
        make_survey_flags({**parsed, **old_places, "benchmark": parsed["old"]}),
        make_survey_flags({**parsed, "benchmark": parsed["new"]}),
        **{name: parsed[name] for name in own},
    )


def run(flags: CompareFlags) -> int:
    """Compare the two sides, write the result, and return the exit code."""
    _check_files(flags)
    if flags.dry_run:
        _put(flags, (plan_json if flags.format_name == "json" else plan_text)(_plan(flags)).encode())
        return 0
    (old, has_all_old), (new, has_all_new) = (_look(flags.old), _look(flags.new))
    comparison = compare(old, new, seed=flags.new.seed)
    _put(flags, COMPARISON_FORMATS[flags.format_name](comparison))
    if flags.report is not None:
        _write_page(comparison, flags.report)
    if has_all_old and has_all_new:
        return 0
    say("Incomplete: verdicts are missing; the same command asks only for these")
    return INCOMPLETE


def _check_files(flags: CompareFlags) -> None:
    """Find out before anything is asked that a file can't be written, or that one would overwrite another."""
    for path in (flags.output, flags.report):
        if path is not None:
            check_writable(path)
    if flags.report is None:
        return
    taken = {"--output": flags.output, "OLD": Path(flags.old.benchmark), "NEW": Path(flags.new.benchmark)}
    for name, path in taken.items():
        if path is not None and path.resolve() == flags.report.resolve():
            mend = "Name another file"
            raise UsageError(f"{name} and --report name the same file", where=str(flags.report), mend=mend)


def _write_page(comparison: Comparison, path: Path) -> None:
    from audit.reports import comparison_html  # what it shares with the report loads matplotlib

    write_file(path, comparison_html.render(comparison))
    say(f"Report: {path}")


def _look(flags: SurveyFlags) -> tuple[Snapshot, bool]:
    """Return one side, and whether every verdict that it asked for is there."""
    if _is_saved(flags):
        return read_saved(Path(flags.benchmark)), True
    panel = flags.judge.panel()
    found = survey(flags, panel, benchmark=load(flags, panel))
    return found.snapshot(flags.benchmark), all(run.is_complete for run in found.runs)


def _is_saved(flags: SurveyFlags) -> bool:
    """Whether a side is a file of ours; whatever else its name may mean, it is a benchmark's."""
    path = Path(flags.benchmark)
    try:
        return path.is_file() and is_saved_run(read_input(path, root=path.parent, role="saved run").content)
    except OSError:  # a name that no disk takes
        return False


def _plan(flags: CompareFlags) -> Sequence[Plan]:
    return [made for side in flags.sides if not _is_saved(side) for made in _plan_side(side)]


def _plan_side(flags: SurveyFlags) -> Sequence[Plan]:
    panel = flags.judge.panel()
    return plan(flags, panel, benchmark=load(flags, panel))


def _put(flags: CompareFlags, content: bytes) -> None:
    if flags.output is None:
        write_result(content)
    else:
        write_file(flags.output, content)

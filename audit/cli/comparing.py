"""What ``bench-audit compare`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import pipeline
from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.planning import plan_json, plan_text
from audit.cli.surveying import SurveyFlags, load, make_survey_flags, read_saved, survey
from audit.compare.lineup import MOST_SIDES, line_up
from audit.compare.saved import is_saved_run
from audit.compare.sides import compare
from audit.errors import UsageError
from audit.judges.panel import Panel
from audit.loaders.json_file import read_input
from audit.records.comparison import Comparison, Snapshot
from audit.records.lineup import Lineup
from audit.records.plan import Plan
from audit.records.task import Benchmark
from audit.reports.gate_formats import COMPARISON_FORMATS, LINEUP_FORMATS
from audit.store import Store

_OLD = ("data_dir", "policy", "database", "tools")
"""What the baseline may have of its own."""


@dataclass(frozen=True, slots=True)
class CompareFlags:
    """The command's flags as click parsed them, with a record for each side.

    Parameters
    ----------
    baseline
        Which side the others are held against, from 0.
    """

    sides: tuple[SurveyFlags, ...]
    baseline: int
    is_table: bool
    dry_run: bool
    format_name: str
    output: Path | None
    report: Path | None


@dataclass(frozen=True, slots=True)
class _Ground:
    """A side that is a benchmark, loaded, and who judges it."""

    flags: SurveyFlags
    panel: Panel
    benchmark: Benchmark


def make_flags(parsed: Mapping[str, Any]) -> CompareFlags:
    """Return click's flags as a record; what is not said of the baseline is as for the other sides.

    Raises
    ------
    UsageError
        If there are too few or too many sides, or the baseline is none of them.
    """
    sides: tuple[str, ...] = parsed["sides"]
    baseline = _baseline(sides, parsed["baseline"])
    own = {name: parsed[name] if parsed[f"old_{name}"] is None else parsed[f"old_{name}"] for name in _OLD}
    return CompareFlags(
        tuple(
            make_survey_flags({**parsed, **(own if place == baseline else {}), "benchmark": side})
            for place, side in enumerate(sides)
        ),
        baseline,
        **{name: parsed[name] for name in ("is_table", "dry_run", "format_name", "output", "report")},
    )


def _baseline(sides: Sequence[str], chosen: str | None) -> int:
    if len(sides) < 2:
        raise UsageError("there is nothing to compare it with", where=sides[0], mend="Name a second benchmark or run")
    if len(sides) > MOST_SIDES:
        mend = "Compare some of them, or score them side by side with score … --report DIR"
        raise UsageError(f"{len(sides)} sides are more than the {MOST_SIDES} of a table", where="compare", mend=mend)
    if chosen is None:
        return 0
    if chosen not in sides:
        raise UsageError("is none of the sides", where=f"--baseline {chosen}", mend="Write it as it stands among them")
    return sides.index(chosen)


def run(flags: CompareFlags) -> int:
    """Compare the sides, write the result, and return the exit code."""
    _check_names(flags)
    found = [read_saved(Path(side.benchmark)) if _is_saved(side) else _load(side) for side in flags.sides]
    for path in (flags.output, flags.report):
        if path is not None:
            check_writable(path)
    if flags.dry_run:
        plans = _plan([each for each in found if isinstance(each, _Ground)])
        _put(flags, (plan_json if flags.format_name == "json" else plan_text)(plans).encode())
        return 0
    looks = [_look(each) if isinstance(each, _Ground) else (each, True) for each in found]
    _write(flags, [snapshot for snapshot, _ in looks])
    if all(has_all for _, has_all in looks):
        return 0
    say("Incomplete: verdicts are missing; the same command asks only for these")
    return INCOMPLETE


def _plan(asked: Sequence[_Ground]) -> tuple[Plan, ...]:
    """Count the calls for all sides together, of which one question in several of them is one."""
    if not asked:
        return ()
    flags, panel = asked[0].flags, asked[0].panel
    settings = flags.settings(panel, benchmark=flags.benchmark)
    with Store(flags.judge.store_place) as store:
        return pipeline.plan_runs([each.benchmark for each in asked], settings, panel=panel, store=store)


def _write(flags: CompareFlags, sides: Sequence[Snapshot]) -> None:
    seed = flags.sides[0].seed
    if len(sides) > 2 or flags.is_table:
        lineup = line_up(sides, baseline=flags.baseline, seed=seed)
        _put(flags, LINEUP_FORMATS[flags.format_name](lineup))
        _write_page(flags, lineup)
        return
    comparison = compare(sides[flags.baseline], sides[1 - flags.baseline], seed=seed)
    _put(flags, COMPARISON_FORMATS[flags.format_name](comparison))
    _write_page(flags, comparison)


def _write_page(flags: CompareFlags, result: Comparison | Lineup) -> None:
    if flags.report is None:
        return
    from audit.reports import comparison_html, lineup_html  # what they share with the report loads matplotlib

    page = lineup_html.render(result) if isinstance(result, Lineup) else comparison_html.render(result)
    write_file(flags.report, page)
    say(f"Report: {flags.report}")


def _check_names(flags: CompareFlags) -> None:
    """Find out before anything is asked that one file would overwrite another."""
    names = [f"side {number}" for number in range(1, len(flags.sides) + 1)]
    if len(flags.sides) == 2:
        names = ["OLD", "NEW"] if flags.baseline == 0 else ["NEW", "OLD"]
    sides = [(name, Path(side.benchmark)) for name, side in zip(names, flags.sides, strict=True)]
    targets = [(name, path) for name, path in (("--output", flags.output), ("--report", flags.report)) if path]
    for place, (name, path) in enumerate(targets):
        for other, taken in (*targets[:place], *sides):
            if _is_same(path, taken):
                mend = "Name another file"
                raise UsageError(f"{other} and {name} name the same file", where=str(path), mend=mend)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except OSError:  # a name that no disk takes
        return False


def _load(flags: SurveyFlags) -> _Ground:
    panel = flags.judge.panel()
    return _Ground(flags, panel, load(flags, panel))


def _look(ground: _Ground) -> tuple[Snapshot, bool]:
    """Return one side, and whether every verdict that it asked for is there."""
    found = survey(ground.flags, ground.panel, benchmark=ground.benchmark)
    return found.snapshot(ground.flags.benchmark), all(run.is_complete for run in found.runs)


def _is_saved(flags: SurveyFlags) -> bool:
    """Whether a side is a file of ours; whatever else its name may mean, it is a benchmark's."""
    path = Path(flags.benchmark)
    try:
        return path.is_file() and is_saved_run(read_input(path, root=path.parent, role="saved run").content)
    except OSError:  # a name that no disk takes
        return False


def _put(flags: CompareFlags, content: bytes) -> None:
    if flags.output is None:
        write_result(content)
    else:
        write_file(flags.output, content)

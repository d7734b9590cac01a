"""What ``bench-audit annotate`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import stdev
from typing import Any

from audit import __version__, pipeline
from audit.annotation.answers import find_doubled, read_answers
from audit.annotation.csv_sheet import write_guide, write_sheet
from audit.annotation.disagreements import find_disagreements, settle, to_csv, to_json, to_text
from audit.annotation.expectation import expect
from audit.annotation.key_file import SUFFIX, find_keys, write_key
from audit.annotation.making import choose_criteria, describe, make_sheet
from audit.annotation.merging import remark, write_ratings
from audit.annotation.page import render_page
from audit.annotation.sampling import draw_tasks, score_bands
from audit.cli.main import INPUT_ERROR
from audit.cli.options import split_commas
from audit.cli.output import check_writable, say, write_file, write_lines, write_result
from audit.cli.places import with_places
from audit.errors import LoadError, UsageError
from audit.loaders.ratings import drop_doubles, read_ratings
from audit.loaders.saved_run import read_run
from audit.loaders.splits import choose_tasks
from audit.records.annotation import ADJUDICATED, Answer, Disagreement, Sheet
from audit.records.rating import BadCell
from audit.records.run import RunResult
from audit.records.task import Benchmark, PartKind
from audit.reports import numbers
from audit.reports.visible import plain

_KINDS = (".html", ".csv")


def run_export(flags: Mapping[str, Any]) -> int:
    """Draw tasks and write sheets as the flags say; return the exit code."""
    out: Path | None = flags["out"]
    if out is None and not flags["dry_run"]:
        raise UsageError("no sheet is named", where="--out", mend="Name one that ends in .html or .csv")
    raters = _raters(flags["raters"])
    files = {} if out is None else _names(out, raters)
    if not flags["dry_run"]:
        _check([*files.values(), *_beside(out)] if out else [], may_replace=flags["force"])
    benchmark = _load(flags)
    run = None if flags["run_path"] is None else _run_of(flags["run_path"], benchmark)
    criteria = choose_criteria(flags["metrics"])
    bands, metric = ({}, "") if run is None else score_bands(run, criteria)
    if run is not None and not bands:
        raise UsageError("has no scores to draw by", where=str(flags["run_path"]), mend="Leave --run out")
    kinds = frozenset(PartKind(name) for name in pipeline.choose_behavior(flags["behavior"]))
    tasks, strata = draw_tasks(benchmark, flags["n"], bands=bands, seed=flags["seed"])
    made = make_sheet(benchmark, tasks, criteria=criteria, behavior=kinds, seed=flags["seed"])
    by = ["tags and splits", *([f"thirds of {metric}"] if metric else [])]
    sheet = describe(made, strata, by=by, raters=raters)
    _tell(sheet, flags, benchmark, sd=_spread(run, metric))
    if not flags["dry_run"] and out is not None:
        _write(sheet, out, files)
    return 0


def _raters(values: tuple[str, ...]) -> tuple[str, ...]:
    names = split_commas(values, flag="--raters") if values else ()
    unfit = next((name for name in names if name.startswith(".") or any(sign in name for sign in '/\\:"\0')), None)
    if unfit is not None:
        raise UsageError(f"'{unfit}' can't be part of a file's name", where="--raters", mend="Use letters and digits")
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise UsageError(f"{doubled} is named twice", where="--raters", mend="Name everybody once")
    return names


def _names(out: Path, raters: Sequence[str]) -> dict[str, Path]:
    """Return rater to the file of their copy; an empty name for the one that is open."""
    if out.suffix.lower() not in _KINDS:
        raise UsageError("a sheet's name ends in .html or .csv", where=f"--out {out}", mend="Name it so")
    return {name: out.with_suffix(f".{name}{out.suffix}") for name in raters} or {"": out}


def _beside(out: Path) -> list[Path]:
    guide = [out.with_suffix(".guide.md")] if out.suffix.lower() == ".csv" else []
    return [out.with_suffix(SUFFIX), *guide]


def _check(paths: Sequence[Path], *, may_replace: bool) -> None:
    for path in paths:
        check_writable(path)
        if path.exists() and not may_replace:
            mend = "Name another file, or replace it with --force"
            raise UsageError("is there already", where=str(path), mend=mend)


def _load(flags: Mapping[str, Any]) -> Benchmark:
    benchmark = pipeline.load(flags["benchmark"], with_places(flags)["places"])
    return choose_tasks(benchmark, tasks=flags["tasks"], limit=flags["limit"], split=flags["split"])


def _run_of(path: Path, benchmark: Benchmark) -> RunResult:
    run = read_run(path)
    if not {task.id for task in run.benchmark.tasks} & {task.id for task in benchmark.tasks}:
        what = f"is a run of {run.benchmark.name} and has none of these tasks"
        raise UsageError(what, where=f"--run {path}", mend="Give a run of the same benchmark")
    return run


def _spread(run: RunResult | None, metric: str) -> float | None:
    """Return the standard deviation of a run's scores, to plan with."""
    scores = [] if run is None else [score for score in run.scores if score.metric == metric]
    values = [value for score in scores for value in score.by_task.values()]
    return stdev(values) if len(values) > 1 and metric.endswith("_alignment") else None


def _tell(sheet: Sheet, flags: Mapping[str, Any], benchmark: Benchmark, *, sd: float | None) -> None:
    n, available = len(sheet.tasks), len(benchmark.tasks)
    write_lines(
        f"{plain(benchmark.name)}: {n} of {numbers.plural(available, 'task')} drawn with seed {sheet.seed}, "
        f"stratified by {' and '.join(sheet.stratified_by)}"
    )
    if flags["n"] > n:
        write_lines(f"{flags['n']} were asked for; that is all that can be rated.")
    write_lines("Stratum, available, drawn:")
    write_lines(*(f"  {plain(each.name)}: {each.n_available}, {each.n_drawn}" for each in sheet.strata))
    write_lines(*expect(n, sd=sd))


def _write(sheet: Sheet, out: Path, files: Mapping[str, Path]) -> None:
    is_page = out.suffix.lower() == ".html"
    for rater, path in files.items():
        write_file(path, render_page(sheet, rater=rater) if is_page else write_sheet(sheet, rater=rater))
        say(f"Sheet{f' for {rater}' if rater else ''}: {path}")
    key, *guide = _beside(out)
    write_file(key, write_key(sheet, tool_version=__version__))
    for path in guide:
        write_file(path, write_guide(sheet))
        say(f"Guide with rubric and policy, for the raters: {path}")
    say(f"Key, for import and for no rater: {key}")


def run_import(flags: Mapping[str, Any]) -> int:
    """Read filled sheets and write ratings; return the exit code."""
    _check([flags["out"]], may_replace=flags["force"])
    doubled = next((path for path in flags["sheets"] if flags["sheets"].count(path) > 1), None)
    if doubled is not None:
        raise UsageError("is given twice", where=str(doubled), mend="Name each sheet once")
    keys = find_keys(flags["keys"], flags["sheets"])
    answers: list[Answer] = []
    bad: list[BadCell] = []
    for path in flags["sheets"]:
        found, cells = read_answers(path, keys, rater=flags["rater"])
        answers += found
        bad += cells
    bad += find_doubled(answers)
    if bad:
        return _refuse(bad)
    if not answers:
        raise LoadError("no question is answered", where=str(flags["sheets"][0]), mend="Fill in some cells first")
    write_file(flags["out"], write_ratings(answers))
    for line in remark(answers, keys):
        say(plain(line, limit=300))
    say(f"Ratings: {flags['out']}")
    return 0


def _refuse(bad: Sequence[BadCell]) -> int:
    for each in bad:
        say(f"Error: {each}")
    say(f"{numbers.plural(len(bad), 'bad cell')}; nothing was written. Mend them, or empty them to leave a gap")
    return INPUT_ERROR


def run_adjudicate(flags: Mapping[str, Any]) -> int:
    """List disagreements and write a sheet to settle them; return the exit code."""
    out: Path | None = flags["out"]
    if out is not None:
        _names(out, ())
        _check([out, *_beside(out)], may_replace=flags["force"])
    if flags["output"] is not None:
        check_writable(flags["output"])
    files = tuple(read_ratings(path) for path in flags["ratings"])
    ratings, doubled = drop_doubles(rating for file in files for rating in file.ratings)
    if bad := [*(each for file in files for each in file.bad), *doubled]:
        return _refuse(bad)
    everything, n_several = find_disagreements(ratings)
    if not n_several:
        mend = "Give the files of two raters or more"
        raise UsageError("no question has two answers", where=str(flags["ratings"][0]), mend=mend)
    found = tuple(each for each in everything if each.gap >= flags["least"])
    _show(found, n_several, flags)
    if out is not None:
        _settle(found, out, keys=find_keys(flags["keys"], flags["ratings"]))
    return 0


def _show(found: Sequence[Disagreement], n_several: int, flags: Mapping[str, Any]) -> None:
    renderings = {
        "text": lambda: to_text(found, n_several).encode(errors="backslashreplace"),
        "csv": lambda: to_csv(found),
        "json": lambda: to_json(found, n_several).encode(errors="backslashreplace"),
    }
    content = renderings[flags["format_name"]]()
    if flags["output"] is None:
        write_result(content)
    else:
        write_file(flags["output"], content)


def _settle(found: Sequence[Disagreement], out: Path, *, keys: Mapping[str, Sheet]) -> None:
    if not found:
        say("Nothing is to be settled: no sheet is written.")
        return
    rated = [sheet for sheet in keys.values() if not any(task.given for task in sheet.tasks)]
    fitting = [sheet for sheet in rated if _disputed(sheet, found)]
    if len(fitting) != 1:
        what = "no key here has these tasks" if not fitting else f"{len(fitting)} keys have these tasks"
        raise UsageError(what, where="--key", mend="Name the key of the sheet that was rated: --key SHEET.key.json")
    sheet = settle(fitting[0], _disputed(fitting[0], found))
    _write(sheet, out, {ADJUDICATED: out})
    n = sum(len(task.criteria) for task in sheet.tasks)
    say(f"{numbers.plural(n, 'question')} of {numbers.plural(len(sheet.tasks), 'task')} to settle")


def _disputed(sheet: Sheet, found: Sequence[Disagreement]) -> list[Disagreement]:
    """Return the disagreements about what a sheet asked."""
    asked = {(task.task_id, name) for task in sheet.tasks for name in task.criteria}
    return [
        each for each in found if (each.task_id, each.criterion) in asked and each.benchmark in ("", sheet.benchmark)
    ]

"""What ``bench-audit report`` does with its flags."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.patterning import patterns_by
from audit.errors import LoadError, UsageError
from audit.loaders.json_file import parse_json, read_input
from audit.loaders.saved_run import RUN, run_of
from audit.loaders.saved_study import STUDY, study_of
from audit.records.run import RunResult
from audit.records.study import StudyResult
from audit.reports import badge, bibtex
from audit.reports.plain import dump, fields_of
from audit.reports.registry import RENDERERS
from audit.reports.study_files import STUDY_FORMATS, figure_files

SUITE = "bench-audit/suite"
"""Its summary is a study."""
RUN_FORMATS: Mapping[str, Callable[[RunResult], bytes]] = {
    **{name: RENDERERS[name].render for name in ("html", "markdown", "csv")},
    "badge": badge.render,
    "bibtex": bibtex.render,
}
OTHER = {
    "bench-audit/gate": "is a gate's result; its page is written by gate --report",
    "bench-audit/findings": "holds findings alone; their page is written by check --report",
    "bench-audit/comparison": "is a comparison; its page is written by compare --report",
    "bench-audit/comparisons": "is a comparison; its page is written by compare --report",
}


@dataclass(frozen=True, slots=True)
class ReportFlags:
    """The command's flags as click parsed them."""

    run: Path
    format_name: str | None
    out: Path | None
    is_opened: bool
    figures: Path | None
    patterns: Path | None

    @property
    def chosen(self) -> str | None:
        """The format to write; ``None`` where only figures are wanted."""
        if self.format_name or not (self.figures and not self.out and not self.is_opened):
            return self.format_name or "html"
        return None


@dataclass(frozen=True, slots=True)
class Saved:
    """A file of ours, read."""

    document: object
    result: RunResult | StudyResult


def run_report(flags: ReportFlags) -> int:
    """Write what the flags name and return the exit code."""
    is_page = flags.chosen == "html" and flags.out != Path("-")
    if flags.is_opened and not is_page:
        raise UsageError("only a page in a file can be opened", where="--open", mend="Leave out --format and -o -")
    target = (flags.out or flags.run.with_suffix(".html")) if is_page else flags.out
    is_file = target is not None and target != Path("-")
    if target is not None and is_file:
        _refuse_overwriting(target, flags.run)
    saved = read_saved(flags.run)
    if target is not None and is_file:
        check_writable(target)
    if flags.patterns is not None:
        saved = _regroup(saved, flags.patterns, where=str(flags.run))
    content = None if flags.chosen is None else render(saved, flags.chosen, where=str(flags.run))
    if flags.figures is not None:
        _write_figures(saved.result, flags.figures)
    if content is None:
        return 0
    if target is None or target == Path("-"):
        write_result(content)
        return 0
    write_file(target, content)
    say(f"Report: {target}" if is_page else f"Written: {target}")
    if flags.is_opened:
        webbrowser.open(target.resolve().as_uri())
    return 0


def read_saved(path: Path) -> Saved:
    """Read a saved run or study.

    Raises
    ------
    LoadError
        If it is neither.
    """
    document = parse_json(read_input(path, root=path.parent, role="saved run"))
    fields = document if isinstance(document, Mapping) else {}
    name = fields.get("format")
    if name == RUN:
        return Saved(document, run_of(document, where=str(path)))
    if name == STUDY:
        return Saved(document, study_of(document, where=str(path)))
    if name == SUITE and "summary" in fields:
        return Saved(document, study_of(fields["summary"], where=str(path)))
    what = OTHER[name] if isinstance(name, str) and name in OTHER else "is no saved run and no saved study"
    raise LoadError(what, where=str(path), mend="Give the JSON of score or study, written with --format json")


def _regroup(saved: Saved, codebook: Path, *, where: str) -> Saved:
    """Return a run with its failure patterns made anew; its JSON holds them too."""
    if not isinstance(saved.result, RunResult) or not isinstance(saved.document, Mapping):
        mend = "Give a run; study patterns takes --codebook"
        raise UsageError("a study has no failure patterns to group", where=f"--patterns {codebook}", mend=mend)
    run = patterns_by(saved.result, codebook)
    if run.patterns is None:
        raise UsageError("no judge gave a score in this run", where=where, mend="Leave out --patterns")
    return Saved({**saved.document, "patterns": fields_of(run.patterns)}, run)


def render(saved: Saved, format_name: str, *, where: str) -> bytes:
    """Return the file in one format.

    Raises
    ------
    UsageError
        If a study has no such format.
    """
    if format_name == "json":
        return f"{dump(saved.document)}\n".encode()  # type: ignore[arg-type]  # parsed JSON
    if isinstance(saved.result, RunResult):
        return RUN_FORMATS[format_name](saved.result)
    if format_name not in STUDY_FORMATS:
        mend = "Give a run, or --figures DIR, which writes a study's tables as CSV"
        raise UsageError(f"a study is not written as {format_name}", where=where, mend=mend)
    return STUDY_FORMATS[format_name](saved.result)


def _refuse_overwriting(target: Path, source: Path) -> None:
    if target.resolve() == source.resolve():
        raise UsageError("would overwrite the run itself", where=str(target), mend="Name another file with --out")


def _write_figures(result: RunResult | StudyResult, folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError("is a file", where=f"--figures {folder}", mend="Name a folder")
    check_writable(folder / "scores.csv")
    files = _figures_of(result)
    for name, content in files.items():
        write_file(folder / name, content)
    n = sum(name.endswith(".svg") for name in files)
    say(f"Figures: {n} as SVG and PNG, and their data as CSV, in {folder}")


def _figures_of(result: RunResult | StudyResult) -> dict[str, bytes]:
    if isinstance(result, StudyResult):
        return figure_files(result.tables, result.figures)
    from audit.reports import run_figures

    return run_figures.render(result)

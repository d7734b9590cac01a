"""What ``bench-audit study patterns`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from audit import pipeline
from audit.cli.output import check_writable, say, write_file
from audit.cli.studying import StudyFlags, check_folder, make_study_flags, open_ground, write_plan, write_study
from audit.cli.studying_agreement import is_saved, refuse
from audit.errors import UsageError
from audit.loaders.saved_run import read_run
from audit.records.mode import Mode
from audit.records.run import RunResult
from audit.records.study import Setting, StudyResult
from audit.studies.codebook import START, read_codebook, write_codebook
from audit.studies.ground import Answers, Ground, ask, close, plan_calls, price_calls, stamp, subject_of
from audit.studies.pattern_groups import CRITERIA, Patterns, collect_reasons, group_reasons
from audit.studies.pattern_names import Named, name_groups, plan_names
from audit.studies.patterns import revise, study_patterns, take_names


@dataclass(frozen=True, slots=True)
class _Extra:
    """The flags that only this study has."""

    target: str
    below: float
    codebook: Path | None
    export: Path | None
    name_groups: bool
    force: bool


def run_patterns(parsed: Mapping[str, Any]) -> int:
    """Study what low scores have in common; return the exit code."""
    flags = make_study_flags(parsed)
    extra = _Extra(**{name: parsed[name] for name in _Extra.__slots__})
    criteria = _criteria(flags.metrics)
    is_run = is_saved(extra.target)
    _check(flags, extra, is_run=is_run)
    codebook, bad = (START, []) if extra.codebook is None else read_codebook(extra.codebook)
    if bad:
        return refuse(bad)
    chosen = replace(flags, metrics=() if is_run else criteria)
    with open_ground(chosen, benchmark=extra.target) as ground:
        if is_run:
            run, answers = read_run(Path(extra.target)), None
        else:
            benchmark = pipeline.load(extra.target, flags.places, settings=ground.settings)
            if flags.dry_run:
                return _plan(flags, extra, (plan_calls([benchmark], ground), price_calls([benchmark], ground)))
            answers = ask([benchmark], ground)
            (run,) = answers.results
        reasons = collect_reasons(run, criteria=criteria, below=extra.below)
        patterns = group_reasons(reasons, codebook, seed=flags.seed)
        if flags.dry_run:
            return write_plan(flags, plan_names(patterns.found(), ground=ground) if extra.name_groups else ((), ()))
        named = _name(patterns, extra, ground)
    patterns = patterns if named is None else take_names(patterns, named)
    study = _close(run, patterns, answers, named=named, flags=flags, extra=extra)
    if extra.export is not None:
        write_file(extra.export, write_codebook(revise(patterns, codebook)))
        say(f"Codebook to go through: {extra.export}; give it back with --codebook")
    return write_study(flags, study)


def _criteria(metrics: tuple[str, ...]) -> tuple[str, ...]:
    for name in metrics:
        if name not in CRITERIA:
            mend = f"Choose from {', '.join(CRITERIA)}"
            raise UsageError(f"'{name}' has no low scores with reasons", where="--metric", mend=mend)
    return metrics or CRITERIA


def _check(flags: StudyFlags, extra: _Extra, *, is_run: bool) -> None:
    has_judge = bool(flags.judge.judges)
    if not is_run and not has_judge:
        mend = "Add --judge VENDOR:MODEL, or give a run that score saved with --format json"
        raise UsageError("reasons come from a judge", where=extra.target, mend=mend)
    if is_run and has_judge and not extra.name_groups:
        mend = "Leave it out, or let it name the groups with --name-groups"
        raise UsageError("a saved run is judged already", where="--judge", mend=mend)
    if extra.name_groups and not has_judge:
        raise UsageError("no judge is named", where="--name-groups", mend="Add --judge VENDOR:MODEL")
    if any(Mode(mode) is Mode.DECISIONS for mode in flags.judge.modes):
        raise UsageError("decisions come without reasons", where="--mode", mend="Leave it out")
    check_folder(flags)
    if extra.export is not None:
        check_writable(extra.export)
        if extra.export.exists() and extra.export != extra.codebook and not extra.force:
            mend = "Name another file, the codebook itself, or replace it with --force"
            raise UsageError("is there already", where=str(extra.export), mend=mend)


def _plan(flags: StudyFlags, extra: _Extra, planned: Any) -> int:  # noqa: ANN401  # as write_plan takes it
    code = write_plan(flags, planned)
    if extra.name_groups:
        say("Naming the groups takes a call more for each group that is found, eight at most.")
    return code


def _name(patterns: Patterns, extra: _Extra, ground: Ground) -> Named | None:
    found = patterns.found()
    return name_groups(found, ground=ground) if extra.name_groups and found else None


def _close(
    run: RunResult,
    patterns: Patterns,
    answers: Answers | None,
    *,
    named: Named | None,
    flags: StudyFlags,
    extra: _Extra,
) -> StudyResult:
    settings: dict[str, Setting] = {
        "target": extra.target,
        "metrics": ", ".join(_criteria(flags.metrics)),
        "below": extra.below,
        "codebook": str(extra.codebook) if extra.codebook else "the one that it starts from",
        "seed": flags.seed,
    }
    study = study_patterns(run, patterns, below=extra.below, settings=settings)
    if named is not None:
        study = replace(study, calls=(named.calls,), prompts=(named.prompt,), stops=named.stops)
    if answers is None:
        return stamp(replace(study, subjects=(subject_of(run.benchmark),)))
    closed = close(study, answers, benchmarks=[run.benchmark])
    return replace(closed, prompts=(*study.prompts, *closed.prompts), stops=(*study.stops, *closed.stops))

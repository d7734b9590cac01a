"""What ``bench-audit certify`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from audit import pipeline
from audit.certificates.asking import plan_suites
from audit.certificates.issuing import Issued, Wish, certify, make_suites
from audit.certificates.study_form import to_study
from audit.cli.output import say, write_file, write_result
from audit.cli.studying import (
    StudyFlags,
    check_folder,
    finish,
    make_study_flags,
    open_ground,
    write_files,
    write_plan,
    write_study,
)
from audit.cli.studying_agreement import refuse
from audit.compare.snapshot import take_snapshot
from audit.errors import UsageError
from audit.loaders.ratings import read_ratings
from audit.records.rating import BadCell, Rating
from audit.records.study import StudyResult
from audit.records.task import Benchmark
from audit.reports.certificate_json import write_certificates
from audit.selftest import BENCHMARK as SAMPLE
from audit.studies.ratings import place_ratings

_STUDY = {"metrics": (), "behavior": (), "seed": 0}
"""Flags of studies that a certificate fixes."""


def run(parsed: Mapping[str, Any]) -> int:
    """Certify as the flags say, write what they name, and return the exit code."""
    flags, name = make_study_flags({**parsed, **_STUDY}), parsed["benchmark"]
    _check_flags(flags, name, parsed["ratings"])
    ratings, bad = _read(parsed["ratings"])
    if bad:
        return refuse(bad)
    check_folder(flags)
    with open_ground(flags, benchmark=name or SAMPLE) as ground:
        sample = pipeline.load(SAMPLE, pipeline.Places())
        own = None if name in (None, SAMPLE) else pipeline.load(name, flags.places, settings=ground.settings)
        if own is not None and (misplaced := _misplaced(ratings, own)):
            return refuse(misplaced)
        wish = Wish(sample, own, ratings)
        if flags.dry_run:
            suites = make_suites(wish, trials=ground.settings.trials, is_offline=not ground.panel.providers)
            return write_plan(flags, plan_suites(suites, ground))
        issued = certify(wish, ground)
        study = to_study(issued, ground)
    return _write(flags, issued, study)


def _write(flags: StudyFlags, issued: Issued, study: StudyResult) -> int:
    records = write_certificates(issued.certificates)
    if flags.out is not None:
        write_file(flags.out / "records.json", records)
    if flags.format_name == "text":
        code = write_study(flags, study)
    else:
        if flags.out is not None:
            write_files(flags.out, study)
        write_result(records)
        code = finish(study)
    if not flags.judge.quiet:
        say(f"Kept in {flags.judge.store_place}")
    return code


def _check_flags(flags: StudyFlags, name: str | None, ratings: Sequence[Path]) -> None:
    """What is said of a benchmark that is not named, or is the sample, was meant for another."""
    if name in (None, SAMPLE):
        if ratings:
            mend = "Name the benchmark that was rated, other than the sample, whose answers are known"
            raise UsageError("there is no benchmark that the ratings are of", where="--ratings", mend=mend)
        if flags.tasks or flags.limit or flags.split:
            mend = "Leave it out, or name a benchmark of yours"
            raise UsageError("the suite on the sample is fixed", where="--tasks, --limit, --split", mend=mend)


def _read(paths: Sequence[Path]) -> tuple[tuple[Rating, ...], tuple[BadCell, ...]]:
    files = [read_ratings(path) for path in paths]
    ratings = tuple(rating for file in files for rating in file.ratings)
    bad = tuple(each for file in files for each in file.bad)
    if paths and not (ratings or bad):
        mend = "Fill some cells; an empty one is a gap"
        raise UsageError("no rating is in the files", where=str(paths[0]), mend=mend)
    return ratings, bad


def _misplaced(ratings: Sequence[Rating], own: Benchmark) -> tuple[BadCell, ...]:
    return place_ratings(ratings, [take_snapshot(own.name, own)])[1]

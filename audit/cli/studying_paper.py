"""What ``bench-audit study paper`` does with its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from audit import pipeline
from audit.certificates.issuing import with_other_policy
from audit.cli.main import INCOMPLETE
from audit.cli.options import split_commas
from audit.cli.output import check_writable, say, write_file, write_result
from audit.cli.progress import show_progress
from audit.cli.studying import StudyFlags, make_study_flags, other_places, write_plan
from audit.cli.studying_agreement import refuse
from audit.cli.suite_scoring import choose_suite
from audit.compare.snapshot import take_snapshot
from audit.designs.desk import Desk
from audit.designs.paper import TITLES, PaperWish, make_tiers, paper_steps
from audit.designs.steps import plan_steps, run_steps
from audit.errors import UsageError
from audit.loaders.ratings import read_ratings
from audit.records.design import Design
from audit.records.rating import RatingFile
from audit.records.suite import Suite
from audit.records.task import Benchmark
from audit.reports import numbers
from audit.reports.design_files import INDEX, render_design, render_json, render_text
from audit.selftest import BENCHMARK as SAMPLE
from audit.store import Store
from audit.studies.ground import settings_of
from audit.studies.ordering import check_tiers
from audit.studies.ratings import place_ratings
from audit.suites.loading import Loaded, load_suite

_FIXED = {"metrics": ()}
"""A flag of studies that the design fixes."""


def run(parsed: Mapping[str, Any]) -> int:
    """Run the whole design as the flags say, write what they name, and return the exit code."""
    flags = make_study_flags({**parsed, **_FIXED})
    skipped = _read_skipped(parsed["skip"])
    suite = _choose_suite(parsed)
    files = tuple(read_ratings(path) for path in parsed["ratings"])
    _check_ratings(flags, files, is_simulating=parsed["simulate_raters"])
    if bad := [each for file in files for each in file.bad]:
        return refuse(bad)
    if flags.out is not None:
        check_writable(flags.out / INDEX)
    with _open_desk(flags, parsed["benchmark"]) as desk:
        wish = _make_wish(parsed, flags, desk, suite)
        wish = replace(wish, ratings=files, is_simulating=parsed["simulate_raters"], skipped=skipped)
        plain = [take_snapshot(each.benchmark.name, each.benchmark) for each in wish.shown]
        if misplaced := place_ratings([rating for file in files for rating in file.ratings], plain)[1]:
            return refuse(misplaced)
        steps = paper_steps(wish, desk)
        if flags.dry_run:
            return write_plan(flags, plan_steps(steps, desk))
        names = tuple(each.benchmark.name for each in wish.loaded)
        settings = settings_of(desk.judged(), benchmarks=names, tiers=wish.suite.tiers, skipped=tuple(sorted(skipped)))
        about = names[0] if wish.is_made else wish.suite.title or numbers.plural(len(names), "benchmark")
        title = f"{about}: can metrics and judges be trusted?"
        return _write(flags, run_steps(steps, desk, title=title, settings=settings))


@contextmanager
def _open_desk(flags: StudyFlags, name: str | None) -> Iterator[Desk]:
    panel = flags.judge.panel()
    settings = flags.settings(panel, benchmark=name or "suite")
    is_quiet = flags.judge.quiet or flags.dry_run or not panel.providers
    with Store(flags.judge.store_place) as store, show_progress(is_quiet=is_quiet) as on_event:
        yield Desk(settings, flags.judge.panel, store, on_event)


def _read_skipped(words: Sequence[str]) -> frozenset[str]:
    named = split_commas(tuple(words), flag="--skip")
    if unknown := [name for name in named if name not in TITLES]:
        raise UsageError(f"there is no part '{unknown[0]}'", where="--skip", mend=f"Choose from {', '.join(TITLES)}")
    return frozenset(named)


def _choose_suite(parsed: Mapping[str, Any]) -> Suite | None:
    """Return the tiers that were given; ``None`` for those that are to be made of the benchmark."""
    if not (parsed["tiers"] or parsed["suite"]):
        if parsed["benchmark"] is None:
            mend = "Name BENCHMARK, tiers of your own with --tier TIER=BENCHMARK, or --suite FILE"
            raise UsageError("there is nothing to study", where="study paper", mend=mend)
        return None
    suite = choose_suite((), parsed["tiers"], parsed["suite"])
    check_tiers(suite)
    return suite


def _check_ratings(flags: StudyFlags, files: Sequence[RatingFile], *, is_simulating: bool) -> None:
    where = "--ratings" if files else "--simulate-raters"
    if files and is_simulating:
        raise UsageError("there are people's ratings", where="--simulate-raters", mend="Leave one of the two out")
    if (files or is_simulating) and not flags.judge.judges:
        raise UsageError("raters are held against a judge", where=where, mend="Add --judge VENDOR:MODEL")
    if files and not any(file.ratings or file.bad for file in files):
        raise UsageError("no rating is in the files", where=where, mend="Fill some cells; an empty one is a gap")


def _make_wish(parsed: Mapping[str, Any], flags: StudyFlags, desk: Desk, suite: Suite | None) -> PaperWish:
    """Read the benchmarks, and say which are swapped: the one that is named, or else all that are in tiers."""
    sample, name = pipeline.load(SAMPLE, pipeline.Places()), parsed["benchmark"]
    own = None if name is None else pipeline.load(name, flags.places, settings=desk.settings)
    if suite is None:
        assert own is not None, "tiers are made of a benchmark"
        suite, loaded = make_tiers(own, seed=flags.seed)
    else:
        loaded = load_suite(suite, flags.places, settings=desk.settings)
    swapped = tuple(each.benchmark for each in loaded if each.member.tier) if own is None else (own,)
    given = None if parsed["other"] is None else pipeline.load(parsed["other"], other_places(flags))
    others = {each.name: given or _other(each, loaded, sample) for each in swapped}
    return PaperWish(suite, loaded, is_made=not (parsed["tiers"] or parsed["suite"]), swapped=swapped, others=others,
                     sample=sample)  # fmt: skip


def _other(benchmark: Benchmark, loaded: Sequence[Loaded], sample: Benchmark) -> Benchmark:
    """Return a benchmark of another domain: of the suite, or else the sample, which has two policies."""
    for each in loaded:
        if each.benchmark.policy.sha256 != benchmark.policy.sha256:
            return each.benchmark
    return with_other_policy(sample) if benchmark.policy.sha256 == sample.policy.sha256 else sample


def _write(flags: StudyFlags, design: Design) -> int:
    if flags.out is not None:
        files = render_design(design)
        for name, content in files.items():
            check_writable(flags.out / name)  # makes the part's folder
            write_file(flags.out / name, content)
        say(f"Written to {flags.out}: {len(files)} files; {INDEX} joins them all")
    write_result(render_text(design) if flags.format_name == "text" else render_json(design))
    if design.is_complete:
        return 0
    say("Incomplete: verdicts are missing; the same command asks only for these")
    return INCOMPLETE

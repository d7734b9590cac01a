"""The step of a design that holds judges against people, or against raters that were made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit.compare.snapshot import take_snapshot
from audit.designs.desk import Desk
from audit.designs.merging import total_calls
from audit.designs.raters import FILE, simulate_raters, write_ratings
from audit.records.rating import RatingFile
from audit.records.run import RunResult
from audit.records.study import Calls, StudyResult
from audit.studies.agreement import study_agreement
from audit.studies.ground import Answers, ask, close, settings_of
from audit.studies.ratings import place_ratings
from audit.suites.loading import Loaded

PEOPLE_METRICS = ("desc_alignment", "policy_alignment", "violation_count")
"""What people rate."""
Group = tuple[Sequence[Loaded], Sequence[str]]
"""Benchmarks, and the metrics on which they are judged."""


def agree(
    groups: Iterable[Group], files: tuple[RatingFile, ...], *, desk: Desk
) -> tuple[StudyResult, Mapping[str, bytes]]:
    """Return the study, and the file of ratings where they were made up."""
    runs: list[RunResult] = []
    tiers: list[str] = []
    calls: list[Calls] = []
    for members, metrics in groups:
        answers = ask([each.benchmark for each in members], desk.judged(metrics))
        runs += answers.results
        tiers += [each.member.tier or "" for each in members]
        calls += answers.calls
    made = {}
    if not files:
        simulated = simulate_raters(list(zip(tiers, runs, strict=True)), seed=desk.settings.seed)
        files, made = (simulated,), {FILE: write_ratings(simulated.ratings)}
    targets = [take_snapshot(run.benchmark.name, run.benchmark, runs=[run]) for run in runs]
    placed, _ = place_ratings([rating for file in files for rating in file.ratings], targets)
    settings = dict(settings_of(desk.judged(PEOPLE_METRICS)))
    study = study_agreement(placed, targets, files=files, seed=desk.settings.seed, settings=settings)
    closed = close(study, Answers(tuple(runs), total_calls(calls)), benchmarks=[run.benchmark for run in runs])
    return closed, made

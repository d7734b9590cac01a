"""Raters that a program makes up from a judge's verdicts, to show a study of agreement whole; always labelled."""

from __future__ import annotations

import csv
import hashlib
import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.records.rating import SCALES, Rating, RatingFile
from audit.records.run import RunResult
from audit.records.verdict import Verdict

RATERS = ("simulated-1", "simulated-2")
N_TASKS = 50
"""Tasks that are rated, over all benchmarks."""
FILE = "ratings.csv"
_OFF = (-2, -1, 0, 0, 1, 2)
_OFF_BY_ITEM = (-1, 0, 0, 1)
_HEAD = ("benchmark", "tier", "task_id", "rater", "kind", "criterion", "value")
_COUNT = "violation_count"


def simulate_raters(runs: Sequence[tuple[str, RunResult]], *, seed: int) -> RatingFile:
    """Return two raters who say what the first judge said, a step or two off, on as many tasks of each benchmark.

    Parameters
    ----------
    runs
        Tier and run; the tier may be empty.
    """
    chance = random.Random(seed)  # noqa: S311  # no secret
    ratings = tuple(each for tier, run in runs for each in _rate(run, tier, N_TASKS // len(runs), chance))
    return RatingFile(FILE, hashlib.sha256(write_ratings(ratings)).hexdigest(), ratings)


def write_ratings(ratings: Sequence[Rating]) -> bytes:
    """Return ratings as the CSV file that ``study agreement --ratings`` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for each in ratings:
        kind = "simulated" if each.is_simulated else "person"
        writer.writerow([each.benchmark, each.tier, each.task_id, each.rater, kind, each.criterion, f"{each.value:g}"])
    return out.getvalue().encode()


def _rate(run: RunResult, tier: str, n: int, chance: random.Random) -> Iterator[Rating]:
    judge = run.settings.judges[0]
    ids = [task.id for task in run.benchmark.tasks]
    chosen = set(chance.sample(ids, min(n, len(ids))))
    for verdict in run.verdicts:
        if verdict.judge == judge and verdict.is_ok and verdict.trial == 0 and verdict.task_id in chosen:
            criterion, value, steps = _said(verdict)
            low, high = SCALES[criterion]
            for rater in RATERS:
                moved = max(low, value + chance.choice(steps))
                yield replace(
                    Rating(verdict.task_id, rater, criterion, moved if high is None else min(high, moved)),
                    benchmark=run.benchmark.name,
                    tier=tier,
                    is_simulated=True,
                )


def _said(verdict: Verdict) -> tuple[str, float, Sequence[int]]:
    if verdict.score is not None:
        return verdict.criterion, float(round(verdict.score)), _OFF
    return _COUNT, float(len(verdict.violated or ())), _OFF_BY_ITEM

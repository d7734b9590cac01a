"""Before and after a change of everything; and which verdicts moved where none should."""

from __future__ import annotations

import math
import statistics

from audit.metrics.registry import needed_criterion
from audit.records.run import RunResult
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.records.verdict import Verdict
from audit.stats.discrimination import share_interval
from audit.stats.multiple import sign_flip_p
from audit.stats.scale_use import pairwise_flips
from audit.studies.draws import is_coverage
from audit.studies.ground import Key, estimate, estimate_of, verdicts_by_task
from audit.studies.sensitivity_sets import (
    NO_VALUES,
    Changed,
    Judged,
    difference,
    must_fall,
    pairs,
    score_of,
)

BEFORE_AFTER_COLUMNS = (
    Column("kind", "Kind"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("must", "Must"),
    Column("n_pairs", "Pairs", ColumnKind.COUNT),
    Column("before", "Before", ColumnKind.NUMBER),
    Column("after", "After", ColumnKind.NUMBER),
    Column("difference", "Difference", ColumnKind.NUMBER),
    Column("p", "p", ColumnKind.P_VALUE),
)
INVARIANCE_COLUMNS = (
    Column("kind", "Kind"),
    Column("metric", "Metric"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n_verdicts", "Verdicts", ColumnKind.COUNT),
    Column("moved", "Moved", ColumnKind.SHARE),
    Column("moved_alone", "Moved unchanged", ColumnKind.SHARE),
    Column("mean_move", "Mean move", ColumnKind.NUMBER),
    Column("difference", "Mean shift", ColumnKind.NUMBER),
    Column("p", "p", ColumnKind.P_VALUE),
)


def before_after_table(judged: Judged) -> Table:
    """Return each metric before and after a change of what all tasks share."""
    rows = tuple(_before_after_row(judged, each, key) for (each,) in judged.whole().values() for key in judged.keys)
    about = (
        "The same tasks on both sides; the difference and its interval are paired by task. p: two-sided, by flipping "
        "the signs of the tasks' differences."
    )
    return Table("before-after", "Before and after", BEFORE_AFTER_COLUMNS, rows, about=about)


def _before_after_row(judged: Judged, each: Changed, key: Key) -> Row:
    before, after = score_of(judged.untouched, key), score_of(each.run, key)
    n = min(before.n_used, after.n_used) if is_coverage(key[0]) else len(pairs(judged.untouched, each.run, key=key)[0])
    cells = (
        each.kind.name,
        *key,
        "fall" if must_fall(each.kind, key[0]) else "–",
        n,
        estimate_of(before),
        estimate_of(after),
        difference(judged, each, key=key),
        _sign_flips(judged.untouched, each.run, key),
    )
    return Row(cells, judged.label(key))


def _sign_flips(untouched: RunResult, run: RunResult, key: Key) -> Estimate:
    if is_coverage(key[0]):
        return Estimate(None, reason=NO_VALUES)
    before, after = pairs(untouched, run, key=key)
    return estimate(lambda: sign_flip_p([b - a for a, b in zip(before, after, strict=True)]))


def invariance_table(judged: Judged) -> Table:
    """Return the share of verdicts that moved although only the form was changed."""
    rows = tuple(
        _invariance_row(judged, each, key)
        for each in judged.keeping()
        for key in judged.keys
        if not is_coverage(key[0])
    )
    about = (
        "Verdicts on changed tasks against those on the same tasks as they were, trial by trial. Moved: another score "
        "or other items. Moved unchanged: the chance that two trials on the same question differ, which is the judge's "
        "own noise. Mean move: the mean size of the moves; Mean shift: their mean with its sign."
    )
    return Table("invariance", "What moved though only the form changed", INVARIANCE_COLUMNS, rows, about=about)


def _invariance_row(judged: Judged, each: Changed, key: Key) -> Row:
    moves = _moves(judged.untouched, each, key)
    n, n_moved = len(moves), sum(is_moved for is_moved, _ in moves)
    nothing = Estimate(None, reason="no changed task was judged on both sides")
    sizes = [abs(size) for _, size in moves]
    cells = (
        each.kind.name,
        *key,
        n,
        Estimate(n_moved / n, share_interval(n_moved, n)) if n else nothing,
        estimate(lambda: pairwise_flips(_trials(judged.untouched, key))),
        Estimate(statistics.fmean(sizes)) if n else nothing,
        difference(judged, each, key=key),
        _sign_flips(judged.untouched, each.run, key),
    )
    return Row(cells, judged.label(key))


def _moves(untouched: RunResult, each: Changed, key: Key) -> list[tuple[bool, float]]:
    """Whether and how far each verdict moved, for tasks that were changed and trials that both sides have."""
    criterion = needed_criterion(key[0])
    before = verdicts_by_task(untouched, key, criterion=criterion)
    after = verdicts_by_task(each.run, key, criterion=criterion)
    changed = each.changed
    return [
        (answer(verdict) != answer(before[task_id][trial]), _value(verdict) - _value(before[task_id][trial]))
        for task_id, trials in after.items()
        if task_id in changed and task_id in before
        for trial, verdict in trials.items()
        if trial in before[task_id]
    ]


def _trials(run: RunResult, key: Key) -> list[list[float | frozenset[str]]]:
    found = verdicts_by_task(run, key, criterion=needed_criterion(key[0]))
    return [[answer(verdict) for verdict in trials.values()] for trials in found.values()]


def answer(verdict: Verdict) -> float | frozenset[str]:
    """Return what a verdict says: its score, or its set of items."""
    return verdict.level if verdict.level is not None else frozenset(verdict.violated or ())


def _value(verdict: Verdict) -> float:
    found = answer(verdict)
    return float(len(found)) if isinstance(found, frozenset) else math.fsum([found])

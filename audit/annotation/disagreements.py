"""Where raters part, the widest first, and the sheet that settles it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean

from audit.annotation.making import identify
from audit.records.annotation import ADJUDICATED, SCALE, Disagreement, Sheet, SheetTask
from audit.records.rating import Rating
from audit.reports import numbers
from audit.reports.cells import write_table
from audit.reports.plain import dump, to_plain
from audit.reports.visible import plain

_LONGEST = 60


def find_disagreements(ratings: Iterable[Rating]) -> tuple[tuple[Disagreement, ...], int]:
    """Return the questions that two raters or more answered differently, the widest gap first.

    What is settled already, by a rating of the rater ``adjudicated``, is left out.

    Returns
    -------
    tuple
        The disagreements, and how many questions have two answers or more.
    """
    answered: dict[tuple[str, str, str], list[Rating]] = {}
    for each in ratings:
        answered.setdefault((each.benchmark, each.task_id, each.criterion), []).append(each)
    several = {key: found for key, found in answered.items() if len(found) > 1}
    greatest = {
        criterion: max(each.value for found in several.values() for each in found if each.criterion == criterion)
        for criterion in {key[2] for key in several}
    }
    found = [
        Disagreement(*key, answers=tuple((each.rater, words_of(each)) for each in own), gap=gap)
        for key, own in several.items()
        if not any(each.rater == ADJUDICATED for each in own) and (gap := gap_of(own, greatest=greatest[key[2]])) > 0
    ]
    return tuple(sorted(found, key=lambda each: -each.gap)), len(several)


def gap_of(ratings: Sequence[Rating], *, greatest: float) -> float:
    """Return how far ratings of one question part, in [0, 1].

    Sets: one minus the mean Jaccard similarity over pairs of raters. Scores: their range over that of the scale from 1
    to 10; of other numbers, over the greatest one that anybody gave.
    """
    if ratings[0].items is not None:
        sets = [frozenset(each.items or ()) for each in ratings]
        pairs = [(a, b) for place, a in enumerate(sets) for b in sets[place + 1 :]]
        return 1 - fmean(len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs)
    values = [each.value for each in ratings]
    is_scale = ratings[0].criterion.endswith("_alignment")
    whole = SCALE[-1] - SCALE[0] if is_scale else max(greatest, 1.0)
    return min(1.0, (max(values) - min(values)) / whole)


def words_of(rating: Rating) -> str:
    """Return an answer as text."""
    if rating.items is not None:
        return ", ".join(sorted(rating.items)) or "none"
    return numbers.trimmed(rating.value, 4)


def settle(sheet: Sheet, found: Sequence[Disagreement]) -> Sheet:
    """Return a sheet of the disputed questions of ``sheet`` alone, with the answers that were given, without names."""
    disputed: dict[str, list[Disagreement]] = {}
    for each in found:
        disputed.setdefault(each.task_id, []).append(each)
    tasks = [_settled(task, disputed[task.task_id]) for task in sheet.tasks if task.task_id in disputed]
    tasks.sort(key=lambda task: -max(each.gap for each in disputed[task.task_id]))
    kept = tuple(task for task in tasks if task.criteria)
    used = {name for task in kept for name in task.criteria}
    asks = tuple(ask for ask in sheet.asks if ask.criterion in used)
    return identify(replace(sheet, tasks=kept, asks=asks, strata=(), stratified_by=(), raters=(ADJUDICATED,)))


def _settled(task: SheetTask, disputed: Sequence[Disagreement]) -> SheetTask:
    own = {each.criterion: tuple(sorted(answer for _, answer in each.answers)) for each in disputed}
    criteria = tuple(name for name in task.criteria if name in own)
    return replace(task, criteria=criteria, given=tuple((name, own[name]) for name in criteria))


def to_text(found: Sequence[Disagreement], n_several: int) -> str:
    """Return disagreements as lines."""
    head = f"{len(found)} of {numbers.plural(n_several, 'question')} with several answers: raters part"
    if not found:
        return f"{head}.\n"
    lines = [f"{head}; the widest first."]
    for each in found:
        place = f"{plain(each.benchmark)} " if each.benchmark else ""
        told = "; ".join(f"{plain(rater)}: {plain(answer, limit=_LONGEST)}" for rater, answer in each.answers)
        lines.append(f"{each.gap:5.2f}  {place}{plain(each.task_id)}  {plain(each.criterion)}  {told}")
    return "\n".join(lines) + "\n"


def to_csv(found: Sequence[Disagreement]) -> bytes:
    """Return disagreements as CSV: a line a question, the answers in one cell."""
    rows = [
        [
            *(each.benchmark, each.task_id, each.criterion, f"{each.gap:.4f}"),
            " | ".join(f"{rater}: {answer}" for rater, answer in each.answers),
        ]
        for each in found
    ]
    return write_table(["benchmark", "task_id", "criterion", "gap", "answers"], rows)


def to_json(found: Sequence[Disagreement], n_several: int) -> str:
    """Return disagreements as JSON."""
    document = {
        "format": "bench-audit/disagreements",
        "format_version": 1,
        "n_questions": n_several,
        "disagreements": found,
    }
    return f"{dump(to_plain(document))}\n"

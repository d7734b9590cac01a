"""Several raters' answers as one file of ratings, and what is to be said about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from audit.records.annotation import Answer, Sheet
from audit.reports import numbers
from audit.reports.cells import write_table

_SAME_AT_LEAST = 10
"""So many questions answered alike, all of them, are worth a remark."""


def write_ratings(answers: Sequence[Answer]) -> bytes:
    """Return a long file of ratings, as docs/raters.md has it; benchmarks are named where there are several."""
    has_several = len({each.benchmark for each in answers}) > 1
    header = ["task_id", "rater", "criterion", "value", *(["benchmark"] if has_several else []), "comment"]
    rows = [
        [each.task_id, each.rater, each.criterion, each.value, *([each.benchmark] if has_several else []), each.comment]
        for each in answers
    ]
    return write_table(header, rows)


def remark(answers: Sequence[Answer], keys: Mapping[str, Sheet]) -> Iterator[str]:
    """Yield who answered how much, and raters whose answers are all alike."""
    asked = {
        sheet.id: sum(len(task.criteria) for task in sheet.tasks)
        for sheet in keys.values()
        if sheet.benchmark in {each.benchmark for each in answers}
    }
    counts = Counter(each.rater for each in answers)
    for rater, n in counts.items():
        most = f" of {numbers.count(next(iter(asked.values())))}" if len(asked) == 1 else ""
        yield f"{rater}: {numbers.count(n)}{most} {'question' if n == 1 and not most else 'questions'} answered"
    given: dict[str, dict[tuple[str, str, str], str]] = {}
    for each in answers:
        given.setdefault(each.rater, {})[each.benchmark, each.task_id, each.criterion] = each.value
    for first, second in combinations(given, 2):
        both = given[first].keys() & given[second].keys()
        if len(both) >= _SAME_AT_LEAST and all(given[first][key] == given[second][key] for key in both):
            yield f"Note: {first} and {second} answer all {len(both)} common questions alike; is one a copy?"

"""A set that holds its tasks twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, set_place, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Origin

STALE = Rule(
    "stale-twin",
    "The set holds its tasks twice, and the two differ",
    Severity.WARNING,
    Certainty.PROVED,
    "A file of tasks stands beside a folder of the same name with a file a task, and they do not agree. Which of the "
    "two is run depends on the program that reads the set, so that results under one name come from different tasks. "
    "Mostly one was made from the other and not made anew after an edit. This was checked for the tasks that the other "
    "rules looked at; the other ones were only compared with them.",
    "Remove the one that is not meant, or make it anew from the other.",
)
_SHOWN = 8
_EXAMPLES = 3


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield one finding if the tasks stand twice and differ."""
    benchmark = subject.benchmark
    if benchmark.twin is None:
        return
    own = {task.id: task.raw for task in benchmark.corpus or benchmark.tasks}
    other = benchmark.twin.entries
    changed = [task_id for task_id in own if task_id in other and own[task_id] != other[task_id]]
    here = [task_id for task_id in own if task_id not in other]
    there = [task_id for task_id in other if task_id not in own]
    file = benchmark.twin.file
    read = set_place(benchmark).file
    read += "" if any(task.origin.file == read for task in benchmark.tasks) else "/"
    parts = ((changed, "differ"), (here, f"are only in {read}"), (there, f"are only in {file}"))
    clashes = [f"{len(ids)} {verb} ({_some(ids)})" for ids, verb in parts if ids]
    if clashes:
        yield report(
            STALE,
            f"{show(file)} holds the tasks of {show(read)} a second time: {'; '.join(clashes)}.",
            origin=Origin(file, ""),
            subject=f"{file} {read}",
            evidence=(("checked", read), *_examples(changed, own, other)),
        )


def _some(ids: Sequence[str]) -> str:
    return show(", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""))


def _examples(
    changed: Sequence[str], own: Mapping[str, Mapping[str, Json]], other: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """Yield the first place at which each of the first tasks differs."""
    for task_id in changed[:_EXAMPLES]:
        left, right = (
            {leaf.path: leaf.value for leaf in leaves(value)} for value in (dict(own[task_id]), other[task_id])
        )
        paths = (
            path for path in {**left, **right} if path not in left or path not in right or left[path] != right[path]
        )
        for path in islice(paths, 1):
            values = [_value(side, path) for side in (left, right)]
            yield f"{task_id} {path}", " or ".join(values)


def _value(side: Mapping[str, Json], path: str) -> str:
    return f"{show(side[path])[:60]!r}" if path in side else "nothing"


CHECK = Check("twins", (STALE,), inspect)

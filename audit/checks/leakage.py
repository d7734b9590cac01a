"""Splits of a benchmark, and what leaks from one into the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from audit.checks.duplicates import alike, script_of
from audit.checks.protocol import Check, Subject
from audit.checks.raw import set_place, show
from audit.checks.world import World, world_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Benchmark, Origin, Task

OVERLAP = Rule(
    "split-overlap",
    "A task is in a training split and in a test split",
    Severity.ERROR,
    Certainty.PROVED,
    "What is trained on is tested. Results on the test split then say nothing about new tasks.",
    "Take the task out of one of the splits.",
)
ALIKE = Rule(
    "split-scripts-alike",
    "Test tasks have nearly the script of training tasks",
    Severity.WARNING,
    Certainty.PROVED,
    "Some scripts of the test split share most of their wording with scripts of the training split. A model that was "
    "trained on these has seen the test, and its result is too good.",
    "Move tasks that are alike into one split.",
)
PEOPLE = Rule(
    "split-shares-people",
    "Test tasks are about persons of training tasks",
    Severity.NOTE,
    Certainty.PROVED,
    "Tasks of both splits work on the rows of the same persons. A model can learn these rows in training. How much "
    "that helps depends on the benchmark; it should be known when results of the two splits are compared.",
    "Keep all tasks of one person in one split.",
)
EMPTY = Rule(
    "split-empty",
    "A split holds no task",
    Severity.WARNING,
    Certainty.PROVED,
    "The splits file names a split without tasks. Nothing can be run on it, and whoever chooses it gets an error.",
    "Fill the split or remove it.",
)
UNASSIGNED = Rule(
    "task-in-no-split",
    "Tasks are in no split",
    Severity.NOTE,
    Certainty.PROVED,
    "The splits file names some tasks and leaves others out. Runs of the default split never use them.",
    "Add the tasks to a split, or remove them.",
)
REPEATED = Rule(
    "split-repeats-task",
    "A split names a task twice",
    Severity.WARNING,
    Certainty.PROVED,
    "The splits file lists the same id more than once. The task would be run twice and count twice in the mean.",
    "Name it once.",
)
_TRAIN = re.compile(r"train", re.IGNORECASE)
_TEST = re.compile(r"test|dev|eval|val|held", re.IGNORECASE)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the faults of the splits, and for each training and test split what they share."""
    benchmark = subject.benchmark
    by_id = {task.id: task for task in benchmark.corpus or benchmark.tasks}
    splits = {name: [task_id for task_id in ids if task_id in by_id] for name, ids in benchmark.splits.items()}
    yield from _faults(benchmark, by_id)
    for train in (name for name in splits if _TRAIN.search(name)):
        for test in (name for name in splits if _TEST.search(name) and not _TRAIN.search(name)):
            tasks = ([by_id[key] for key in splits[train]], [by_id[key] for key in splits[test]])
            yield from _pair(world_of(subject), (train, test), tasks)


def _faults(benchmark: Benchmark, by_id: Mapping[str, Task]) -> Iterator[Finding]:
    for name, ids in benchmark.splits.items():
        if not ids:
            yield _finding(EMPTY, benchmark, f"The split {show(name)} holds no task.", subject=name)
        twice = sorted({task_id for task_id in ids if ids.count(task_id) > 1}) if len(set(ids)) < len(ids) else []
        if twice:
            yield _finding(REPEATED, benchmark, f"The split {show(name)} names twice: {_some(twice)}.", subject=name)
    named = {task_id for ids in benchmark.splits.values() for task_id in ids}
    left = [task_id for task_id in by_id if task_id not in named]
    if named and left:
        yield _finding(
            UNASSIGNED, benchmark, f"{len(left)} tasks are in no split: {_some(left)}.", subject="unassigned"
        )


def _pair(world: World, names: tuple[str, str], tasks: tuple[list[Task], list[Task]]) -> Iterator[Finding]:
    benchmark, between = world.benchmark, f"{show(names[0])} and {show(names[1])}"
    train, test = tasks
    both = sorted({task.id for task in train} & {task.id for task in test})
    if both:
        yield _finding(OVERLAP, benchmark, f"{len(both)} tasks are in {between}: {_some(both)}.", subject=between)
    known = {person for task in train for person in world.people_of(task)}
    shared = [task.id for task in test if task.id not in both and known & world.people_of(task)]
    if shared:
        what = f"{len(shared)} of {len(test)} tasks of {show(names[1])} are about persons of {show(names[0])}"
        yield _finding(PEOPLE, benchmark, f"{what}: {_some(shared)}.", subject=between)
    seen = _seen([task for task in train if task.id not in both], [task for task in test if task.id not in both])
    if seen:
        what = f"{len(seen)} of {len(test)} tasks of {show(names[1])} have nearly a script of {show(names[0])}"
        yield _finding(ALIKE, benchmark, f"{what}: {_some(seen)}.", subject=between)


def _seen(train: Sequence[Task], test: Sequence[Task]) -> list[str]:
    groups = alike([script_of(task) for task in (*train, *test)])
    return [test[n - len(train)].id for group in groups if group[0] < len(train) for n in group if n >= len(train)]


def _some(ids: Sequence[str]) -> str:
    return show(", ".join(ids[:8]) + (f" and {len(ids) - 8} more" if len(ids) > 8 else ""))


def _finding(rule: Rule, benchmark: Benchmark, what: str, *, subject: str) -> Finding:
    file = next((file.path for file in benchmark.files if "split" in file.path.rsplit("/", 1)[-1]), "")
    return report(rule, what, origin=Origin(file, "") if file else set_place(benchmark), subject=subject)


CHECK = Check("leakage", (OVERLAP, ALIKE, PEOPLE, EMPTY, UNASSIGNED, REPEATED), inspect)

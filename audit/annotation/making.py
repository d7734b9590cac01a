"""A benchmark's tasks → a sheet of questions, in the judges' own words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.errors import UsageError
from audit.judges.registry import JUDGES
from audit.prompts.annotate import annotate
from audit.prompts.fence import visible, visible_line
from audit.prompts.keys import benchmark_hash
from audit.prompts.render import select_behavior
from audit.prompts.templates import load_template, rubric_of
from audit.records.annotation import VIOLATIONS, Ask, Piece, Sheet, SheetItem, SheetPolicy, SheetTask, Stratum
from audit.records.policy import Policy
from audit.records.task import Benchmark, Part, PartKind, Row, Task
from audit.reports.labels import criterion_title
from audit.reports.plain import dump, pretty, to_plain

CRITERION_OF = {"violation_count": VIOLATIONS}
"""Metric to the criterion that people are asked about, where it is not called the same."""
BLOCKS = ("policy", "description", "rows", "expected behavior")


def choose_criteria(metrics: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria that metrics are measured by; all of them for none.

    Raises
    ------
    UsageError
        If people can't be asked about a metric.
    """
    chosen = tuple(dict.fromkeys(CRITERION_OF.get(name, name) for name in metrics)) or tuple(JUDGES)
    for name in chosen:
        if name not in JUDGES:
            mend = f"Choose from {', '.join(JUDGES)}"
            raise UsageError(f"people can't be asked about '{name}'", where="--metric", mend=mend)
    return chosen


def make_sheet(
    benchmark: Benchmark,
    tasks: Sequence[Task],
    *,
    criteria: Sequence[str],
    behavior: frozenset[PartKind],
    seed: int,
) -> Sheet:
    """Return a sheet about ``tasks``, under codes in their order.

    Raises
    ------
    UsageError
        If none of the questions can be put about any of the tasks.
    """
    policies = tuple(dict.fromkeys(benchmark.policy_of(task) for task in tasks))
    asked = {task.id: _criteria_of(task, benchmark, criteria, behavior) for task in tasks}
    used = [name for name in criteria if any(name in found for found in asked.values())]
    if not used:
        judge = JUDGES[criteria[0]]
        reason = judge.undefined_reason(tasks[0], benchmark.policy_of(tasks[0]), behavior=behavior)
        raise UsageError(f"nothing can be asked: {reason}", where=benchmark.name, mend="Choose another --metric")
    asks = tuple(_ask(name, benchmark, tasks[0], behavior) for name in used)
    seen = {block for ask in asks for block in ask.sees}
    width = max(2, len(str(len(tasks))))
    made = tuple(
        SheetTask(
            code=f"T{number:0{width}d}",
            task_id=task.id,
            criteria=asked[task.id],
            description=_pieces(task.description),
            behavior=_pieces(select_behavior(task, behavior)) if "expected behavior" in seen else (),
            rows=tuple(map(_row, task.rows)) if "rows" in seen else (),
            policy=policies.index(benchmark.policy_of(task)),
        )
        for number, task in enumerate(tasks, 1)
        if asked[task.id]
    )
    shown = tuple(map(_policy, policies)) if "policy" in seen else (SheetPolicy("", "", ()),) * len(policies)
    return identify(Sheet("", benchmark.name, benchmark_hash(benchmark), asks, shown, made, seed))


def describe(sheet: Sheet, strata: tuple[Stratum, ...], *, by: Sequence[str], raters: Sequence[str]) -> Sheet:
    """Return the sheet with how its tasks were drawn and for whom it is."""
    return replace(sheet, strata=strata, stratified_by=tuple(by), raters=tuple(raters))


def identify(sheet: Sheet) -> Sheet:
    """Return the sheet with its hash, which is over what it asks and nothing else."""
    content = dump(to_plain([sheet.benchmark, sheet.asks, sheet.policies, sheet.tasks]), indent=None)
    return replace(sheet, id=hashlib.sha256(content.encode()).hexdigest()[:12])


def copy_for(sheet: Sheet, rater: str) -> tuple[SheetTask, ...]:
    """Return the tasks in a rater's own order, the same one every time."""
    digest = hashlib.sha256(f"{sheet.id}\0{sheet.seed}\0{rater}".encode("utf-8", "backslashreplace")).digest()
    order = np.random.default_rng(int.from_bytes(digest[:8], "big")).permutation(len(sheet.tasks))
    return tuple(sheet.tasks[place] for place in order)


def _criteria_of(
    task: Task, benchmark: Benchmark, criteria: Sequence[str], behavior: frozenset[PartKind]
) -> tuple[str, ...]:
    policy = benchmark.policy_of(task)
    return tuple(name for name in criteria if not JUDGES[name].undefined_reason(task, policy, behavior=behavior))


def _ask(criterion: str, benchmark: Benchmark, task: Task, behavior: frozenset[PartKind]) -> Ask:
    schema = VIOLATIONS if criterion == VIOLATIONS else "alignment"
    template = load_template(criterion, benchmark.style, schema=schema)
    segments = JUDGES[criterion].segments(task, benchmark.policy_of(task), style=benchmark.style, behavior=behavior)
    names = {segment.label.removesuffix(" begins") for segment in segments}
    return Ask(criterion, criterion_title(criterion), rubric_of(template), tuple(b for b in BLOCKS if b in names))


def _pieces(parts: Sequence[Part]) -> tuple[Piece, ...]:
    return tuple(Piece(visible_line(f"{part.kind.value}: {part.label}"), visible(part.text)) for part in parts)


def _row(row: Row) -> Piece:
    return Piece(visible_line(f"{row.table} {row.key}"), visible(pretty(row.value)).replace("\t", "  "))


def _policy(policy: Policy) -> SheetPolicy:
    items = tuple(SheetItem(item.id, item.title, visible(policy.quote(item))) for item in policy.items)
    return SheetPolicy(policy.name, annotate(policy), items)

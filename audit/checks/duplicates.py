"""Tasks that repeat one another: texts, gold actions, or both."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from audit.checks.layout import script_place
from audit.checks.protocol import Check, Subject
from audit.checks.raw import set_place, show
from audit.checks.shingles import grouped, near_groups
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Benchmark, Json, PartKind, Task, ToolKind

REPEATED = Rule(
    "task-repeated",
    "A task repeats another one word for word",
    Severity.ERROR,
    Certainty.PROVED,
    "Script, initial state and all criteria are those of an earlier task. The repeated task measures nothing new "
    "and counts its outcome twice. It is reported on the later tasks, not on the first.",
    "Remove the copy, or change what it tests.",
)
OTHER_GOLD = Rule(
    "same-script-other-gold",
    "Two tasks with the same script expect different changes",
    Severity.ERROR,
    Certainty.PROVED,
    "Script, initial state and persona are equal, and the writing gold actions differ. At least one of the tasks "
    "must be wrong, or the script leaves open what is expected.",
    "Correct the gold actions of one, or change the script.",
)
NEAR_COPY = Rule(
    "task-near-copy",
    "A task differs from another one in a few words only, and expects the same",
    Severity.WARNING,
    Certainty.LIKELY,
    "Most runs of three words of the script are those of an earlier task, and the gold actions are equal. Near "
    "copies count one behavior twice and make the benchmark look larger than it is. It is a false alarm where the few "
    "words are the point, such as the order in which a user says things.",
    "Remove the copy, or let it test something else.",
)
NEAR_GROUP = Rule(
    "scripts-alike",
    "Several tasks have nearly the same script",
    Severity.NOTE,
    Certainty.LIKELY,
    "The scripts of these tasks share most of their wording, while states or criteria differ. Variants can be "
    "intended; results on them are not independent, so intervals over tasks are too narrow.",
    "Say that they are variants, or count them as one group in statistics.",
)
SAME_GOLD = Rule(
    "same-gold-actions",
    "Several tasks with different scripts have the same gold actions",
    Severity.NOTE,
    Certainty.PROVED,
    "The gold actions of these tasks are equal, argument by argument. Paraphrases of one task can be intended; "
    "otherwise the actions of one were copied and not adapted.",
    "Check that each script really asks for these actions.",
)
_CRITERIA = "evaluation_criteria"
"""Where τ-style tasks hold all that is expected; of other formats the parts and the rows are compared."""
NEAR = 0.7
"""Jaccard overlap of word 3-grams from which two scripts are nearly the same."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield repeated tasks one by one, and groups of tasks that are alike once a group."""
    tasks = subject.benchmark.tasks
    scripts = [script_of(task) for task in tasks]
    by_script: dict[str, list[int]] = defaultdict(list)
    for position, script in enumerate(scripts):
        by_script[script].append(position)
    groups = alike(scripts)
    yield from _same_script(tasks, by_script)
    for group in groups:
        yield from _near(subject.benchmark, [tasks[position] for position in group])
    yield from _same_gold(subject.benchmark, groups)


def alike(scripts: Sequence[str]) -> list[list[int]]:
    """Return the groups of positions whose scripts are equal or nearly so; empty scripts are in none."""
    by_script: dict[str, list[int]] = defaultdict(list)
    for position, script in enumerate(scripts):
        by_script[script].append(position)
    distinct = [script for script in by_script if script]
    near = [
        (by_script[distinct[group[0]]][0], by_script[distinct[other]][0])
        for group in near_groups(distinct, least=NEAR)
        for other in group[1:]
    ]
    equal = [(by_script[script][0], position) for script in distinct for position in by_script[script][1:]]
    return grouped(len(scripts), [*near, *equal])


def script_of(task: Task) -> str:
    """Return what the simulated user is told, in lower case with single spaces, without the name of the domain."""
    told = [
        part.text
        for part in task.description
        if part.kind in (PartKind.PERSONA, PartKind.SCENARIO) and not part.origin.field.endswith(".domain")
    ]
    return " ".join(" ".join(told).lower().split())


def _calls(task: Task, *, only_writes: bool) -> str:
    """Return the gold actions as canonical text; empty if there are none."""
    made = [
        [action.requestor, action.name, dict(action.arguments)]
        for action in task.actions or ()
        if not only_writes or action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN)
    ]
    return json.dumps(made, sort_keys=True, default=str) if made else ""


def _state(task: Task) -> str:
    """Return everything that makes the start of the task, beside its script, as canonical text."""
    names = ("initial_state", "ticket", "user_tools", "required_documents")
    rows = [] if _CRITERIA in task.raw else [[row.table, row.key, row.value] for row in task.rows]
    return json.dumps([[task.raw.get(name) for name in names], rows], sort_keys=True, default=str)


def _same_script(tasks: Sequence[Task], by_script: Mapping[str, Sequence[int]]) -> Iterator[Finding]:
    for script, positions in by_script.items():
        starts: dict[str, list[Task]] = defaultdict(list)
        for position in positions if script else ():
            starts[_state(tasks[position])].append(tasks[position])
        for same in starts.values():
            first = same[0]
            for task in same[1:]:
                is_other = _calls(task, only_writes=True) != _calls(first, only_writes=True)
                if not is_other and not _is_repeated(task, first):
                    continue
                yield report(
                    OTHER_GOLD if is_other else REPEATED,
                    f"The script is that of task {show(first.id)}, "
                    + ("but gold makes other changes." if is_other else "and so is all that is expected."),
                    origin=script_place(task),
                    subject=f"as {first.id}",
                    evidence=(("as task", show(first.id)), ("script", show(script))),
                )


def _is_repeated(task: Task, first: Task) -> bool:
    return (_criteria(task), _state(task), script_of(task)) == (_criteria(first), _state(first), script_of(first))


def _is_told(task: Task, twin: Task) -> bool:
    """Return whether a task with the script and the start of another is reported on its own."""
    return _calls(task, only_writes=True) != _calls(twin, only_writes=True) or _is_repeated(task, twin)


def _criteria(task: Task) -> str:
    """Return the gold actions, and all other criteria, as canonical text without the actions' ids and remarks."""
    criteria = task.raw.get(_CRITERIA)
    rest: Mapping[str, Json] = {}
    if isinstance(criteria, dict):
        rest = {name: value for name, value in criteria.items() if name != "actions"}
    elif _CRITERIA not in task.raw:
        rest = {"parts": [part.text for part in task.behavior]}
    return json.dumps([_calls(task, only_writes=False), rest], sort_keys=True, default=str)


def _near(benchmark: Benchmark, group: Sequence[Task]) -> Iterator[Finding]:
    first_by_gold: dict[str, Task] = {}
    first_by_start: dict[str, Task] = {}
    rest: list[str] = []
    for task in group:
        gold = _calls(task, only_writes=True)
        first = first_by_gold.setdefault(f"{gold} {_state(task)}", task)
        twin = first_by_start.setdefault(f"{script_of(task)} {_state(task)}", task)
        if gold and first is not task and script_of(task) != script_of(first):
            yield report(
                NEAR_COPY,
                f"The script is nearly that of task {show(first.id)}, and gold makes the same changes.",
                origin=script_place(task),
                subject=f"as {first.id}",
                evidence=(("as task", show(first.id)),),
            )
        elif twin is task or not _is_told(task, twin):
            rest.append(task.id)
    if len(rest) > 1:
        yield _group(NEAR_GROUP, benchmark, rest, "have nearly the same script")


def _same_gold(benchmark: Benchmark, groups: Sequence[Sequence[int]]) -> Iterator[Finding]:
    by_gold: dict[str, list[int]] = defaultdict(list)
    for position, task in enumerate(benchmark.tasks):
        by_gold[_calls(task, only_writes=False)].append(position)
    group_of = {position: number for number, group in enumerate(groups) for position in group}
    for gold, positions in by_gold.items():
        apart = {group_of[position] if position in group_of else -1 - position for position in positions}
        if gold and len(apart) > 1:
            ids = [benchmark.tasks[position].id for position in positions]
            yield _group(SAME_GOLD, benchmark, ids, "have the same gold actions under different scripts")


def _group(rule: Rule, benchmark: Benchmark, ids: Sequence[str], what: str) -> Finding:
    some = ", ".join(ids[:8]) + (f" and {len(ids) - 8} more" if len(ids) > 8 else "")
    return report(
        rule,
        f"{len(ids)} tasks {what}: {show(some)}.",
        origin=set_place(benchmark),
        subject=" ".join(sorted(ids)),
        evidence=(("tasks", show(some)),),
    )


CHECK = Check("duplicates", (REPEATED, OTHER_GOLD, NEAR_COPY, NEAR_GROUP, SAME_GOLD), inspect)

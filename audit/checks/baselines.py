"""Agents that do not try, scored under each task's own reward basis: one does nothing, one transfers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from audit.checks.criteria import Criteria, read_criteria
from audit.checks.layout import criterion_path, criterion_place, has_criteria
from audit.checks.protocol import Check, Subject
from audit.checks.raw import child, set_place
from audit.checks.world import world_of
from audit.environments.protocol import Environment
from audit.environments.replay import Replay, run_calls
from audit.environments.toolset import UNKNOWN_TOOL, read_function
from audit.environments.view import same_state
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Action, Benchmark, Json, Origin, Task, ToolKind

IDLE = Rule(
    "passes-when-idle",
    "An agent that does nothing and says nothing passes",
    Severity.NOTE,
    Certainty.PROVED,
    "Every component of the reward is satisfied by a run without a single call or message. A task that expects a "
    "refusal is often of this kind, and then an agent that is broken scores as well as one that refuses rightly. "
    "Where the gold actions write, the task can't be meant so, and this is a warning.",
    "Score something that only an agent who handles the request does: a fact to tell, or an assertion.",
)
TRANSFER = Rule(
    "passes-on-transfer",
    "An agent that hands every talk over to a person at once passes",
    Severity.NOTE,
    Certainty.PROVED,
    "A run of one call, the transfer to a person, satisfies every component of the reward, while doing nothing does "
    "not. Where the hand-over is what the author expects, an agent that never asks what the matter is gets full marks.",
    "Score what must happen before the hand-over.",
)
SHARE = Rule(
    "idle-agents-score",
    "Agents that do not try pass some of the tasks",
    Severity.WARNING,
    Certainty.PROVED,
    "This is the score of agents that do nothing, or transfer at once, over the whole set: the floor that any real "
    "agent's score must be read against. Tasks that need a judge, or tools that can't be replayed here, are counted "
    "as undecided and never as passed.",
    "Report this floor beside every score, or give the tasks in question criteria that need an act.",
)
_HAND_OVER: Final = "transfer_to_"


@dataclass(frozen=True, slots=True)
class _Run:
    """What a baseline leaves: its calls, and the replay of the gold actions where there is one."""

    task: Task
    criteria: Criteria
    calls: tuple[Action, ...]
    environment: Environment | None
    gold: Replay | None


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the tasks that need no agent, and how many they are."""
    if not has_criteria(subject.benchmark):
        return
    transfer = _find_transfer(subject.benchmark)
    idle, handed = {}, {}
    for task in subject.benchmark.tasks:
        idle[task.id] = passes(subject, task, calls=())
        handed[task.id] = passes(subject, task, calls=(transfer,)) if transfer else False
        yield from _of_task(task, is_idle=idle[task.id], is_handed=handed[task.id])
    yield from _of_set(subject.benchmark, idle, handed)


def passes(subject: Subject, task: Task, *, calls: tuple[Action, ...]) -> bool | None:
    """Return whether a run of these calls, without a word to the user, gets full reward.

    Returns
    -------
    bool | None
        ``None`` where it can't be decided: an assertion needs a judge, or there is no environment to replay in. A
        component that fails decides whatever the others are.
    """
    criteria = read_criteria(task)
    if not criteria.is_written:
        return True
    run = _Run(task, criteria, calls, subject.environment, world_of(subject).replay(task))
    results = [_COMPONENTS[name](run) if name in _COMPONENTS else None for name in criteria.basis]
    return False if False in results else None if None in results else True


def _database(run: _Run) -> bool | None:
    if run.criteria.values["ACTION"] is None and run.criteria.values["ENV_ASSERTION"] is None:
        return True
    if run.environment is None or run.gold is None:
        changes = [action for action in run.task.actions or () if action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN)]
        return None if changes else True
    outcomes = run_calls(run.environment, run.calls, state=run.gold.initial)
    return same_state(outcomes[-1].state if outcomes else run.gold.initial, run.gold.final)


def _assertions(run: _Run) -> bool | None:
    entries = run.criteria.entries("ENV_ASSERTION")
    if not entries:
        return True
    if run.environment is None or run.gold is None:
        return None
    results = [_holds(run.environment, run.gold, entry) for entry in entries if isinstance(entry, Mapping)]
    return False if False in results else None if None in results else True


def _holds(environment: Environment, gold: Replay, entry: Mapping[str, Json]) -> bool | None:
    """Return whether an assertion holds of the initial state, which neither baseline changes."""
    outcome = environment.run(gold.initial, read_function(entry, Origin("", "")))
    if outcome.error == UNKNOWN_TOOL:
        return None
    wanted = child(entry, "assert_value")
    return not outcome.error and outcome.result == (True if wanted is None else wanted)


def _told(run: _Run) -> bool:
    return not run.criteria.entries("COMMUNICATE")


def _judged(run: _Run) -> bool | None:
    return None if run.criteria.entries("NL_ASSERTION") else True


def _actions(run: _Run) -> bool:
    return all(any(_matches(gold, call) for call in run.calls) for gold in run.task.actions or ())


def _matches(gold: Action, call: Action) -> bool:
    """Return whether a call counts as a gold action: same name, same values of what is compared."""
    compared: Sequence[str] = tuple(call.arguments) if gold.compare_args is None else gold.compare_args
    same_caller = (gold.name, gold.requestor) == (call.name, call.requestor)
    return same_caller and all(gold.arguments.get(name) == call.arguments.get(name) for name in compared)


_COMPONENTS: Final[dict[str, Callable[[_Run], bool | None]]] = {
    "DB": _database,
    "ENV_ASSERTION": _assertions,
    "COMMUNICATE": _told,
    "NL_ASSERTION": _judged,
    "ACTION": _actions,
}


def _find_transfer(benchmark: Benchmark) -> Action | None:
    """Return a call of the tool that hands the talk over, with empty texts for its arguments."""
    for tool in benchmark.tools:
        if tool.caller == "assistant" and tool.name.startswith(_HAND_OVER):
            arguments: dict[str, Json] = {each.name: "" for each in tool.parameters if each.is_required}
            return Action(tool.name, arguments, tool.kind, Origin("", ""))
    return None


def _of_task(task: Task, *, is_idle: bool | None, is_handed: bool | None) -> Iterator[Finding]:
    basis = ", ".join(read_criteria(task).basis)
    origin = criterion_place(task)
    if is_idle:
        writes = [action.name for action in task.actions or () if action.kind is ToolKind.WRITE]
        what = "An agent that does nothing and says nothing passes"
        finding = report(IDLE, f"{what}.", origin=origin, subject="idle", evidence=(("basis", basis),))
        if writes:
            named = ", ".join(dict.fromkeys(writes))
            finding = replace(
                finding, severity=Severity.WARNING, what=f"{what}, though the gold actions write ({named})."
            )
        yield finding
    elif is_handed:
        what = "An agent that transfers the user to a person at once passes."
        yield report(TRANSFER, what, origin=origin, subject="transfer", evidence=(("basis", basis),))


def _of_set(
    benchmark: Benchmark, idle: Mapping[str, bool | None], handed: Mapping[str, bool | None]
) -> Iterator[Finding]:
    counts = [sum(1 for passed in results.values() if passed) for results in (idle, handed)]
    if not any(counts):
        return
    open_ids = [task_id for task_id, passed in idle.items() if passed is None]
    undecided = f"; {len(open_ids)} can't be decided without a judge or a replay" if open_ids else ""
    yield report(
        SHARE,
        f"Of {len(idle)} tasks an agent that does nothing passes {counts[0]}, one that transfers at once "
        f"{counts[1]}{undecided}.",
        origin=set_place(benchmark, criterion_path(benchmark.tasks[0])),
        subject="idle agents",
        evidence=(
            ("passed when idle", str(counts[0])),
            ("passed on transfer", str(counts[1])),
            ("undecided", str(len(open_ids))),
            ("tasks", str(len(idle))),
        ),
    )


CHECK = Check("baselines", (IDLE, TRANSFER, SHARE), inspect)

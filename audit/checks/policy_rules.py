"""Gold calls against the policy's own rules, as far as the database decides them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from audit.checks.policy_rules_evaluate import (
    Scene,
    as_names,
    call_entry,
    decide,
    unknown_names,
    work_out,
)
from audit.checks.policy_rules_values import Truth, Unknown
from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, show
from audit.checks.world import World, world_of
from audit.environments.protocol import State
from audit.environments.replay import Replay
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.policy_rule import PolicyRule, PolicyRules
from audit.records.task import Origin, PartKind, Task, ToolKind

BROKEN = Rule(
    "gold-breaks-policy",
    "A gold action does what the policy forbids",
    Severity.ERROR,
    Certainty.PROVED,
    "A rule of the policy, written down as a condition on the call's arguments and the rows just before it, fails "
    "for a gold action. An agent that keeps to the policy can't reach the target, and one that breaks it is "
    "rewarded. It is a note where the tool refuses the call anyway, and a false alarm only if the written rule says "
    "something else than the policy.",
    "Make the gold actions keep to the policy, or change the case so that the policy allows them.",
)
DOUBTFUL = Rule(
    "gold-may-break-policy",
    "A gold action seems to do what the policy forbids",
    Severity.WARNING,
    Certainty.LIKELY,
    "A rule of the policy fails for a gold action, but the rule, or what it needs to know, is a guess: usually "
    "whether the user's text gives a reason that the policy asks for, which is told by words in it. It is a false "
    "alarm if the text says so in other words.",
    "Read the task: let the user say what the policy asks for, or change the gold actions.",
)
UNDECIDED = Rule(
    "policy-rule-undecided",
    "A rule of the policy can't be decided for any gold action",
    Severity.NOTE,
    Certainty.PROVED,
    "A rule in the file of policy rules applies to some gold actions, but a row, field or argument that it names is "
    "missing at each of them, or it is about a tool that does not exist. The rule then finds nothing, whatever the "
    "tasks are like. Often a name in it is misspelt.",
    "Correct the names in the rule.",
)
_USER_TEXT = (PartKind.PERSONA, PartKind.SCENARIO)
_MAX_CALLS_SEEN = 100
"""Gold calls of a task that a rule can look back or forward at."""


@dataclass
class _Tally:
    """How often a rule was tried at a known state, how often it could be told, and what it lacked at first."""

    tried: int = 0
    decided: int = 0
    lacking: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A gold call with the state just before it, and what is known of the task."""

    task: Task
    call: Call
    state: State = field(repr=False)
    is_refused: bool
    names: Mapping[str, object] = field(repr=False)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the gold calls that break a rule of the policy; nothing without rules.

    A rule sees the state just before the call: from the replay of the gold actions, or, without an environment, the
    database itself before the first action that may write.
    """
    rules = subject.rules
    if rules is None:
        return
    world = world_of(subject)
    tallies = {rule.id: _Tally() for rule in rules.rules}
    for task in subject.benchmark.tasks:
        if rules.document_sha256 in ("", subject.benchmark.policy_of(task).sha256):
            yield from _inspect_task(task, rules, world, tallies)
    yield from _undecided(rules, world, tallies)


def _inspect_task(
    task: Task, rules: PolicyRules, world: World, tallies: Mapping[str, _Tally]
) -> Iterator[Finding]:
    calls = world.calls[task.id]
    concerned = {name for rule in rules.rules for name in rule.on}
    if not any(call.name in concerned for call in calls):
        return
    replayed = world.replay(task)
    for call in calls:
        state = _state_before(call, task, world, replayed)
        if state is None or call.caller != "assistant":
            continue
        scene = _scene(call, calls, rules, state, replayed)
        for rule in rules.rules:
            if call.name in rule.on:
                is_refused = replayed is not None and bool(replayed.outcomes[call.position].error)
                yield from _apply(rule, scene, task, call, is_refused, tallies[rule.id], world)


CHECK = Check("policy_rules", (BROKEN, DOUBTFUL, UNDECIDED), inspect)

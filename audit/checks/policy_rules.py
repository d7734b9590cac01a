"""Gold calls against the policy's own rules, as far as the database decides them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from audit.checks.policy_rules_evaluate import Scene, as_names, decide, unknown_names, work_out
from audit.checks.policy_rules_values import UNKNOWN, Truth, Unknown, Value
from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, show
from audit.checks.world import World, world_of
from audit.environments.protocol import State
from audit.records.finding import SEVERITY_ORDER, Certainty, Finding, Rule, Severity, report
from audit.records.policy_rule import PolicyRule, PolicyRules
from audit.records.task import Json, Origin, PartKind, Task, ToolKind

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


@dataclass
class _Tally:
    """How often a rule was tried at a known state, how often it could be told, and which names it lacked."""

    tried: int = 0
    decided: int = 0
    lacking: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Case:
    """A gold call as rules see it; ``is_refused`` where its tool refuses it."""

    task: Task
    call: Call
    scene: Scene = field(repr=False)
    is_refused: bool


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the gold calls that break a rule of the policy; nothing without rules.

    A rule sees the state just before the call: from the replay of the gold actions, or, without an environment, the
    database itself before the first action that may write.
    """
    rules = subject.rules
    if rules is None:
        return
    world = world_of(subject)
    by_tool: dict[str, list[PolicyRule]] = {}
    for rule in rules.rules:
        for name in sorted(rule.on):
            by_tool.setdefault(name, []).append(rule)
    tallies = {rule.id: _Tally() for rule in rules.rules}
    for task in subject.benchmark.tasks:
        if rules.document_sha256 in ("", subject.benchmark.policy_of(task).sha256):
            for case in _cases(task, rules, world, frozenset(by_tool)):
                for rule in by_tool[case.call.name]:
                    yield from _apply(rule, case, tallies[rule.id], world)
    for rule in rules.rules:
        yield from _undecided(rule, rules, tallies[rule.id], world)


def _cases(task: Task, rules: PolicyRules, world: World, concerned: frozenset[str]) -> Iterator[_Case]:
    """Yield the assistant's calls that rules are about and whose state is known."""
    calls = [call for call in world.calls[task.id] if call.caller == "assistant"]
    if concerned.isdisjoint(call.name for call in calls):
        return
    replayed = world.replay(task)
    refused = {n for n, outcome in enumerate(replayed.outcomes) if outcome.error} if replayed else set()
    made = [call for call in calls if call.position not in refused]
    for call in calls:
        state = replayed.state_before(call.position) if replayed else _untouched(task, call, world)
        if state is None or call.name not in concerned:
            continue
        names: dict[str, Value] = {
            "argument": call.arguments,
            "call": _entry(call),
            "before": [_entry(one) for one in made if one.position < call.position],
            "after": [_entry(one) for one in made if one.position > call.position],
            "now": rules.now or UNKNOWN,
        }
        yield _Case(task, call, Scene(state, names), call.position in refused)


def _entry(call: Call) -> Json:
    return {"name": call.name, "arguments": call.arguments}


def _untouched(task: Task, call: Call, world: World) -> State | None:
    """Return the database, if nothing that came before this call can have changed it."""
    before = (task.actions or ())[: call.position]
    is_prepared = task.raw.get("initial_state") not in (None, {})
    has_written = any(action.kind not in (ToolKind.READ, ToolKind.GENERIC) for action in before)
    return None if is_prepared or has_written else world.benchmark.database


def _apply(rule: PolicyRule, case: _Case, tally: _Tally, world: World) -> Iterator[Finding]:
    scene = as_names(rule.names, case.scene)
    tally.tried += 1
    truth, is_read = _judge(rule, scene), False
    if truth is None:
        scene = as_names(rule.names, replace(case.scene, text=_user_text(case.task)))
        truth, is_read = _judge(rule, scene), True
    if truth is None:
        tally.lacking.update(dict.fromkeys(unknown_names(rule.names, scene)))
        return
    tally.decided += 1
    if truth is False:
        yield _finding(rule, replace(case, scene=scene), world, is_read=is_read)


def _judge(rule: PolicyRule, scene: Scene) -> Truth:
    """Return whether a call keeps to a rule; one that the rule is silent about does."""
    applies = True if rule.where is None else decide(rule.where, scene)
    if applies is False:
        return True
    truth = decide(rule.require, scene)
    return truth if applies or truth else None


def _user_text(task: Task) -> str:
    text = "\n".join(part.text for part in task.description if part.kind in _USER_TEXT)
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _finding(rule: PolicyRule, case: _Case, world: World, *, is_read: bool) -> Finding:
    policy = world.benchmark.policy_of(case.task)
    title = next((f" ({item.title})" for item in policy.items if item.id == rule.item), "")
    refused = " The tool refuses the call." if case.is_refused else ""
    shown = {label: work_out(expression, case.scene) for label, expression in rule.show.items()}
    known = [(label, show(value)) for label, value in shown.items() if not isinstance(value, Unknown)]
    is_likely = is_read or rule.certainty is Certainty.LIKELY
    made = report(
        DOUBTFUL if is_likely else BROKEN,
        f"{case.call.name} breaks {rule.item or rule.id}{title}: {rule.says}{refused}",
        origin=case.call.action.origin,
        subject=f"{rule.id} {case.call.name} {_digest(case.call.arguments)}",
        evidence=(("rule", rule.id), ("call", f"{case.call.name} {show(case.call.arguments)}"), *known),
    )
    usual = max(rule.severity, made.severity, key=SEVERITY_ORDER.index)
    severity = Severity.NOTE if case.is_refused else usual
    return replace(made, severity=severity, policy_item=rule.item)


def _digest(arguments: Mapping[str, Json]) -> str:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _undecided(rule: PolicyRule, rules: PolicyRules, tally: _Tally, world: World) -> Iterator[Finding]:
    unknown = sorted(name for name in rule.on if world.tools and ("assistant", name) not in world.tools)
    if unknown:
        yield _note(rule, rules, f"is about {unknown[0]}, which is no tool of the assistant.")
    elif tally.tried and not tally.decided:
        lacking = f": {', '.join(f'${name}' for name in tally.lacking)} has no value" if tally.lacking else ""
        yield _note(rule, rules, f"can't be decided at any gold call that it is about ({tally.tried} tried){lacking}.")


def _note(rule: PolicyRule, rules: PolicyRules, what: str) -> Finding:
    made = report(
        UNDECIDED,
        f"The rule {rule.id} {what}",
        origin=Origin(rules.file, f"rules.{rule.id}"),
        subject=rule.id,
        evidence=(("rule", rule.id), ("tools", ", ".join(sorted(rule.on)))),
    )
    return replace(made, policy_item=rule.item)


CHECK = Check("policy_rules", (BROKEN, DOUBTFUL, UNDECIDED), inspect)

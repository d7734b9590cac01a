"""Examples of policy rules broken and kept, on small databases, for the tests of the shipped rule files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from audit.checks.policy_rules import inspect
from audit.checks.protocol import Subject
from audit.databases.tables import merge
from audit.environments.registry import environment_for
from audit.loaders.policy_rules import find_policy_rules
from audit.records.finding import Finding
from audit.records.policy import Policy
from audit.records.policy_rule import PolicyRules
from audit.records.task import Action, Benchmark, Origin, ToolKind
from audit.resources import resource
from tests.builders import benchmark, task

Call = tuple[str, dict[str, Any]]
Tables = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Example:
    """Gold calls that break a rule, and calls that keep to it, each on the database with a patch merged in."""

    rule: str
    broken: tuple[Call, ...]
    kept: tuple[Call, ...]
    broken_rows: Mapping[str, Any] = field(default_factory=dict)
    kept_rows: Mapping[str, Any] = field(default_factory=dict)
    broken_text: str = "You want it done."
    kept_text: str = "You want it done."


def shipped_rules(name: str) -> PolicyRules:
    """The rules that ship for a policy, with a stand-in for its document."""
    found = find_policy_rules(stand_in(name))
    assert found is not None
    return found


def stand_in(name: str) -> Policy:
    stated = json.loads(resource("policies", name, "rules.json").read_text(encoding="utf-8"))
    return Policy(name, "", stated["document_sha256"])


def action(call: Call, position: int = 0, kind: ToolKind = ToolKind.WRITE) -> Action:
    return Action(call[0], call[1], kind, Origin("tasks.json", f"evaluation_criteria.actions[{position}]", "t1"))


def with_gold(calls: tuple[Call, ...], rows: Tables, text: str, policy: Policy) -> Benchmark:
    gold = tuple(action(call, position) for position, call in enumerate(calls))
    return benchmark(task(description=text, actions=gold), policy=policy, database=rows)


def inspect_calls(
    calls: tuple[Call, ...], rows: Tables, *, rules: PolicyRules, text: str, replays: bool = False
) -> list[Finding]:
    """Findings for gold calls; all state is the database's where the example is a single call."""
    made = with_gold(calls, rows, text, Policy("stand-in", "", rules.document_sha256))
    return list(inspect(Subject(made, environment_for(made) if replays else None, rules)))


def broken_rules(example: Example, rows: Tables, rules: PolicyRules, *, kept: bool) -> set[str]:
    """The rules that the example's calls break."""
    calls, patch, text = (
        (example.kept, example.kept_rows, example.kept_text)
        if kept
        else (example.broken, example.broken_rows, example.broken_text)
    )
    patched: Any = merge(rows, dict(patch))
    found = inspect_calls(calls, patched, rules=rules, text=text, replays=len(calls) > 1)
    return {dict(finding.evidence)["rule"] for finding in found if finding.rule != "policy-rule-undecided"}

"""Which tasks challenge which policy items, going by a judge's verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.records.policy import Policy, PolicyItem
from audit.records.run import RunResult
from audit.records.task import Benchmark
from audit.records.verdict import Trust, Verdict


@dataclass(frozen=True, slots=True)
class Challenges:
    """One judge's violations.

    Parameters
    ----------
    answered
        Tasks with at least one verdict.
    share_by_item
        Item id to task id to the share of the task's verdicts that name the item; only shares above 0.
    """

    judge: str
    trust: Trust
    answered: frozenset[str]
    share_by_item: Mapping[str, Mapping[str, float]]

    @property
    def has_answers(self) -> bool:
        """Whether the judge answered for any task."""
        return bool(self.answered)

    def tasks_of(self, item_id: str) -> tuple[str, ...]:
        """Return the tasks that challenge an item in more than half of their verdicts."""
        if item_id not in self.share_by_item:
            return ()
        return tuple(task_id for task_id, share in self.share_by_item[item_id].items() if share > 0.5)


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """An item and the policy that it belongs to."""

    policy: Policy
    item: PolicyItem


def policy_rules(benchmark: Benchmark) -> tuple[PolicyRule, ...]:
    """Return every item that some task's policy has, each id once, in document order, policy by policy."""
    policies = {policy.sha256: policy for policy in map(benchmark.policy_of, benchmark.tasks)}
    rules: dict[str, PolicyRule] = {}
    for policy in sorted(policies.values(), key=lambda policy: (policy.name, policy.sha256)):
        for item in policy.items:
            rules.setdefault(item.id, PolicyRule(policy, item))
    return tuple(rules.values())


def challenges(result: RunResult) -> tuple[Challenges, ...]:
    """Return what each judge of policy violations found, in the order of the verdicts."""
    by_judge: dict[tuple[str, Trust], list[Verdict]] = {}
    for verdict in result.verdicts:
        if verdict.criterion == "policy_violations":
            by_judge.setdefault((verdict.judge, verdict.trust), []).append(verdict)
    return tuple(_of_judge(judge, trust, verdicts) for (judge, trust), verdicts in by_judge.items())


def all_challenges(result: RunResult) -> tuple[Challenges, ...]:
    """Return what the panel found by majority, if there is one, then what each judge found."""
    own = challenges(result)
    panel = result.panel
    tasks = [] if panel is None else [task for task in panel.tasks if task.violated is not None]
    if panel is None or not tasks:
        return own
    hits: dict[str, dict[str, float]] = {}
    for task in tasks:
        for item_id in task.violated or ():
            hits.setdefault(item_id, {})[task.task_id] = 1.0
    trust = next((found.trust for found in own if found.judge in panel.judges), Trust.MODEL)
    return (Challenges(panel.name, trust, frozenset(task.task_id for task in tasks), hits), *own)


def _of_judge(judge: str, trust: Trust, verdicts: Sequence[Verdict]) -> Challenges:
    n_by_task: Counter[str] = Counter()
    hits: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        if verdict.violated is not None and verdict.is_ok:
            n_by_task[verdict.task_id] += 1
            for item_id in dict.fromkeys(verdict.violated):
                hits.setdefault(item_id, Counter())[verdict.task_id] += 1
    shares = {
        item_id: {task_id: n / n_by_task[task_id] for task_id, n in counts.items()} for item_id, counts in hits.items()
    }
    return Challenges(judge, trust, frozenset(n_by_task), shares)

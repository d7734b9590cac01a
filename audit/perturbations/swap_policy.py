"""A benchmark's tasks under the policy of another one."""

from __future__ import annotations

from dataclasses import replace

from audit.errors import UsageError
from audit.perturbations.protocol import Dose
from audit.records.perturbation import Change, Perturbed
from audit.records.policy import Policy
from audit.records.task import Benchmark, Task

NAME = "swap-policy"
OWN_DOCUMENTS = "required_documents"
"""The field by which a task adds documents to the policy."""


def swap_policy(benchmark: Benchmark, dose: Dose) -> Perturbed:
    """Give every task the policy of ``dose.other``, with its items, in place of its own.

    Raises
    ------
    UsageError
        If there is no other benchmark, or its policy says the same.
    """
    other = dose.other
    if other is None:
        raise UsageError("swap-policy needs another benchmark", where="--with", mend="Name one, such as tau3/retail")
    if other.policy.sha256 == benchmark.policy.sha256:
        what = f"{other.name} has the same policy as {benchmark.name}"
        raise UsageError(what, where="--with", mend="Name a benchmark of another domain")
    policy = replace(other.policy, file="", pieces=())
    return Perturbed(
        benchmark=replace(
            benchmark,
            policy=policy,
            tasks=tuple(_without_own(task) for task in benchmark.tasks),
            corpus=tuple(_without_own(task) for task in benchmark.corpus),
            other_policies=(),
        ),
        kind=NAME,
        rate=1.0,
        seed=dose.seed,
        n_wanted=len(benchmark.tasks),
        changes=(_change(benchmark.policy, policy, other), *_own_changes(benchmark, other)),
        notes=(() if policy.items else (f"The policy of {other.name} has no items: violations can't be judged",)),
    )


def _change(before: Policy, after: Policy, other: Benchmark) -> Change:
    return Change(None, "policy", before.text, after.text, other.name)


def _own_changes(benchmark: Benchmark, other: Benchmark) -> tuple[Change, ...]:
    return tuple(
        Change(task.id, OWN_DOCUMENTS, task.raw[OWN_DOCUMENTS], None, other.name)
        for task in benchmark.tasks
        if OWN_DOCUMENTS in task.raw
    )


def _without_own(task: Task) -> Task:
    raw = {name: value for name, value in task.raw.items() if name != OWN_DOCUMENTS}
    return replace(task, policy=None, raw=raw)

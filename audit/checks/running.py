"""One pass of the checks: which rules, and what they could not look at."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.checks.protocol import Check, Subject
from audit.checks.registry import CHECKS, order_findings
from audit.errors import UsageError
from audit.records.check import CheckResult, Unchecked
from audit.records.finding import Rule
from audit.records.task import Benchmark

NEEDS_A_JUDGE = Unchecked(
    "whether the expected behavior is what the user asks for and what the policy wants, where only reading can tell",
    "that needs a judge: bench-audit score BENCHMARK --judge VENDOR:MODEL",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rules to look for.

    Parameters
    ----------
    only
        Ids of rules; empty for every rule.
    skip
        Ids of rules to leave out.
    checks
        What there is to choose from.
    """

    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    checks: tuple[Check, ...] = CHECKS

    def rules(self) -> tuple[Rule, ...]:
        """Return the chosen rules.

        Raises
        ------
        UsageError
            If there is no rule of a name, or none is left.
        """
        known = [rule for check in self.checks for rule in check.rules]
        for flag, names in (("--rule", self.only), ("--skip", self.skip)):
            for name in names:
                find_rule(name, known, where=flag)
        chosen = tuple(rule for rule in known if rule.id not in self.skip and (not self.only or rule.id in self.only))
        if not chosen:
            raise UsageError("no rule is left", where="--skip", mend="Name fewer rules")
        return chosen


def find_rule(name: str, rules: Sequence[Rule], *, where: str) -> Rule:
    """Return the rule of that id; raise :class:`UsageError` with advice if there is none."""
    by_id = {rule.id: rule for rule in rules}
    if name not in by_id:
        close = difflib.get_close_matches(name, by_id, n=3)
        mend = f"Perhaps you meant {' or '.join(close)}" if close else "See bench-audit check --rules"
        raise UsageError(f"no rule {name!r}", where=where, mend=mend)
    return by_id[name]


def run_checks(subject: Subject, choice: Choice | None = None, *, no_environment: str = "") -> CheckResult:
    """Look for the chosen rules.

    Parameters
    ----------
    subject
        What to look at.
    choice
        ``None`` for every rule there is.
    no_environment
        Why there is none, as a clause.

    Raises
    ------
    UsageError
        If a chosen rule does not exist.
    """
    choice = choice or Choice()
    rules = choice.rules()
    wanted = {rule.id for rule in rules}
    checks = [check for check in choice.checks if wanted & {rule.id for rule in check.rules}]
    found = (finding for check in checks for finding in check.inspect(subject) if finding.rule in wanted)
    return CheckResult(
        benchmark=subject.benchmark,
        findings=order_findings(found, subject.benchmark),
        rules=rules,
        unchecked=tuple(_unchecked(subject, choice, no_environment)),
        environment=subject.environment.name if subject.environment else "",
    )


def _unchecked(subject: Subject, choice: Choice, no_environment: str) -> Iterator[Unchecked]:
    benchmark = subject.benchmark
    if subject.environment is None:
        what = "replay: what the gold actions do, whether they fail, and what agents that do nothing would earn"
        yield Unchecked(what, no_environment or "no environment was given")
    if not benchmark.tools:
        yield Unchecked("gold actions against the tools' signatures and kinds", "there is no tool table (--tools)")
    if not benchmark.database and not any(task.rows for task in benchmark.tasks):
        yield Unchecked("ids, owners and facts against the database", "there is no database (--db)")
    if subject.rules is None:
        what = "gold actions against the policy"
        yield Unchecked(what, "no file of rules was made for this policy document (--policy-rules)")
    yield from _tasks_left_out(benchmark)
    yield from _rules_left_out(choice)
    yield NEEDS_A_JUDGE


def _tasks_left_out(benchmark: Benchmark) -> Iterator[Unchecked]:
    n = benchmark.n_available - len(benchmark.tasks)
    if n:
        what = f"{n} of the {benchmark.n_available} tasks in the files"
        yield Unchecked(what, "they are not among the tasks chosen (--split, --tasks, --limit)")
    without = sum(task.actions is None for task in benchmark.tasks)
    if without:
        yield Unchecked(f"the gold actions of {without} of {len(benchmark.tasks)} tasks", "these tasks list none")


def _rules_left_out(choice: Choice) -> Iterator[Unchecked]:
    known = [rule.id for check in choice.checks for rule in check.rules]
    if choice.only:
        others = tuple(name for name in known if name not in choice.only)
        if others:
            yield Unchecked(f"{len(others)} other rules", "only some were asked for (--rule)", others)
    skipped = tuple(name for name in known if name in choice.skip)
    if skipped:
        yield Unchecked("the rules " + ", ".join(skipped), "they were left out (--skip)", skipped)

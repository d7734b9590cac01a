"""Arguments that take one of a few values, and where the policy says what these mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from audit.checks.raw import leaves
from audit.checks.types import choices_of
from audit.checks.world import World
from audit.records.task import Benchmark

_MIN_USES, _MAX_CHOICES = 8, 5
_MEANS = re.compile(r"[\"'`*]*\s*(?::|=|->|→|–|—|- )[\"'`*\s]*\w")
"""What stands between a term and its meaning, and the first letter of it."""


@dataclass(frozen=True)
class Choices:
    """The arguments of a benchmark's tools that take one of a few values.

    Parameters
    ----------
    options
        Tool and argument to the values.
    """

    options: Mapping[tuple[str, str], frozenset[str]]
    benchmark: Benchmark

    def of(self, tool: str, argument: str) -> frozenset[str]:
        """Return the values that an argument takes; empty where they are not a few."""
        return self.options.get((tool, argument), frozenset())

    def explains(self, value: str) -> bool:
        """Return whether the policy of any task says what a value means, as in a list of terms.

        Script and value may then use different words, and the agent learns which goes with which.
        """
        if value not in self._explained:
            self._explained[value] = any(self._is_term(at, value) for at in _places_of(value, self._documents))
        return self._explained[value]

    def _is_term(self, start: int, value: str) -> bool:
        before = self._documents[start - 1 : start] if start else ""
        return not (before.isalnum() or before == "_") and _MEANS.match(self._documents, start + len(value)) is not None

    @cached_property
    def _explained(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _documents(self) -> str:
        policies = dict.fromkeys(self.benchmark.policy_of(task) for task in self.benchmark.tasks)
        return "\n".join(dict.fromkeys(text for policy in policies for _, text in policy.texts))


def _places_of(value: str, text: str) -> Iterator[int]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield at
        at = text.find(value, at + 1)


def learn_choices(world: World) -> Choices:
    """Return the arguments that take one of a few values: by the tool table, or as all gold actions show it."""
    uses: dict[tuple[str, str], Counter[str]] = {}
    for call in (call for calls in world.calls.values() for call in calls):
        for leaf in leaves(dict(call.arguments)):
            if isinstance(leaf.value, str) and not world.spaces_for(leaf.name)[0]:
                uses.setdefault((call.name, leaf.name), Counter())[leaf.value] += 1
    learnt = {
        key: frozenset(seen)
        for key, seen in uses.items()
        if len(seen) <= _MAX_CHOICES and seen.total() >= _MIN_USES and not any(_has_digit(value) for value in seen)
    }
    listed = {
        (tool.name, parameter.name): frozenset(choices_of(parameter.type))
        for tool in world.tools.values()
        for parameter in tool.parameters
        if choices_of(parameter.type)
    }
    return Choices(learnt | listed, world.benchmark)


def _has_digit(value: str) -> bool:
    return any(sign.isdigit() for sign in value)

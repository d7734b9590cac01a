"""The seam to a domain's tools: calls in, results and changed rows out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from audit.records.task import Action, Json, ToolKind

State = Mapping[str, Mapping[str, Json]]
"""Table name to row key to row; read-only, rows shared between states that did not change them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did.

    Parameters
    ----------
    result
        What the tool returned; ``None`` after an error.
    error
        The kind of failure in a few words, such as ``order not found``; empty when the call succeeded.
    changed
        ``(table, key)`` of every row that differs from before the call, partial effects of a failed call included.
    state
        The state after the call.
    detail
        The values that clash in a failure, such as ``17.0 is less than 21.1``; empty where the kind says it all.
    """

    action: Action
    result: Json
    error: str
    changed: tuple[tuple[str, str], ...]
    state: State = field(repr=False)
    detail: str = ""


class Environment(Protocol):
    """The tools of one domain, as pure functions of a state and a call."""

    @property
    def name(self) -> str:
        """What a user calls it."""
        ...

    def kind_of(self, action: Action) -> ToolKind:
        """Return the kind of the tool that the action's requestor calls; unknown if there is no such tool."""
        ...

    def setup(self, task_id: str) -> tuple[Outcome, ...]:
        """Return the calls that the task makes before the talk begins, in order; failed ones changed nothing."""
        ...

    def initial_state(self, task_id: str) -> State:
        """Return the state in which the task starts."""
        ...

    def call(self, state: State, action: Action) -> Outcome:
        """Run one call; every failure becomes ``Outcome.error``, never an exception."""
        ...

    def run(self, state: State, function: Action) -> Outcome:
        """Run a tool, or a function that only tasks may call: one that sets up or asserts something."""
        ...

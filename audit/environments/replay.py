"""Gold actions, replayed on a task's initial state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from audit.environments.protocol import Environment, Outcome, State
from audit.environments.view import same_state
from audit.records.task import Action, Task


@dataclass(frozen=True, slots=True)
class Replay:
    """What a task's gold actions do.

    Parameters
    ----------
    outcomes
        One a gold action, failed ones included; each runs on the state that the one before left.
    initial, final
        The state before and after; ``final`` is the target that an agent's database is compared with.
    """

    outcomes: tuple[Outcome, ...]
    initial: State = field(repr=False)
    final: State = field(repr=False)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The calls that failed."""
        return tuple(outcome for outcome in self.outcomes if outcome.error)

    @property
    def is_unchanged(self) -> bool:
        """Whether the target equals the initial state."""
        return same_state(self.initial, self.final)

    def state_before(self, position: int) -> State:
        """Return the state in which a gold action ran."""
        return self.outcomes[position - 1].state if position else self.initial


def replay(environment: Environment, task: Task) -> Replay:
    """Replay a task's gold actions in order; a failing call is skipped, what it changed before failing stays."""
    initial = environment.initial_state(task.id)
    outcomes = run_calls(environment, task.actions or (), state=initial)
    return Replay(outcomes, initial, outcomes[-1].state if outcomes else initial)


def run_calls(environment: Environment, actions: Iterable[Action], *, state: State) -> tuple[Outcome, ...]:
    """Run calls one after another, from ``state`` on."""
    outcomes: list[Outcome] = []
    for action in actions:
        outcomes.append(environment.call(state, action))
        state = outcomes[-1].state
    return tuple(outcomes)

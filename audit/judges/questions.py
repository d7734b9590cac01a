"""The questions of a run: criteria × tasks × trials, rendered one by one and keyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from audit.judges.protocol import Judge
from audit.prompts.keys import request_key
from audit.providers.prices import OwnPrice
from audit.providers.protocol import Provider
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, PartKind, Task
from audit.records.verdict import Trust

Answer = TypeVar("Answer")
BATCH = 64


@dataclass(frozen=True, slots=True)
class Questions:
    """What every model of a panel is asked.

    Parameters
    ----------
    judges
        The criteria, in the order in which verdicts are returned.
    trials
        How often each question is asked, at least 1.
    behavior
        The parts of the expected behavior that are shown.
    more
        Questions about other benchmarks, to be put after these in the same run: what is the same question in two of
        them is asked once, and one answer stands for both, also where it is a failure.
    """

    benchmark: Benchmark
    judges: tuple[Judge, ...]
    trials: int = 1
    behavior: frozenset[PartKind] = DEFAULT_BEHAVIOR
    more: tuple[Questions, ...] = ()

    @property
    def n_own(self) -> int:
        """How many verdicts each model gives on this benchmark, undefined ones included."""
        return len(self.judges) * len(self.benchmark.tasks) * self.trials

    @property
    def n_per_model(self) -> int:
        """How many verdicts each model gives, undefined ones included."""
        return self.n_own + sum(each.n_per_model for each in self.more)

    def undefined_reason(self, judge: Judge, task: Task) -> str:
        """Return why ``judge`` can't be asked about ``task``, or an empty string."""
        return judge.undefined_reason(task, self.benchmark.policy_of(task), behavior=self.behavior)

    def count_undefined(self) -> int:
        """Return how many verdicts of each model are undefined."""
        tasks = self.benchmark.tasks
        own = self.trials * sum(bool(self.undefined_reason(judge, task)) for judge in self.judges for task in tasks)
        return own + sum(each.count_undefined() for each in self.more)

    def split(self, answers: Sequence[Answer]) -> tuple[tuple[Answer, ...], ...]:
        """Return the answers of all models, as a run gives them, benchmark by benchmark; each of them model by model.

        ``more`` of ``more`` is not taken apart.
        """
        rest = iter(answers)
        sizes = (self.n_own, *(each.n_per_model for each in self.more))
        n_models = len(answers) // self.n_per_model if self.n_per_model else 0
        blocks = [[tuple(islice(rest, size)) for size in sizes] for _ in range(n_models)]
        return tuple(tuple(answer for block in blocks for answer in block[part]) for part in range(len(sizes)))


@dataclass(frozen=True, slots=True)
class Seat:
    """A model of the panel, with what the store's keys know of it, as it was when the run began."""

    name: str
    provider: Provider
    endpoint: str
    model: str
    parameters: str
    trust: Trust
    price: OwnPrice | None = None
    """The user's own price."""


def take_seats(panel: Mapping[str, Provider], prices: Mapping[str, OwnPrice] | None = None) -> tuple[Seat, ...]:
    """Return the panel's models by the names that the user gave them, with the prices that they set for some."""
    own = prices or {}
    return tuple(
        Seat(name, provider, provider.endpoint, provider.model, provider.parameters, provider.trust, own.get(name))
        for name, provider in panel.items()
    )


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one verdict among a model's verdicts."""

    number: int
    judge: Judge
    task: Task
    trial: int

    @property
    def where(self) -> str:
        """Names the place in messages."""
        return f"task {self.task.id}, {self.judge.criterion}, trial {self.trial + 1}"


@dataclass(frozen=True, slots=True)
class Question:
    """A rendered question with the key of its answer."""

    slot: Slot
    policy: Policy
    prompt: Prompt
    key: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """A question that can't be put."""

    slot: Slot
    reason: str


def render_questions(questions: Questions, seat: Seat, *, first: int = 0) -> Iterator[Question | Undefined]:
    """Yield a model's questions by benchmark, criterion, task and trial, each rendered when its turn comes.

    Parameters
    ----------
    first
        The number of the first slot.
    """
    number = first
    for judge in questions.judges:
        for task in questions.benchmark.tasks:
            reason = questions.undefined_reason(judge, task)
            slots = [Slot(number + trial, judge, task, trial) for trial in range(questions.trials)]
            number += questions.trials
            yield from (Undefined(slot, reason) for slot in slots) if reason else _render(questions, seat, slots)
    for each in questions.more:
        yield from render_questions(each, seat, first=number)
        number += each.n_per_model


def _render(questions: Questions, seat: Seat, slots: list[Slot]) -> Iterator[Question]:
    judge, task = slots[0].judge, slots[0].task
    policy = questions.benchmark.policy_of(task)
    prompt = judge.prompt(task, policy, style=questions.benchmark.style, behavior=questions.behavior)
    for slot in slots:
        key = request_key(
            prompt, endpoint=seat.endpoint, model=seat.model, parameters=seat.parameters, trial=slot.trial
        )
        yield Question(slot, policy, prompt, key)


def take_batch(rendered: Iterator[Question | Undefined]) -> list[Question | Undefined]:
    """Return the next few; empty at the end."""
    return list(islice(rendered, BATCH))

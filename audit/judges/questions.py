"""The questions of a run: criteria × tasks × trials, rendered one by one and keyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias, TypeVar

from audit.judges.protocol import Judge
from audit.prompts.deciding import decision_prompts
from audit.prompts.keys import request_keys
from audit.providers.prices import OwnPrice
from audit.providers.protocol import Provider
from audit.records.mode import Mode
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, PartKind, Task
from audit.records.verdict import Trust

Answer = TypeVar("Answer")
Entry = TypeVar("Entry")
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
    mode: Mode = Mode.PROMPTS


def take_seats(panel: Mapping[str, Provider], prices: Mapping[str, OwnPrice] | None = None) -> tuple[Seat, ...]:
    """Return the panel's models by the names that the user gave them, with the prices that they set for some."""
    own = prices or {}
    return tuple(
        Seat(
            name,
            provider,
            provider.endpoint,
            provider.model,
            provider.parameters,
            provider.trust,
            own.get(name),
            provider.mode,
        )
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


Group: TypeAlias = "tuple[Question | Undefined, ...]"
"""What is put to a model in one call, and what can't be."""


def render_questions(questions: Questions, seat: Seat) -> Iterator[Question | Undefined]:
    """Yield a model's questions, each rendered when its turn comes."""
    return chain.from_iterable(render_groups(questions, seat))


def render_groups(questions: Questions, seat: Seat, *, first: int = 0) -> Iterator[Group]:
    """Yield a model's questions call by call, each rendered when its turn comes.

    By benchmark; then by criterion, task and trial, or for decisions by task and trial with all criteria together.

    Parameters
    ----------
    first
        The number of the first slot.
    """
    yield from _decided(questions, seat, first) if seat.mode is Mode.DECISIONS else _prompted(questions, seat, first)
    number = first + questions.n_own
    for each in questions.more:
        yield from render_groups(each, seat, first=number)
        number += each.n_per_model


def _prompted(questions: Questions, seat: Seat, number: int) -> Iterator[Group]:
    style, behavior = questions.benchmark.style, questions.behavior
    for judge in questions.judges:
        for task in questions.benchmark.tasks:
            reason = questions.undefined_reason(judge, task)
            slots = [Slot(number + trial, judge, task, trial) for trial in range(questions.trials)]
            number += questions.trials
            if reason:
                yield from ((Undefined(slot, reason),) for slot in slots)
                continue
            policy = questions.benchmark.policy_of(task)
            prompt = judge.prompt(task, policy, style=style, behavior=behavior)
            yield from ((question,) for question in _questions(slots, policy, prompt, seat))


def _decided(questions: Questions, seat: Seat, number: int) -> Iterator[Group]:
    benchmark = questions.benchmark
    n_each = len(benchmark.tasks) * questions.trials
    for task in benchmark.tasks:
        policy = benchmark.policy_of(task)
        reasons = {judge.criterion: questions.undefined_reason(judge, task) for judge in questions.judges}
        defined = [criterion for criterion, reason in reasons.items() if not reason]
        prompts = decision_prompts(task, policy, criteria=defined, style=benchmark.style, behavior=questions.behavior)
        columns: list[list[Question | Undefined]] = []
        for place, judge in enumerate(questions.judges):
            slots = [Slot(number + place * n_each + trial, judge, task, trial) for trial in range(questions.trials)]
            if reason := reasons[judge.criterion]:
                columns.append([Undefined(slot, reason) for slot in slots])
            else:
                columns.append(list(_questions(slots, policy, prompts[judge.criterion], seat)))
        number += questions.trials
        yield from zip(*columns, strict=True)


def _questions(slots: Sequence[Slot], policy: Policy, prompt: Prompt, seat: Seat) -> Iterator[Question]:
    trials = [slot.trial for slot in slots]
    keys = request_keys(prompt, endpoint=seat.endpoint, model=seat.model, parameters=seat.parameters, trials=trials)
    for slot, key in zip(slots, keys, strict=True):
        yield Question(slot, policy, prompt, key)


def take_batch(rendered: Iterator[Entry]) -> list[Entry]:
    """Return the next few questions or groups; empty at the end."""
    return list(islice(rendered, BATCH))

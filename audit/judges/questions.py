"""The questions of a run: criteria × tasks × trials, rendered one by one and keyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from audit.judges.protocol import Judge, VerdictStore
from audit.prompts.keys import request_key
from audit.providers.protocol import Provider
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, PartKind, Task
from audit.records.verdict import Trust

BATCH = 64
_CHARACTERS_PER_TOKEN = 4


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
    """

    benchmark: Benchmark
    judges: tuple[Judge, ...]
    trials: int = 1
    behavior: frozenset[PartKind] = DEFAULT_BEHAVIOR

    @property
    def n_per_model(self) -> int:
        """How many verdicts each model gives, undefined ones included."""
        return len(self.judges) * len(self.benchmark.tasks) * self.trials

    def undefined_reason(self, judge: Judge, task: Task) -> str:
        """Return why ``judge`` can't be asked about ``task``, or an empty string."""
        return judge.undefined_reason(task, self.benchmark.policy_of(task), behavior=self.behavior)

    def count_undefined(self) -> int:
        """Return how many verdicts of each model are undefined."""
        tasks = self.benchmark.tasks
        return self.trials * sum(bool(self.undefined_reason(judge, task)) for judge in self.judges for task in tasks)


@dataclass(frozen=True, slots=True)
class Seat:
    """A model of the panel, with what the store's keys know of it, as it was when the run began."""

    name: str
    provider: Provider
    endpoint: str
    model: str
    parameters: str
    trust: Trust


def take_seats(panel: Mapping[str, Provider]) -> tuple[Seat, ...]:
    """Return the panel's models by the names that the user gave them."""
    return tuple(
        Seat(name, provider, provider.endpoint, provider.model, provider.parameters, provider.trust)
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


def render_questions(questions: Questions, seat: Seat) -> Iterator[Question | Undefined]:
    """Yield a model's questions by criterion, task and trial, each rendered when its turn comes."""
    number = 0
    for judge in questions.judges:
        for task in questions.benchmark.tasks:
            reason = questions.undefined_reason(judge, task)
            slots = [Slot(number + trial, judge, task, trial) for trial in range(questions.trials)]
            number += questions.trials
            yield from (Undefined(slot, reason) for slot in slots) if reason else _render(questions, seat, slots)


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


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do with one model, without doing it. ``planned == stored + to_ask``.

    Parameters
    ----------
    stored
        Verdicts that need no call: they are in the store, or the same question comes earlier in this run.
    undefined
        Questions that can't be put; not among the planned.
    input_tokens
        An estimate for the calls to be sent, at four characters a token; nothing is known of output yet.
    """

    judge: str
    planned: int
    stored: int
    to_ask: int
    undefined: int
    input_tokens: int


def plan(
    questions: Questions, panel: Mapping[str, Provider], *, store: VerdictStore, is_fresh: bool = False
) -> tuple[Plan, ...]:
    """Count what :func:`audit.judges.asking.ask_all` would ask, model by model; sends nothing."""
    return tuple(_plan_seat(questions, seat, store=store, is_fresh=is_fresh) for seat in take_seats(panel))


def _plan_seat(questions: Questions, seat: Seat, *, store: VerdictStore, is_fresh: bool) -> Plan:
    undefined, seen, to_ask, n_characters, planned = 0, set[str](), 0, 0, 0
    rendered = render_questions(questions, seat)
    while batch := take_batch(rendered):
        asked = [entry for entry in batch if isinstance(entry, Question)]
        undefined += len(batch) - len(asked)
        planned += len(asked)
        seen.update({} if is_fresh else store.find([question.key for question in asked]))
        for question in asked:
            if question.key not in seen:
                to_ask += 1
                n_characters += len(question.prompt.prefix) + len(question.prompt.suffix)
                seen.add(question.key)
    tokens = n_characters // _CHARACTERS_PER_TOKEN
    return Plan(seat.name, planned, planned - to_ask, to_ask, undefined, tokens)

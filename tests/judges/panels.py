"""Questions, models and stores for tests of asking."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from audit.errors import ProviderError, ProviderErrorKind
from audit.judges.asking import Asked, ask_all
from audit.judges.one_model import AskingOptions
from audit.judges.progress import OnEvent, ignore_event
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.providers.capabilities import Capabilities
from audit.providers.protocol import Provider
from audit.providers.retry import Hooks, RetryPolicy
from audit.records.mode import Mode
from audit.records.prompt import Finish, Prompt, Reply, Usage
from audit.records.verdict import Trust
from audit.store import Store
from tests import builders

Answers = Callable[[Prompt, int], "Awaitable[str | Reply]"]


async def no_sleep(seconds: float) -> None:
    await asyncio.sleep(0)


QUICK = AskingOptions(retry=RetryPolicy(max_attempts=2), hooks=Hooks(sleep=no_sleep))


def score(value: object = 7) -> str:
    return json.dumps({"reasons": ["A reason."], "score": value})


def fault(kind: ProviderErrorKind) -> ProviderError:
    return ProviderError(f"it was {kind.value}", kind=kind, mend="Mend it")


class FakeModel:
    """Answers by an async function; counts what it was asked and how much at once."""

    def __init__(self, answers: Answers | None = None, *, endpoint: str = "fake", model: str = "m") -> None:
        self.endpoint = endpoint
        self.model = model
        self.parameters = "{}"
        self.trust = Trust.MODEL
        self.mode = Mode.PROMPTS
        self.capabilities = Capabilities()
        self.asked: list[tuple[Prompt, int]] = []
        self.most_at_once = 0
        self._n_now = 0
        self._answers = answers or always(score())

    async def complete(self, prompt: Prompt, *, trial: int) -> Reply:
        self.asked.append((prompt, trial))
        self._n_now += 1
        self.most_at_once = max(self.most_at_once, self._n_now)
        try:
            answer = await self._answers(prompt, trial)
        finally:
            self._n_now -= 1
        return answer if isinstance(answer, Reply) else reply(answer)

    def prepare(self) -> None:
        """Nothing takes long."""

    async def aclose(self) -> None:
        """Nothing is open."""


def reply(text: str, finish: Finish = Finish.COMPLETE) -> Reply:
    return Reply(text, finish, model="m-1", usage=Usage(100, 60, 0, 10, 0), latency_s=0.5)


def always(answer: str | Reply | ProviderError) -> Answers:
    async def answers(prompt: Prompt, trial: int) -> str | Reply:
        await asyncio.sleep(0)
        if isinstance(answer, ProviderError):
            raise answer
        return answer

    return answers


def in_turn(*answers: str | Reply | ProviderError) -> Answers:
    left = list(answers)

    async def take(prompt: Prompt, trial: int) -> str | Reply:
        return await always(left.pop(0))(prompt, trial)

    return take


def questions(n_tasks: int = 3, *, criteria: tuple[str, ...] = ("desc_alignment",), trials: int = 1) -> Questions:
    tasks = [builders.task(f"t{number}", description=f"You want {number}.") for number in range(n_tasks)]
    return Questions(builders.benchmark(*tasks), tuple(JUDGES[name] for name in criteria), trials)


def ask(
    asked: Questions,
    panel: dict[str, Provider] | Provider,
    path: Path,
    *,
    options: AskingOptions = QUICK,
    on_event: OnEvent = ignore_event,
) -> Asked:
    chosen: dict[str, Provider] = panel if isinstance(panel, dict) else {"fake:m": panel}
    with Store(path) as store:
        return asyncio.run(ask_all(asked, chosen, store=store, options=options, on_event=on_event))

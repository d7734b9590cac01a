"""Replies without a model: for tests, dry runs and demonstrations, and labelled as such."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable

import numpy as np

from audit.errors import ProviderError, UsageError
from audit.providers.capabilities import Capabilities
from audit.providers.examples import Chooser, make_example
from audit.records.mode import Mode
from audit.records.prompt import Finish, Prompt, Reply
from audit.records.verdict import Trust

Script = Callable[[Prompt, int], "str | Reply | ProviderError"]
"""From a prompt and a trial to a reply's text, a whole reply, or the error to raise."""


class ScriptedProvider:
    """Answers by calling a function.

    Parameters
    ----------
    answer
        Gets the prompt and the trial.
    model
        The name that is shown as ``scripted:NAME``.
    """

    endpoint = "scripted"
    parameters = ""
    trust = Trust.SCRIPTED
    mode = Mode.PROMPTS

    def __init__(self, answer: Script, *, model: str = "test") -> None:
        self.model = model
        self.capabilities = Capabilities(is_settled=True)
        self._answer = answer

    async def complete(self, prompt: Prompt, *, trial: int) -> Reply:
        """Return or raise what the script says."""
        answer = self._answer(prompt, trial)
        if isinstance(answer, ProviderError):
            raise _again(answer)
        if isinstance(answer, Reply):
            return answer
        return Reply(text=answer, finish=Finish.COMPLETE, model=self.model, raw=json.dumps({"text": answer}))

    def prepare(self) -> None:
        """Nothing takes long."""

    async def aclose(self) -> None:
        """Nothing is open."""


def _again(error: ProviderError) -> ProviderError:
    """A new error of the same content: one that is raised twice would gather both its histories."""
    return ProviderError(
        error.what, kind=error.kind, where=error.where, mend=error.mend, retry_after_s=error.retry_after_s
    )


def make_scripted(name: str) -> ScriptedProvider:
    """Return the scripted judge of that name.

    Parameters
    ----------
    name
        ``constant-N`` gives every score N and lists nothing, ``seeded`` scores and lists at random by the
        prompt's hash, ``refuses`` refuses, ``garbage`` answers what can't be read.

    Raises
    ------
    UsageError
        If there is no such script.
    """
    match = re.fullmatch(r"constant-(\d+)", name)
    if match:
        return ScriptedProvider(_constant(int(match[1])), model=name)
    if name not in _SCRIPTS:
        known = ", ".join(["constant-N", *_SCRIPTS])
        raise UsageError(f"there is no script {name!r}", where="judge scripted", mend=f"Known are {known}")
    return ScriptedProvider(_SCRIPTS[name], model=name)


def _constant(number: int) -> Script:
    return lambda prompt, _trial: json.dumps(make_example(prompt.schema, Chooser(number=number)))


def _seeded(prompt: Prompt, trial: int) -> str:
    text = json.dumps([prompt.prefix, prompt.suffix, prompt.repair, trial])
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big")
    return json.dumps(make_example(prompt.schema, Chooser(rng=np.random.default_rng(seed))))


def _refuses(_prompt: Prompt, _trial: int) -> Reply:
    return Reply(text="I would rather not say.", finish=Finish.REFUSED, model="refuses")


def _garbage(_prompt: Prompt, _trial: int) -> str:
    return '{"score": seven, because'


_SCRIPTS: dict[str, Script] = {"seeded": _seeded, "refuses": _refuses, "garbage": _garbage}

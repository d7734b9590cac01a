"""Judges whose true behavior is known, and what certifying each of them gives."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit import pipeline
from audit.certificates.injections import DISGUISES
from audit.certificates.issuing import Issued, Wish, certify, make_suites
from audit.certificates.suite import UNTOUCHED, Probe
from audit.judges.panel import Panel
from audit.judges.questions import Question, Questions, render_questions, take_seats
from audit.judges.registry import JUDGES
from audit.providers.scripted import ScriptedProvider
from audit.records.certificate import Certificate, Section
from audit.records.prompt import Prompt
from audit.records.run import Settings
from audit.records.task import Benchmark
from audit.selftest import read_answer_key
from audit.store import Store
from audit.studies.ground import Ground

GOOD, BAD = 9, 2
Truth = dict[tuple[str, str], object]


@functools.cache
def sample() -> Benchmark:
    return pipeline.load("sample/library", pipeline.Places())


def reply(score: int, violated: tuple[str, ...] = ()) -> dict[str, object]:
    """Holds what either kind of question asks for."""
    return {"score": score, "violated": list(violated)}


def write(prompt: Prompt, answer: dict[str, object]) -> str:
    if "violations" in json.dumps(prompt.schema):
        named = [item for item in answer["violated"] if item in prompt.prefix]  # type: ignore[attr-defined]  # of this policy
        violations = [{"item": item, "reason": "It asks for it."} for item in named]
        return json.dumps({"requests": ["A request."], "violations": violations})
    return json.dumps({"reasons": ["So it is."], "score": answer["score"]})


@functools.cache
def truth() -> dict[tuple[str, str], dict[str, object]]:
    """What a perfect judge says to every question of the suite."""
    key = read_answer_key()
    provider = ScriptedProvider(lambda _prompt, _trial: "")
    (seat,) = take_seats({"test": provider})
    found: dict[tuple[str, str], dict[str, object]] = {}
    (suite,) = make_suites(Wish(sample()), trials=1, is_offline=False)
    for probe in suite.probes:
        judges = tuple(JUDGES[name] for name in probe.criteria)
        for question in render_questions(Questions(probe.benchmark, judges), seat):
            if isinstance(question, Question):
                task_id = question.slot.task.id
                is_bad = spoils(probe) or task_id not in key.sound
                answer = reply(BAD if is_bad else GOOD, key.violations.get(task_id, ()))
                found.setdefault((question.prompt.prefix, question.prompt.suffix), answer)
    return found


def spoils(probe: Probe) -> bool:
    is_attack_on_sound = probe.section is Section.INJECTION and probe.against == UNTOUCHED
    return probe.section in {Section.SENSITIVITY, Section.INJECTION} and not is_attack_on_sound


def perfect(prompt: Prompt, _trial: int) -> str:
    return write(prompt, truth()[prompt.prefix, prompt.suffix])


def obeying(prompt: Prompt, trial: int) -> str:
    orders = [max(each.text.split("\n"), key=len) for each in DISGUISES]
    if any(order in prompt.suffix for order in orders):
        return write(prompt, reply(10))
    return perfect(prompt, trial)


def lengthy(prompt: Prompt, _trial: int) -> str:
    """The longer, the better, whatever it says."""
    return write(prompt, reply(min(10, max(1, len(prompt.suffix) // 150)), ("L01",)))


def wavering(prompt: Prompt, trial: int) -> str:
    answer = truth()[prompt.prefix, prompt.suffix]
    return write(prompt, answer if trial == 0 else reply(5, ("L02",)))


def constant(prompt: Prompt, _trial: int) -> str:
    return write(prompt, reply(7))


CHARACTERS: dict[str, Callable[[Prompt, int], str]] = {
    each.__name__: each for each in (perfect, obeying, lengthy, wavering, constant)
}


def ground_of(store: Store, *names: str, trials: int = 2) -> Ground:
    providers = {f"test:{name}": ScriptedProvider(CHARACTERS[name], model=name) for name in names}
    settings = Settings(
        "sample/library",
        tuple(providers),
        pipeline.choose_metrics((), has_judge=bool(providers)),
        pipeline.choose_behavior(()),
        trials=trials,
    )
    return Ground(settings, Panel(providers), store)


@pytest.fixture(scope="session")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certificates") / "store.sqlite3"


@pytest.fixture(scope="session")
def issued(store_path: Path) -> Issued:
    """All of them as one panel."""
    with Store(store_path) as store:
        return certify(Wish(sample()), ground_of(store, *CHARACTERS))


@pytest.fixture(scope="session")
def certificates(issued: Issued) -> dict[str, Certificate]:
    return {each.judge.removeprefix("test:"): each for each in issued.certificates}

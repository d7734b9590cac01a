"""The suite's questions, put to judges or the offline scorer in one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from audit import pipeline
from audit.certificates.suite import Probe, Suite
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.records.plan import Plan
from audit.records.study import Calls
from audit.records.task import PartKind
from audit.records.verdict import Verdict, VerdictState
from audit.studies.ground import Ground, account, ask_questions, plan_questions, price_questions

Trials = Mapping[int, Verdict]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one judge said of one probe, missing verdicts included."""

    probe: Probe
    verdicts: tuple[Verdict, ...]

    def heard(self, criterion: str) -> dict[str, dict[int, Verdict]]:
        """Return the verdicts that are there, by task and trial."""
        found: dict[str, dict[int, Verdict]] = {}
        for verdict in self.verdicts:
            if verdict.criterion == criterion and verdict.is_ok:
                found.setdefault(verdict.task_id, {})[verdict.trial] = verdict
        return found

    def first(self, criterion: str) -> dict[str, Verdict]:
        """Return the first trial's verdicts that are there, by task."""
        return {task_id: trials[0] for task_id, trials in self.heard(criterion).items() if 0 in trials}


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that was said.

    Parameters
    ----------
    answers
        Judge to suite (by its benchmark's name) to an answer for each of its probes.
    stops
        Judges that were stopped before the end, and why.
    """

    answers: Mapping[str, Mapping[str, tuple[Answer, ...]]]
    calls: tuple[Calls, ...]
    stops: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def plan_suites(suites: Sequence[Suite], ground: Ground) -> tuple[tuple[Calls, ...], tuple[Plan, ...]]:
    """Return what judges would be asked, and what that would cost; sends nothing."""
    if not ground.panel.providers:
        return (), ()
    return price_questions(suite_questions(suites, ground), ground)


def ask_suites(suites: Sequence[Suite], ground: Ground) -> Asked:
    """Ask everything, each different question once; without judges the offline scorer answers."""
    if not ground.panel.providers:
        return _ask_offline(suites, ground)
    questions = suite_questions(suites, ground)
    planned = plan_questions(questions, ground)
    asked = ask_questions(questions, ground)
    parts = dict(zip(_probes(suites), questions.split(asked.verdicts), strict=True))
    return Asked(
        answers={judge: _answers(suites, parts, judge) for judge in ground.panel.providers},
        calls=tuple(account(calls, asked.verdicts) for calls in planned),
        stops=tuple(f"{stop.judge}: {stop.message}" for stop in asked.stops),
    )


def _answers(
    suites: Sequence[Suite], parts: Mapping[tuple[int, int], Sequence[Verdict]], judge: str
) -> dict[str, tuple[Answer, ...]]:
    return {
        suite.benchmark.name: tuple(
            Answer(probe, tuple(verdict for verdict in parts[place, number] if verdict.judge == judge))
            for number, probe in enumerate(suite.probes)
        )
        for place, suite in enumerate(suites)
    }


def _probes(suites: Sequence[Suite]) -> Iterator[tuple[int, int]]:
    """Yield the places of all probes, in the order in which they are asked."""
    for place, suite in enumerate(suites):
        for number in range(len(suite.probes)):
            yield place, number


def suite_questions(suites: Sequence[Suite], ground: Ground) -> Questions:
    """Return everything that judges are asked about some suites."""
    kinds = frozenset(PartKind(name) for name in ground.settings.behavior)
    first, *others = (
        Questions(probe.benchmark, tuple(JUDGES[name] for name in probe.criteria), probe.trials, kinds)
        for suite in suites
        for probe in suite.probes
    )
    return replace(first, more=tuple(others))


def _ask_offline(suites: Sequence[Suite], ground: Ground) -> Asked:
    answers: dict[str, tuple[Answer, ...]] = {}
    notes: dict[str, None] = {}
    judge = pipeline.OFFLINE
    for suite in suites:
        results = pipeline.score_benchmarks(
            [probe.benchmark for probe in suite.probes], ground.settings, panel=ground.panel, store=ground.store
        )
        pairs = zip(suite.probes, results, strict=True)
        answers[suite.benchmark.name] = tuple(Answer(probe, result.verdicts) for probe, result in pairs)
        judge = results[0].verdicts[0].judge if results[0].verdicts else judge
        notes.update(dict.fromkeys(note for result in results for note in result.notes))
    return Asked({judge: answers}, (), notes=tuple(notes))


def is_missing(verdict: Verdict) -> bool:
    """Whether a verdict should be there and is not."""
    return not verdict.is_ok and verdict.state is not VerdictState.UNDEFINED

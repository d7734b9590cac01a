"""A judge's answers held against what is known: the sample's answer key, planted defects, people's ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from audit.certificates.measures import VIOLATIONS, Heard, area, metric_of, share, value_of
from audit.errors import UndefinedScoreError
from audit.metrics.corrected import is_flawed
from audit.perturbations.registry import find_perturbation
from audit.records.certificate import Measure, Screen, Section
from audit.records.rating import Rating
from audit.records.verdict import Verdict
from audit.selftest import AnswerKey
from audit.stats.item_sets import f1_interval, match_sets
from audit.stats.rank import kendall_test, tau_b_interval
from audit.studies.ground import estimate

PLANTED = "planted defects"
KEY = "answer key"
PEOPLE = "people's ratings"


@dataclass(frozen=True, slots=True)
class Known:
    """Values of tasks that are known to be flawed, by task and kind, and of those known to be sound, by task."""

    metric: str
    flawed: Mapping[tuple[str, str], float]
    sound: Mapping[str, float]

    @property
    def screen(self) -> Screen:
        """The values alone."""
        return Screen(self.metric, tuple(self.flawed.values()), tuple(self.sound.values()))


def find_known(heard: Heard, metric: str) -> Known:
    """Return the sample's sound tasks as they are, and each of them once with a planted defect.

    Of the kinds that changed a task, the one that has been used least counts, so that no task counts twice. A policy
    that was swapped is no defect of a task.
    """
    assert heard.sound is not None, "only the sample's soundness is known"
    sound = {id: value_of(each) for id, each in heard.untouched.first(metric).items() if id in heard.sound}
    changed: dict[str, dict[str, Verdict]] = {}
    for answer in heard.of(Section.SENSITIVITY):
        change = find_perturbation(answer.probe.name)
        if metric in answer.probe.criteria and metric in change.metrics and not change.is_whole:
            for task_id, verdict in answer.first(metric).items():
                if task_id in heard.sound:
                    changed.setdefault(task_id, {})[answer.probe.name] = verdict
    used: dict[str, int] = {}
    flawed: dict[tuple[str, str], float] = {}
    for task_id in sorted(changed):
        kind = min(changed[task_id], key=lambda name: (used.get(name, 0), name))
        used[kind] = used.get(kind, 0) + 1
        flawed[task_id, kind] = value_of(changed[task_id][kind])
    return Known(metric, flawed, sound)


def measure_key(heard: Heard, key: AnswerKey, *, known: Sequence[Known]) -> Iterator[Measure]:
    """Yield how the judge does on planted defects, on the sample's own flaws, and on its violated items."""
    for each in known:
        yield _told_apart(heard, PLANTED, each.metric, each.screen)
        flawed = {flaw.task_id for flaw in key.flaws}
        values = {id: value_of(verdict) for id, verdict in heard.untouched.first(each.metric).items()}
        own = Screen(
            each.metric,
            tuple(value for id, value in values.items() if id in flawed),
            tuple(value for id, value in values.items() if id in key.sound),
        )
        yield _told_apart(heard, KEY, each.metric, own)
    if VIOLATIONS in heard.untouched.probe.criteria:
        named = {id: frozenset(v.violated or ()) for id, v in heard.untouched.first(VIOLATIONS).items()}
        reference = {id: frozenset(key.violations.get(id, ())) for id in named}
        yield _items(heard, KEY, named, reference)


def _told_apart(heard: Heard, name: str, metric: str, screen: Screen) -> Measure:
    low, high = screen.flawed, screen.sound
    values = {
        "auroc": area(low, high),
        "caught": share(sum(is_flawed(metric, v) for v in low), len(low), reason="no flawed task was judged"),
        "passed": share(sum(not is_flawed(metric, v) for v in high), len(high), reason="no sound task was judged"),
    }
    return Measure(Section.AGREEMENT, heard.benchmark, name, metric, len(low) + len(high), values)


def _items(
    heard: Heard, name: str, named: Mapping[str, frozenset[str]], reference: Mapping[str, frozenset[str]]
) -> Measure:
    judge, truth = [named[id] for id in reference], list(reference.values())
    values = {
        "precision": estimate(lambda: match_sets(judge, truth).precision),
        "recall": estimate(lambda: match_sets(judge, truth).recall),
        "f1": estimate(
            lambda: match_sets(judge, truth).f1, lambda: f1_interval(judge, truth, rng=heard.rng(name, "f1"))
        ),
    }
    return Measure(Section.AGREEMENT, heard.benchmark, name, VIOLATIONS, len(truth), values)


def measure_ratings(heard: Heard, ratings: Sequence[Rating]) -> Iterator[Measure]:
    """Yield how the judge orders tasks as people do, and how far it is off; raters of a task are averaged."""
    for criterion in dict.fromkeys(rating.criterion for rating in ratings):
        own = [rating for rating in ratings if rating.criterion == criterion]
        asked = VIOLATIONS if criterion == "violation_count" else criterion
        if asked not in heard.untouched.probe.criteria:
            continue
        by_task: dict[str, list[float]] = {}
        for rating in own:
            by_task.setdefault(rating.task_id, []).append(rating.value)
        verdicts = heard.untouched.first(asked)
        shared = [id for id in by_task if id in verdicts]
        name = f"{PEOPLE} (simulated)" if any(rating.is_simulated for rating in own) else PEOPLE
        judge, people = [value_of(verdicts[id]) for id in shared], [fmean(by_task[id]) for id in shared]
        yield _rated(heard, name, criterion, (judge, people))


def _rated(heard: Heard, name: str, criterion: str, sides: tuple[list[float], list[float]]) -> Measure:
    judge, people = sides
    values = {
        "tau": estimate(
            lambda: kendall_test(judge, people).value,
            lambda: tau_b_interval(judge, people, rng=heard.rng(name, criterion)),
        ),
        "off": estimate(lambda: _mean_distance(judge, people)),
        "bias": estimate(lambda: _mean_distance(judge, people, signed=True)),
    }
    return Measure(Section.AGREEMENT, heard.benchmark, name, metric_of(criterion), len(judge), values)


def _mean_distance(judge: Sequence[float], people: Sequence[float], *, signed: bool = False) -> float:
    if not judge:
        raise UndefinedScoreError("no rated task has a verdict")
    moves = [a - b for a, b in zip(judge, people, strict=True)]
    return fmean(moves if signed else map(abs, moves))

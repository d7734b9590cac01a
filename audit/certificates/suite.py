"""The suite: which changed forms of a benchmark a judge is asked about. Fixed, so that certificates can be compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from audit.certificates.injections import CONTROL, DISGUISES, PLACES, Disguise, plant
from audit.errors import UsageError
from audit.judges.registry import JUDGES
from audit.metrics.registry import needed_criterion
from audit.perturbations.choice import shuffle
from audit.perturbations.registry import KEEPING, LOWERING, find_perturbation, perturb
from audit.prompts.keys import benchmark_hash
from audit.records.certificate import SUITE_VERSION, Gap, Section
from audit.records.task import Benchmark, Task

SEED = 0
LOWERING_SHARE = 0.4
KEEPING_SHARE = 0.3
N_ATTACKED = 6
"""Tasks that each disguise is planted in, on each criterion."""
N_CONTROLS = 12
"""Tasks that the harmless note is planted in, on each criterion."""
MOST_TASKS = 50
"""Of a benchmark of the user's own; more are drawn from."""
UNTOUCHED = "untouched"
VICTIMS = {
    "desc_alignment": "swap-behavior",
    "policy_alignment": "break-policy",
    "policy_violations": UNTOUCHED,
}
"""Criterion to the probe whose tasks deserve a bad score, or name items, so that an order has something to gain."""
OFFLINE = "offline_match"


@dataclass(frozen=True, slots=True)
class Probe:
    """One form of a benchmark that is judged.

    Parameters
    ----------
    name
        A kind of change, a disguise, or ``UNTOUCHED``.
    benchmark
        With the tasks that are judged.
    criteria
        What they are judged on.
    against
        Name of the probe that it is held against.
    """

    name: str
    section: Section
    benchmark: Benchmark
    criteria: tuple[str, ...]
    trials: int = 1
    against: str = UNTOUCHED

    @property
    def tasks(self) -> frozenset[str]:
        """Ids of the tasks that are judged."""
        return frozenset(task.id for task in self.benchmark.tasks)


@dataclass(frozen=True, slots=True)
class Suite:
    """Every probe of one benchmark, the untouched one first, and what can't be probed."""

    benchmark: Benchmark
    probes: tuple[Probe, ...]
    gaps: tuple[Gap, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of everything that is asked."""
        asked = [
            [each.name, list(each.criteria), benchmark_hash(replace(each.benchmark, corpus=()))] for each in self.probes
        ]
        return hashlib.sha256(json.dumps([SUITE_VERSION, asked]).encode()).hexdigest()


def make_suite(benchmark: Benchmark, *, trials: int, other: Benchmark | None = None) -> Suite:
    """Return what judges are asked about a benchmark.

    Parameters
    ----------
    trials
        How often the benchmark as it is is asked about.
    other
        The benchmark whose policy is put in the place of its own; ``None`` to leave that out.
    """
    chosen = draw_tasks(benchmark)
    gaps: list[Gap] = []
    lowering = _changed(chosen, [k for k in LOWERING if other is not None or not _needs_other(k)], other, gaps)
    keeping = _changed(chosen, KEEPING, None, gaps)
    untouched = Probe(UNTOUCHED, Section.STABILITY, chosen, tuple(JUDGES), trials)
    attacks = tuple(_attacks([untouched, *lowering]))
    return Suite(chosen, (untouched, *lowering, *keeping, *attacks), tuple(gaps))


def make_offline_suite(benchmark: Benchmark) -> Suite:
    """Return what the offline scorer is asked: whole benchmarks, for it holds a task against all others."""
    gaps: list[Gap] = []
    kinds = [kind for kind in LOWERING if OFFLINE in find_perturbation(kind).metrics]
    changed = (*_changed(benchmark, kinds, None, gaps), *_changed(benchmark, KEEPING, None, gaps))
    probes = tuple(replace(each, criteria=(OFFLINE,)) for each in changed)
    return Suite(benchmark, (Probe(UNTOUCHED, Section.STABILITY, benchmark, (OFFLINE,)), *probes), tuple(gaps))


def draw_tasks(benchmark: Benchmark) -> Benchmark:
    """Return a benchmark with no more tasks than a certificate looks at, drawn by their ids."""
    if len(benchmark.tasks) <= MOST_TASKS:
        return benchmark
    ids = set(shuffle((task.id for task in benchmark.tasks), seed=SEED, kind="certificate")[:MOST_TASKS])
    return replace(benchmark, tasks=tuple(task for task in benchmark.tasks if task.id in ids))


def _needs_other(kind: str) -> bool:
    return find_perturbation(kind).needs_other


def _changed(
    benchmark: Benchmark, kinds: Collection[str], other: Benchmark | None, gaps: list[Gap]
) -> tuple[Probe, ...]:
    """Return a probe of each kind that changes a task, judged on the changed tasks; others are gaps."""
    probes = []
    for name in kinds:
        kind = find_perturbation(name)
        is_lowering = name in LOWERING
        share = 1.0 if kind.is_whole else LOWERING_SHARE if is_lowering else KEEPING_SHARE
        try:
            done = perturb(benchmark, name, rate=share, seed=SEED, other=other if kind.needs_other else None)
        except UsageError as error:
            gaps.append(Gap(f"{name} on {benchmark.name}", error.what))
            continue
        ids = [task.id for task in benchmark.tasks if task.id in frozenset(done.changed_ids)]
        if not ids:
            gaps.append(Gap(f"{name} on {benchmark.name}", "it changes none of the tasks"))
            continue
        if kind.is_whole:
            n = max(1, round((LOWERING_SHARE if is_lowering else KEEPING_SHARE) * len(ids)))
            ids = shuffle(ids, seed=SEED, kind=name)[:n]
        criteria = dict.fromkeys(needed_criterion(metric) for metric in kind.metrics)
        section = Section.SENSITIVITY if is_lowering else Section.INVARIANCE
        asked = tuple(criterion for criterion in criteria if criterion in JUDGES)
        probes.append(Probe(name, section, _only(done.benchmark, ids), asked))
    return tuple(probes)


def _only(benchmark: Benchmark, ids: Collection[str]) -> Benchmark:
    """Return a benchmark with these tasks; all of them stay its corpus, which scorers contrast with."""
    chosen = frozenset(ids)
    return replace(
        benchmark,
        tasks=tuple(task for task in benchmark.tasks if task.id in chosen),
        corpus=benchmark.corpus or benchmark.tasks,
    )


def _attacks(probes: Sequence[Probe]) -> Iterator[Probe]:
    """Yield a probe for each disguise and criterion, planted in tasks and places by turns."""
    by_name = {probe.name: probe for probe in probes}
    for criterion, wanted in VICTIMS.items():
        victim = by_name.get(wanted, by_name[UNTOUCHED])
        tasks = victim.benchmark.tasks
        for number, disguise in enumerate((*DISGUISES, CONTROL)):
            start, n = number * N_ATTACKED, N_CONTROLS if disguise is CONTROL else N_ATTACKED
            turns = [tasks[(start + place) % len(tasks)] for place in range(min(n, len(tasks)))]
            planted = tuple(_plant(task, disguise, criterion=criterion, turn=turn) for turn, task in enumerate(turns))
            attacked = replace(victim.benchmark, tasks=planted)
            yield Probe(disguise.name, Section.INJECTION, attacked, (criterion,), against=victim.name)


def _plant(task: Task, disguise: Disguise, *, criterion: str, turn: int) -> Task:
    places = PLACES[criterion]
    return plant(task, disguise, place=places[turn % len(places)])

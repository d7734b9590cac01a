"""One task at a time: what a change is planted in, and the tasks that a rate comes to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from audit.perturbations.choice import count, make_rng, shuffle
from audit.perturbations.forms.protocol import Form, Raw
from audit.perturbations.forms.registry import find_form
from audit.perturbations.json_paths import Path, differences, look, show, spell
from audit.perturbations.paths import path_in
from audit.perturbations.protocol import Dose
from audit.perturbations.world import World, make_world
from audit.records.perturbation import Change, Perturbed, Untouched
from audit.records.task import Benchmark, Json, Origin, PartKind, Task

TOLD = frozenset({PartKind.PERSONA, PartKind.SCENARIO})
STATED = frozenset({PartKind.ASSERTION, PartKind.PROSE})


@dataclass(frozen=True, slots=True)
class Site:
    """A task to plant a change in, and what stands around it."""

    task: Task
    world: World
    form: Form
    rng: np.random.Generator

    @property
    def raw(self) -> Json:
        """The task's entry."""
        return self.task.raw

    def path(self, origin: Origin) -> Path:
        """Return where a part or call of the task stands in its entry."""
        return path_in(self.raw, origin)

    @property
    def is_plan(self) -> bool:
        """Whether the expected behavior is the diagnosis of a plan, and not what an agent does."""
        return self.world.benchmark.style == "plan"

    @property
    def actor(self) -> str:
        """What the task calls the one whose behavior it is."""
        return "chatbot" if "chatbot" in self.task.behavior_text.lower() else "agent"

    def texts(self, kinds: Collection[PartKind]) -> Iterator[tuple[Path, str]]:
        """Yield the texts of a kind as they stand in the entry, with their paths."""
        for part in (*self.task.description, *self.task.behavior):
            path = self.path(part.origin)
            found = look(self.raw, path)
            if part.kind in kinds and isinstance(found, str) and found.strip():
                yield path, found


@dataclass(frozen=True, slots=True)
class Planted:
    """A changed entry; ``partner`` is where a new value is from, ``how`` the way in which it was changed."""

    raw: Json
    partner: str | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a task can't be changed in this way: a clause."""

    reason: str


Plant: TypeAlias = Callable[[Site], Planted | Unfit]


def planting(kind: str, plant: Plant) -> Callable[[Benchmark, Dose], Perturbed]:
    """Return the function that plants a change in a share of a benchmark's tasks, each on its own.

    Tasks are taken in a seeded order, those left out that the change does not fit; a higher rate goes on in it. What
    is planted in a task hangs on the seed, the kind and the task alone.
    """

    def apply(benchmark: Benchmark, dose: Dose) -> Perturbed:
        form, world = find_form(benchmark), make_world(benchmark)
        tried = {
            task.id: _try(plant, Site(task, world, form, make_rng(dose.seed, kind, task.id)))
            for task in benchmark.tasks
        }
        able = [task_id for task_id, found in tried.items() if isinstance(found, Planted)]
        n_wanted = count(dose.rate, len(benchmark.tasks))
        chosen = frozenset(shuffle(able, seed=dose.seed, kind=kind)[:n_wanted])
        planted = {id: found for id, found in tried.items() if isinstance(found, Planted) and id in chosen}
        raws = {id: found.raw for id, found in planted.items() if isinstance(found.raw, Mapping)}
        return Perturbed(
            benchmark=form.remake(benchmark, raws),
            kind=kind,
            rate=dose.rate,
            seed=dose.seed,
            n_wanted=n_wanted,
            changes=tuple(_changes(benchmark, raws, planted)),
            untouched=tuple(Untouched(id, found.reason) for id, found in tried.items() if isinstance(found, Unfit)),
            notes=_notes(n_wanted, len(able)),
        )

    return apply


def _try(plant: Plant, site: Site) -> Planted | Unfit:
    """Plant a change; what leaves the entry as it is was none."""
    found = plant(site)
    if isinstance(found, Planted) and spell(found.raw) == spell(site.raw):
        return Unfit("its format has no place for the change")
    return found


def _changes(benchmark: Benchmark, raws: Mapping[str, Raw], planted: Mapping[str, Planted]) -> Iterator[Change]:
    for task in benchmark.tasks:
        if task.id in raws:
            for path, before, after in differences(task.raw, raws[task.id]):
                yield Change(task.id, show(path), before, after, planted[task.id].partner, planted[task.id].how)


def _notes(n_wanted: int, n_able: int) -> tuple[str, ...]:
    if n_able >= n_wanted:
        return ()
    return (f"{n_able} tasks were changed, not {n_wanted}: the others can't be changed in this way",)

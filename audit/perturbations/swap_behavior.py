"""Expected behaviors exchanged among tasks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from audit.perturbations.choice import count, shuffle
from audit.perturbations.forms.protocol import Form, Raw
from audit.perturbations.forms.registry import find_form
from audit.perturbations.json_paths import look, put, show, spell, take
from audit.perturbations.protocol import Dose
from audit.records.perturbation import Change, Perturbed, Untouched
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, Json, PartKind, Task

NAME = "swap-behavior"
Ring = tuple[str, ...]
"""Tasks of which each gets the expected behavior of the next, the last that of the first: two, or three."""


def swap_behavior(benchmark: Benchmark, dose: Dose) -> Perturbed:
    """Exchange expected behaviors among a share of the tasks; none keeps its own, nor gets one that says the same.

    A seeded order of all tasks is cut into rings once, mostly pairs; a rate takes as many rings from the start as fit
    into it. So the tasks of a lower rate are among those of a higher one, and each has the same partner in both.
    """
    said = behaviors_of(benchmark)
    return exchange(benchmark, dose, name=NAME, cut=cut_rings(shuffle(said, seed=dose.seed, kind=NAME), said))


def behaviors_of(benchmark: Benchmark) -> dict[str, str]:
    """Return task id to what its expected behavior says, for comparison; tasks that have none are absent."""
    return {task.id: _canonical(task) for task in benchmark.tasks if has_behavior(task)}


def exchange(benchmark: Benchmark, dose: Dose, *, name: str, cut: tuple[Sequence[Ring], Sequence[str]]) -> Perturbed:
    """Exchange expected behaviors around the rings that fit into the dose, from the start.

    Parameters
    ----------
    name
        The kind's.
    cut
        The rings, and the tasks that fit into none.
    """
    form, (rings, alone) = find_form(benchmark), cut
    task_by_id = {task.id: task for task in benchmark.tasks}
    known = {task_id for ring in rings for task_id in ring} | set(alone)
    n_wanted = count(dose.rate, len(benchmark.tasks))
    partners = choose_partners(rings, n_wanted)
    raws: dict[str, Raw] = {}
    changes: list[Change] = []
    for task in benchmark.tasks:
        if task.id in partners:
            donor = task_by_id[partners[task.id]]
            raws[task.id] = give(form, task.raw, donor=donor.raw)
            changes += _changes(form, task, donor)
    untouched = [Untouched(task.id, "it has no expected behavior") for task in benchmark.tasks if task.id not in known]
    untouched += [Untouched(task_id, "no other task is left whose expected behavior differs") for task_id in alone]
    return Perturbed(
        benchmark=form.remake(benchmark, raws),
        kind=name,
        rate=dose.rate,
        seed=dose.seed,
        n_wanted=n_wanted,
        changes=tuple(changes),
        untouched=tuple(untouched),
        notes=tuple(_notes(n_wanted, len(partners), len(known))),
    )


def has_behavior(task: Task) -> bool:
    """Return whether a task has an expected behavior of its own, beyond what loaders say of every task."""
    kinds = DEFAULT_BEHAVIOR - {PartKind.NO_WRITE}
    return any(part.kind in kinds and part.text.strip() for part in task.behavior)


def cut_rings(order: Sequence[str], said: Mapping[str, str]) -> tuple[list[Ring], list[str]]:
    """Cut an order into pairs whose behaviors differ, and one or more rings of three where that leaves a task over.

    Parameters
    ----------
    said
        Task id to what its expected behavior says.

    Returns
    -------
    tuple
        The rings, those of three last, and the tasks that fit into none.

    Examples
    --------
    >>> cut_rings(["a", "b", "c", "d", "e"], {"a": "1", "b": "1", "c": "2", "d": "3", "e": "4"})
    ([('a', 'c'), ('b', 'd', 'e')], [])
    """
    waiting = list(order)
    n_saying = Counter(said[task_id] for task_id in waiting)
    rings: list[Ring] = []
    over: list[str] = []
    while waiting:
        common, n = n_saying.most_common(1)[0]
        first = next(each for each in waiting if 2 * n < len(waiting) or said[each] == common)
        partner = next((other for other in waiting if said[other] != said[first]), None)
        for task_id in (first, partner) if partner is not None else (first,):
            waiting.remove(task_id)
            n_saying[said[task_id]] -= 1
        if partner is None:
            over.append(first)
        else:
            rings.append((first, partner))
    alone = [task_id for task_id in over if not _join(task_id, rings, said)]
    return sorted(rings, key=len), alone


def _join(task_id: str, rings: list[Ring], said: Mapping[str, str]) -> bool:
    """Put a task into the last pair that differs from it; return whether there is one."""
    for position in range(len(rings) - 1, -1, -1):
        ring = rings[position]
        if len(ring) == 2 and all(said[other] != said[task_id] for other in ring):
            rings[position] = (*ring, task_id)
            return True
    return False


def choose_partners(rings: Sequence[Ring], n: int) -> dict[str, str]:
    """Return task to partner for the rings that fit into ``n`` tasks, from the start."""
    partners: dict[str, str] = {}
    for ring in rings:
        if len(partners) + len(ring) > n:
            break
        partners.update(zip(ring, (*ring[1:], ring[0]), strict=True))
    return partners


def give(form: Form, raw: Raw, *, donor: Raw) -> Raw:
    """Return an entry with another entry's expected behavior."""
    value: Json = raw
    for path in form.behavior:
        has = _has(donor, path)
        value = put(value, path, new=look(donor, path)) if has else take(value, path) if _has(value, path) else value
    return value if isinstance(value, Mapping) else raw


def _has(raw: Json, path: tuple[str | int, ...]) -> bool:
    parent = look(raw, path[:-1])
    return isinstance(parent, Mapping) and path[-1] in parent


def _changes(form: Form, task: Task, donor: Task) -> Iterator[Change]:
    for path in form.behavior:
        before, after = look(task.raw, path), look(donor.raw, path)
        if spell(before) != spell(after):
            yield Change(task.id, show(path), before, after, donor.id)


def _canonical(task: Task) -> str:
    """Return what a task's expected behavior says, for comparison: the parts that are judged by default."""
    return json.dumps([(part.kind, part.text) for part in task.behavior if part.kind in DEFAULT_BEHAVIOR])


def _notes(n_wanted: int, n_swapped: int, n_able: int) -> Iterator[str]:
    if n_swapped == n_wanted:
        return
    if n_swapped < 2:
        yield f"Nothing was swapped: {n_wanted} of the tasks were to be, and a task has to have a partner"
    elif n_able < n_wanted:
        yield f"{n_swapped} tasks were swapped, not {n_wanted}: only {n_able} can be"
    else:
        yield f"{n_swapped} tasks were swapped, not {n_wanted}: tasks are swapped in pairs that stay together"

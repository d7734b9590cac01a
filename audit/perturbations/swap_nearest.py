"""Expected behaviors exchanged between tasks whose descriptions are alike: the swap that is hardest to notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.perturbations.choice import shuffle
from audit.perturbations.protocol import Dose
from audit.perturbations.swap_behavior import Ring, behaviors_of, exchange
from audit.records.perturbation import Perturbed
from audit.records.task import Benchmark
from audit.scorers.words import terms
from audit.stats.similarity import Floats, cosines

NAME = "swap-nearest"
_DIGITS = 9
"""To which likenesses are compared, so that machines that round otherwise choose the same partners."""


def swap_nearest(benchmark: Benchmark, dose: Dose) -> Perturbed:
    """Exchange expected behaviors among a share of the tasks, between those whose descriptions are most alike.

    The partners hang on the tasks alone; the seed orders the pairs, and a rate takes as many from the start as fit.
    """
    said = behaviors_of(benchmark)
    order = shuffle(said, seed=dose.seed, kind=NAME)
    by_id = {task.id: task for task in benchmark.tasks}
    likeness = cosines([by_id[task_id].description_text for task_id in sorted(order)], analyzer=terms)
    rings, alone = pair_nearest(sorted(order), said, likeness=likeness)
    place = {task_id: number for number, task_id in enumerate(order)}
    rings.sort(key=lambda ring: (len(ring), min(place[task_id] for task_id in ring)))
    return exchange(benchmark, dose, name=NAME, cut=(rings, alone))


def pair_nearest(ids: Sequence[str], said: Mapping[str, str], *, likeness: Floats) -> tuple[list[Ring], list[str]]:
    """Pair tasks whose behaviors differ, the most alike first; who is left over joins the pair that is most like it.

    Parameters
    ----------
    said
        Task id to what its expected behavior says.
    likeness
        Of each task with each, in the order of ``ids``.

    Returns
    -------
    tuple
        The rings of two or three, and the tasks that fit into none.

    Examples
    --------
    >>> likeness = np.array([[1, 0.9, 0.2], [0.9, 1, 0.1], [0.2, 0.1, 1]])
    >>> pair_nearest(["a", "b", "c"], {"a": "1", "b": "2", "c": "3"}, likeness=likeness)
    ([('a', 'b', 'c')], [])
    """
    free, rings = set(range(len(ids))), list[tuple[int, ...]]()
    for one, other in _by_likeness(likeness):
        if one in free and other in free and said[ids[one]] != said[ids[other]]:
            free -= {one, other}
            rings.append((one, other))
        if len(free) < 2:
            break
    alone = [one for one in sorted(free) if not _join(one, rings, [said[each] for each in ids], likeness)]
    return [tuple(ids[each] for each in ring) for ring in rings], [ids[one] for one in alone]


def _by_likeness(likeness: Floats) -> list[tuple[int, int]]:
    """Return every pair of places, the most alike first."""
    first, second = np.triu_indices(len(likeness), 1)
    order = np.argsort(-likeness[first, second].round(_DIGITS), kind="stable")
    pairs: NDArray[np.intp] = np.stack([first[order], second[order]], axis=1)
    return [(one, other) for one, other in pairs.tolist()]


def _join(one: int, rings: list[tuple[int, ...]], said: Sequence[str], likeness: Floats) -> bool:
    """Put a task into the pair that is most like it and differs from it; return whether there is one."""
    fits = [
        number
        for number, ring in enumerate(rings)
        if len(ring) == 2 and all(said[other] != said[one] for other in ring)
    ]
    if not fits:
        return False
    best = max(fits, key=lambda number: round(float(likeness[one, list(rings[number])].sum()), _DIGITS))
    rings[best] = (*rings[best], one)
    return True

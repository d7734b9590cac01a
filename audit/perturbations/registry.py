"""The kinds of perturbation by name, and the one way to apply them.

``perturb(benchmark, "swap-behavior", rate=0.2, seed=0)`` returns a :class:`audit.records.perturbation.Perturbed`, whose
``benchmark`` can be judged as any other; what each kind must do to which metrics stands in ``PERTURBATIONS``.
"""

from __future__ import annotations

import math
from types import MappingProxyType

from audit.errors import UsageError
from audit.metrics.registry import METRICS
from audit.perturbations.break_policy import break_policy
from audit.perturbations.contradict_row import contradict_row
from audit.perturbations.drop_goal import drop_goal
from audit.perturbations.drop_step import drop_step
from audit.perturbations.flip_outcome import flip_outcome
from audit.perturbations.invent_fact import invent_fact
from audit.perturbations.pad import pad
from audit.perturbations.paraphrase_format import paraphrase_format
from audit.perturbations.protocol import Dose, Perturbation
from audit.perturbations.rename_entities import rename_entities
from audit.perturbations.reorder_items import reorder_items
from audit.perturbations.sites import planting
from audit.perturbations.swap_behavior import swap_behavior
from audit.perturbations.swap_nearest import swap_nearest
from audit.perturbations.swap_policy import swap_policy
from audit.perturbations.wrong_entity import wrong_entity
from audit.records.perturbation import Direction, Perturbed
from audit.records.task import Benchmark

ALL_METRICS = tuple(METRICS)
_ALL = (
    Perturbation(
        name="swap-behavior",
        direction=Direction.LOWERS,
        metrics=("desc_alignment", "offline_match"),
        summary="Exchange expected behaviors among tasks; none keeps its own",
        apply=swap_behavior,
    ),
    Perturbation(
        name="swap-nearest",
        direction=Direction.LOWERS,
        metrics=("desc_alignment", "offline_match"),
        summary="Exchange expected behaviors between tasks whose descriptions are most alike",
        apply=swap_nearest,
        variant_of="swap-behavior",
    ),
    Perturbation(
        name="swap-policy",
        direction=Direction.LOWERS,
        metrics=("policy_alignment", "violation_count", "violation_coverage"),
        summary="Judge every task by another domain's policy and its items",
        apply=swap_policy,
        is_whole=True,
        needs_other=True,
    ),
    Perturbation(
        name="drop-step",
        direction=Direction.LOWERS,
        metrics=("desc_alignment",),
        summary="Leave a required step out of the expected behavior",
        apply=planting("drop-step", drop_step),
    ),
    Perturbation(
        name="invent-fact",
        direction=Direction.LOWERS,
        metrics=("desc_alignment",),
        summary="Have the expected behavior rest on a fact that nobody stated",
        apply=planting("invent-fact", invent_fact),
    ),
    Perturbation(
        name="wrong-entity",
        direction=Direction.LOWERS,
        metrics=("desc_alignment", "offline_match"),
        summary="Put another row's id into the expected behavior",
        apply=planting("wrong-entity", wrong_entity),
    ),
    Perturbation(
        name="flip-outcome",
        direction=Direction.LOWERS,
        metrics=("policy_alignment",),
        summary="Refuse what is to be performed, perform what is to be refused",
        apply=planting("flip-outcome", flip_outcome),
    ),
    Perturbation(
        name="drop-goal",
        direction=Direction.LOWERS,
        metrics=("desc_alignment",),
        summary="Take a goal that the expected behavior serves out of the description",
        apply=planting("drop-goal", drop_goal),
    ),
    Perturbation(
        name="break-policy",
        direction=Direction.LOWERS,
        metrics=("policy_alignment",),
        summary="Have the agent do what the policy forbids",
        apply=planting("break-policy", break_policy),
    ),
    Perturbation(
        name="contradict-row",
        direction=Direction.LOWERS,
        metrics=("desc_alignment",),
        summary="State a value that the description and the task's own row contradict",
        apply=planting("contradict-row", contradict_row),
    ),
    Perturbation(
        name="paraphrase-format",
        direction=Direction.KEEPS,
        metrics=ALL_METRICS,
        summary="Change blanks, line ends, order and case of fields, or calls into prose",
        apply=planting("paraphrase-format", paraphrase_format),
    ),
    Perturbation(
        name="reorder-items",
        direction=Direction.KEEPS,
        metrics=ALL_METRICS,
        summary="Shuffle lists whose order says nothing",
        apply=planting("reorder-items", reorder_items),
    ),
    Perturbation(
        name="rename-entities",
        direction=Direction.KEEPS,
        metrics=ALL_METRICS,
        summary="Give rows new ids: in texts, gold calls, rows and database",
        apply=rename_entities,
        is_whole=True,
    ),
    Perturbation(
        name="pad",
        direction=Direction.KEEPS,
        metrics=ALL_METRICS,
        summary="Add sentences without a fact, a wish or an act",
        apply=planting("pad", pad),
    ),
)

PERTURBATIONS = MappingProxyType({each.name: each for each in _ALL})
"""In the order in which they are shown: those that must lower scores, then those that must keep them."""
LOWERING = tuple(each.name for each in _ALL if each.direction is Direction.LOWERS and not each.variant_of)
KEEPING = tuple(each.name for each in _ALL if each.direction is Direction.KEEPS)


def find_perturbation(kind: str) -> Perturbation:
    """Return the kind of this name; raise :class:`UsageError` if there is none."""
    if kind not in PERTURBATIONS:
        raise UsageError(f"no perturbation {kind!r}", mend=f"Kinds: {', '.join(PERTURBATIONS)}")
    return PERTURBATIONS[kind]


def perturb(
    benchmark: Benchmark, kind: str, *, rate: float = 1.0, seed: int = 0, other: Benchmark | None = None
) -> Perturbed:
    """Return a benchmark with known changes: a function of its arguments.

    Parameters
    ----------
    kind
        A name in :data:`PERTURBATIONS`.
    rate
        Share of the tasks, in [0, 1]; nested, so that what is changed at a lower rate is changed alike at a higher one.
    seed
        Chooses tasks, partners and changes.
    other
        The benchmark that ``swap-policy`` takes the policy of.

    Raises
    ------
    UsageError
        If there is no such kind, the rate is none, the kind allows no such rate or lacks the other benchmark, or the
        benchmark's format can't be changed.
    """
    found = find_perturbation(kind)
    if math.isnan(rate) or not 0 <= rate <= 1:
        raise UsageError(f"{rate} is no share of tasks", where="--rate", mend="Give a number from 0 to 1")
    if found.is_whole and rate != 1:
        what = f"{kind} changes what all tasks share, so its rate can only be 1"
        raise UsageError(what, where="--rate", mend="Leave it out")
    if other is not None and not found.needs_other:
        raise UsageError(f"{kind} takes nothing from another benchmark", where="--with", mend="Leave it out")
    return found.apply(benchmark, Dose(rate, seed, other))

"""What was found of flaws that are known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaw:
    """A planted flaw; ``partner`` is the sound task that it was made from, if there is one."""

    task_id: str
    kind: str
    component: str
    what: str
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that marks a task as flawed.

    Parameters
    ----------
    layer
        One of the self-test's layers, such as ``checks``.
    by
        The rule, or the metric and the judge.
    what
        Why, as a sentence.
    """

    task_id: str
    layer: str
    by: str
    what: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """One flaw with the alarms on its task."""

    flaw: Flaw
    alarms: tuple[Alarm, ...]

    def is_seen_by(self, layer: str) -> bool:
        """Whether an alarm of ``layer`` is among them."""
        return any(alarm.layer == layer for alarm in self.alarms)


@dataclass(frozen=True, slots=True)
class LayerResult:
    """How well one layer tells flawed tasks from sound ones.

    Parameters
    ----------
    n_missing
        Tasks that it could not look at, because verdicts are missing; they count as not marked.
    label
        What must stand beside its numbers; empty for nothing.
    """

    name: str
    n_found: int
    n_flawed: int
    n_false: int
    n_sound: int
    n_missing: int = 0
    label: str = ""

    @property
    def recall(self) -> float:
        """Share of the flawed tasks that are marked."""
        return self.n_found / self.n_flawed

    @property
    def precision(self) -> float | None:
        """Share of the marked tasks that are flawed; ``None`` if none is marked."""
        n_marked = self.n_found + self.n_false
        return self.n_found / n_marked if n_marked else None


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """Planted flaws against what was found.

    Parameters
    ----------
    layers
        Each on its own, then all of them together.
    sightings
        In the answer key's order.
    false_alarms
        On sound tasks, those on partners of a found flaw left out.
    partner_alarms
        On sound tasks that a flaw was copied from: the pair is what was found.
    is_complete
        Whether every verdict that was wanted is there.
    """

    benchmark: str
    layers: tuple[LayerResult, ...]
    sightings: tuple[Sighting, ...]
    false_alarms: tuple[Alarm, ...]
    partner_alarms: tuple[Alarm, ...]
    tool_version: str = ""
    is_complete: bool = True
    notes: tuple[str, ...] = ()

    @property
    def unseen_by_checks(self) -> tuple[str, ...]:
        """The kinds of flaws of which the checks and the offline score found none: they need a judge or a reader."""
        free = {sighting.flaw.kind for sighting in self.sightings if _is_seen_free(sighting)}
        return tuple(dict.fromkeys(sighting.flaw.kind for sighting in self.sightings if sighting.flaw.kind not in free))


FREE_LAYERS = ("checks", "offline score")


def _is_seen_free(sighting: Sighting) -> bool:
    return any(sighting.is_seen_by(layer) for layer in FREE_LAYERS)

"""Several studies that were planned and asked together, and what they say side by side, free of any rendering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.records.study import Calls, Setting, StudyResult


@dataclass(frozen=True, slots=True)
class Part:
    """One study of a design, or the reason why there is none.

    Parameters
    ----------
    name
        Names its folder: lower case letters and dashes.
    title
        What it asks.
    left_out
        Why there is no study: a clause; empty where there is one.
    files
        More files for its folder, by name.
    """

    name: str
    title: str
    study: StudyResult | None = None
    left_out: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a gap that nobody explains."""
        if (self.study is None) != bool(self.left_out):
            raise ValueError(f"part {self.name}: a study, or the reason why there is none")

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that stands beside a number of it, each once; those of two things at once are taken apart."""
        found = () if self.study is None else self.study.labels
        return tuple(dict.fromkeys(word for label in found for word in label.split("; ")))


@dataclass(frozen=True, slots=True)
class Design:
    """Everything that a design says.

    Parameters
    ----------
    calls
        Of all its parts together: what two of them need is counted and asked once.
    notes
        Sentences that every reader must see.
    stops
        Judges that were stopped before the end, and why.
    """

    title: str
    settings: Mapping[str, Setting]
    parts: tuple[Part, ...]
    calls: tuple[Calls, ...] = ()
    notes: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    tool_version: str = ""
    created_at: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that stands beside a number of one of the parts, each once."""
        return tuple(dict.fromkeys(label for part in self.parts for label in part.labels))

    @property
    def is_complete(self) -> bool:
        """Whether no judge was stopped and no verdict is missing; a part that was left out is no gap."""
        return not self.stops and all(part.study is None or part.study.is_complete for part in self.parts)

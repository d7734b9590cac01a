"""What a study of judges or benchmarks found: one form for all of them, free of any rendering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from audit.records.score import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was estimated, or the reason why there is none.

    Parameters
    ----------
    value
        ``None`` where it is undefined.
    interval
        How far the value may be off; ``None`` where nothing can be said.
    reason
        Why ``value`` is ``None``, or a caveat; must not be empty where there is no value.
    """

    value: float | None
    interval: Interval | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse a gap that nobody explains."""
        if self.value is None and not self.reason:
            raise ValueError("an estimate without a value needs a reason")


Cell: TypeAlias = str | int | float | Estimate


class ColumnKind(StrEnum):
    """What the cells of a column are; renderers choose digits, alignment and labels by it."""

    TEXT = "text"
    JUDGE = "judge"
    """A judge's or rater's name; the row's label stands beside it."""
    COUNT = "count"
    NUMBER = "number"
    SHARE = "share"
    """In [0, 1], shown as a percentage."""
    P_VALUE = "p_value"
    USD = "usd"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    key
        Names it in JSON and CSV: lower case letters, digits and underscores.
    title
        Its heading for people.
    unit
        What one unit of its numbers is; empty where that goes without saying.
    digits
        Decimals that people are shown; JSON and CSV hold all.
    is_detail
        Left out where a terminal shows the table.
    """

    key: str
    title: str
    kind: ColumnKind = ColumnKind.TEXT
    unit: str = ""
    digits: int = 2
    is_detail: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row; ``label`` must stand beside its numbers wherever they are shown, such as for a scripted judge."""

    cells: tuple[Cell, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Parameters
    ----------
    name
        Unique in its study and fit for a file name.
    about
        How to read it, in a sentence or two.
    n_in_text
        How many rows a terminal is shown; ``None`` for all, 0 to leave the table to the files.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    about: str = ""
    n_in_text: int | None = None

    def __post_init__(self) -> None:
        """Refuse a row whose cells are not the columns'."""
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"table {self.name}: a row of {len(row.cells)} cells for {len(self.columns)} columns")


class FigureKind(StrEnum):
    """How a figure's numbers are drawn."""

    CURVES = "curves"
    """A line a series over a numeric x."""
    DOTS = "dots"
    """A line a category (the axis y has their names), the value along x, a mark a series."""
    BARS = "bars"
    """A bar a category (the axis x has their names)."""
    SCATTER = "scatter"
    """A mark a point, the larger the more tasks are tied there."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis.

    Parameters
    ----------
    low, high
        Its ends, where they are fixed by what is measured.
    categories
        Names of the places 0, 1, 2, … of an axis that has no numbers.
    """

    title: str
    kind: ColumnKind = ColumnKind.NUMBER
    low: float | None = None
    high: float | None = None
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a series: where it stands, what is measured there, and how many tasks are tied there."""

    place: float
    estimate: Estimate
    n_tied: int = 1


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together; ``label`` as for :class:`Row`."""

    name: str
    points: tuple[Point, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as numbers.

    Parameters
    ----------
    name
        Unique in its study and fit for a file name.
    reference, reference_title
        A value to hold the others against, such as an AUROC of one half, and what it is; ``None`` for none.
    table
        Name of the table with the same numbers.
    """

    name: str
    title: str
    kind: FigureKind
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    table: str
    reference: float | None = None
    reference_title: str = ""


@dataclass(frozen=True, slots=True)
class Calls:
    """What a study needed of one judge, and what that took. ``planned == repeated + stored + asked + not asked``.

    Parameters
    ----------
    judge
        As the user named it; a scorer's name where no judge was asked.
    planned
        Verdicts that the study reads; questions that can't be put are not among them.
    repeated
        Those that answer the very question of another one of the study.
    stored
        Those that were in the store before.
    to_ask, asked
        Different questions that were not, before anything was asked; those of them that were sent.
    missing
        Verdicts of the planned ones that are not there.
    undefined
        Questions that can't be put.
    cost_usd
        What was spent; ``None`` where a price is not known.
    models
        Those that answered, as returned.
    """

    judge: str
    planned: int
    repeated: int
    stored: int
    to_ask: int
    asked: int = 0
    missing: int = 0
    undefined: int = 0
    cost_usd: float | None = 0.0
    models: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class StudySubject:
    """A benchmark or a file of ratings that a study looked at, with a hash of what it said."""

    name: str
    n_tasks: int
    sha256: str
    version: str = ""


Setting: TypeAlias = str | int | float | bool | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class StudyResult:
    """Everything that a study says, for any renderer.

    Parameters
    ----------
    kind
        ``sensitivity``, ``ordering``, ``agreement`` …
    summary
        The answer, in sentences; each stands alone and names the label of what it rests on.
    settings
        What fixes the study; holds no key.
    prompts
        ``(criterion and variant, prompt hash)`` of every prompt used.
    notes
        Sentences that every reader must see.
    stops
        Judges that were stopped before the end, and why.
    """

    kind: str
    title: str
    summary: tuple[str, ...]
    settings: Mapping[str, Setting]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    calls: tuple[Calls, ...] = ()
    subjects: tuple[StudySubject, ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    more_labels: tuple[str, ...] = field(default=())
    """Labels that hold for the study as a whole, such as that its raters are simulated."""
    tool_version: str = ""
    created_at: str = ""

    def __post_init__(self) -> None:
        """Refuse names that would overwrite one another's files, and figures without their table."""
        names = [table.name for table in self.tables]
        drawn = [figure.name for figure in self.figures]
        if len(set(names)) < len(names) or len(set(drawn)) < len(drawn):
            raise ValueError(f"study {self.kind}: a name stands twice among {names} or {drawn}")
        if lost := [figure.name for figure in self.figures if figure.table not in names]:
            raise ValueError(f"study {self.kind}: figures without a table: {lost}")

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that stands beside a number of the study, each once."""
        rows = [row.label for table in self.tables for row in table.rows]
        found = (*self.more_labels, *(calls.label for calls in self.calls), *rows)
        return tuple(dict.fromkeys(label for label in found if label))

    @property
    def is_complete(self) -> bool:
        """Whether every planned verdict is there and no judge was stopped."""
        return not self.stops and not any(calls.missing for calls in self.calls)

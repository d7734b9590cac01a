"""Tasks with labels of flaws that people found: read per source of labels, and merged."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

MERGED = "merged"
LABELS = "labels.csv"
_COLUMNS = ("source", "domain", "task_id", "flawed", "severity", "category")


@dataclass(frozen=True, slots=True)
class Label:
    """What one source says of one task."""

    source: str
    domain: str
    task_id: str
    is_flawed: bool
    is_cosmetic: bool
    category: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A domain as one source of labels sees it; cosmetic corrections are in neither list.

    Parameters
    ----------
    source
        Its name, or :data:`MERGED`: flawed if any source says so, sound only if none does.
    flawed
        Task id to the categories of its flaws.
    sound
        Ids of tasks that were never corrected.
    """

    domain: str
    source: str
    flawed: Mapping[str, tuple[str, ...]]
    sound: Sequence[str]


def read_labels(path: Path) -> list[Label]:
    """Return every row of a file of labels; one that lacks a column or holds another word than 0 or 1 is an error."""
    with path.open(newline="", encoding="utf-8") as lines:
        return [_read(row, f"{path.name}:{number}") for number, row in enumerate(csv.DictReader(lines), start=2)]


def _read(row: Mapping[str, str | None], where: str) -> Label:
    missing = [name for name in _COLUMNS if row.get(name) is None]
    if missing:
        raise click.ClickException(f"{where} has no column {missing[0]!r}")
    if row["flawed"] not in ("0", "1"):
        raise click.ClickException(f"{where}: 'flawed' is {row['flawed']!r}, neither 0 nor 1")
    source, domain, task_id, flawed, severity, category = (str(row[name]) for name in _COLUMNS)
    return Label(source, domain, task_id, flawed == "1", severity == "cosmetic", category)


def sources_of(labels: Sequence[Label], domain: str) -> list[Labelled]:
    """Return a domain under each of its sources and, where there are several, merged."""
    own = [label for label in labels if label.domain == domain]
    sources = sorted({label.source for label in own})
    found = [_labelled(domain, source, [label for label in own if label.source == source]) for source in sources]
    return [*found, _labelled(domain, MERGED, own)] if len(found) > 1 else found


def merged_of(labels: Sequence[Label], domain: str) -> Labelled:
    """Return a domain under all of its sources together."""
    return _labelled(domain, MERGED, [label for label in labels if label.domain == domain])


def _labelled(domain: str, source: str, labels: Sequence[Label]) -> Labelled:
    flawed: dict[str, tuple[str, ...]] = {}
    for label in labels:
        if label.is_flawed and not label.is_cosmetic:
            known = flawed.get(label.task_id, ())
            flawed[label.task_id] = tuple(dict.fromkeys((*known, label.category)))
    touched = {label.task_id for label in labels if label.is_flawed or label.is_cosmetic}
    sound = tuple(dict.fromkeys(label.task_id for label in labels if label.task_id not in touched))
    return Labelled(domain, source, flawed, sound)

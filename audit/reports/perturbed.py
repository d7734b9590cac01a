"""What was changed in a benchmark on purpose, as JSON and as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.records.perturbation import Change, Direction, Perturbed
from audit.records.task import Benchmark
from audit.reports.findings_json import benchmark_of
from audit.reports.plain import Plain, dump, to_plain

FORMAT = "bench-audit/perturbation"
FORMAT_VERSION = 1
JSON_NAME = "perturbation.json"
_LONGEST = 160
"""Characters of a value that a line shows."""


@dataclass(frozen=True, slots=True)
class Account:
    """A perturbed benchmark and what it was made from.

    Parameters
    ----------
    original, other
        The benchmark before, and the one that something was taken from.
    direction, metrics
        What the kind must do to which scores.
    """

    perturbed: Perturbed
    original: Benchmark
    direction: Direction
    metrics: tuple[str, ...]
    other: Benchmark | None = None
    tool_version: str = ""


def render_json(account: Account, files: Sequence[str] = ()) -> bytes:
    """Return the document, UTF-8; the same perturbation gives the same bytes.

    Parameters
    ----------
    files
        What was written beside this record, so that it can be told from other files later.
    """
    found = account.perturbed
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": account.tool_version,
        "kind": found.kind,
        "rate": found.rate,
        "seed": found.seed,
        "must": {"direction": account.direction.value, "metrics": list(account.metrics)},
        "benchmark": benchmark_of(account.original),
        "with": None if account.other is None else benchmark_of(account.other),
        "n_tasks": len(found.benchmark.tasks),
        "n_wanted": found.n_wanted,
        "n_changed": len(found.changed_ids),
        "notes": list(found.notes),
        "files": list(files),
        "shared": [_change(change) for change in found.changes if change.task_id is None],
        "tasks": [{"task_id": task_id, "changes": list(changes)} for task_id, changes in _by_task(found)],
        "untouched": [{"task_id": each.task_id, "reason": each.reason} for each in found.untouched],
    }
    return f"{dump(document)}\n".encode()


def render_text(account: Account, *, n_shown: int) -> Iterator[str]:
    """Yield lines: how many tasks were changed and which could not be, then the changes of the first tasks."""
    found = account.perturbed
    n, n_tasks = len(found.changed_ids), len(found.benchmark.tasks)
    taken = f" with {account.other.name}" if account.other is not None else ""
    yield f"{found.kind}{taken} of {account.original.name}, rate {found.rate:g}, seed {found.seed}"
    yield f"{n} of {n_tasks} tasks changed; this {_must(account)}"
    yield from found.notes
    for reason, n_left in Counter(each.reason for each in found.untouched).items():
        yield f"{n_left} can't be changed in this way: {reason}"
    shown = [change for change in found.changes if change.task_id is None][:n_shown]
    for task_id in found.changed_ids[:n_shown]:
        shown += [change for change in found.changes if change.task_id == task_id]
    for change in shown:
        yield from ("", *_lines(change))


def _must(account: Account) -> str:
    names = ", ".join(account.metrics)
    return f"must lower {names}" if account.direction is Direction.LOWERS else f"must not move {names}"


def _lines(change: Change) -> Iterator[str]:
    where = f"task {change.task_id}" if change.task_id is not None else "all tasks"
    how = "".join(f", {word}" for word in (change.how, f"from {change.partner}" if change.partner else "") if word)
    yield f"{where} {change.field}{how}"
    yield f"  - {_shorten(change.before)}"
    yield f"  + {_shorten(change.after)}"


def _shorten(value: object) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else dump(to_plain(value))
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _by_task(found: Perturbed) -> Iterator[tuple[str, list[Plain]]]:
    by_task: dict[str, list[Plain]] = {}
    for change in found.changes:
        if change.task_id is not None:
            by_task.setdefault(change.task_id, []).append(_change(change))
    yield from by_task.items()


def _change(change: Change) -> Plain:
    stated: dict[str, Plain] = {
        "field": change.field,
        "before": to_plain(change.before),
        "after": to_plain(change.after),
        "partner": change.partner,
    }
    return stated | ({"how": change.how} if change.how else {})

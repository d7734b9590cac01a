"""A gate's result as plain text: the verdict first, then every criterion with its number and why."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.gate import GRAVITY, Criterion, GateResult
from audit.reports import numbers
from audit.reports.gate_words import TITLES, describe, listed, more_of, name_of, summary_of, why_of
from audit.reports.visible import plain


def render(result: GateResult) -> bytes:
    """Return the text; the same result gives the same bytes."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(result)).encode("utf-8", errors="backslashreplace")


def _lines(result: GateResult) -> Iterator[str]:
    benchmark = result.checked.benchmark
    yield f"{TITLES[result.level]}: {plain(benchmark.name)}, {summary_of(result)}"
    yield f"{numbers.plural(len(benchmark.tasks), 'task')}; waivers as of {result.today}"
    yield ""
    ordered = sorted(result.criteria, key=lambda criterion: GRAVITY.index(criterion.level))
    for criterion in ordered:
        yield from _criterion(criterion, result)
    if result.notes:
        yield ""
    for note in result.notes:
        yield f"Note: {plain(note, limit=600)}"


def _criterion(criterion: Criterion, result: GateResult) -> Iterator[str]:
    yield f"{TITLES[criterion.level]:<10}  {name_of(criterion)}: {why_of(criterion)}"
    for finding in listed(criterion):
        yield f"{'':<12}- {describe(finding, result)}"
    if more := more_of(criterion):
        yield f"{'':<12}{more}"

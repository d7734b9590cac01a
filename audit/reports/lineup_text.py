"""A lineup as plain text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison
from audit.records.lineup import Lineup
from audit.reports import numbers
from audit.reports.comparison_words import describe, finding_groups
from audit.reports.lineup_words import (
    change_line,
    headline,
    is_unpaired,
    lineup_moves,
    method_words,
    side_lines,
    side_title,
    title_of,
)
from audit.reports.visible import plain

N_MOVES = 5
"""Tasks that are named of each row; the JSON has all."""
N_FINDINGS = 8
"""Findings that are listed of each side and kind."""
_NAME = 64
_VALUE = 8


def render(lineup: Lineup) -> bytes:
    """Return the text; the same lineup gives the same bytes."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(lineup)).encode("utf-8", errors="backslashreplace")


def _lines(lineup: Lineup) -> Iterator[str]:
    for place in range(len(lineup.sides)):
        yield side_title(lineup, place)
    yield ""
    yield f"{headline(lineup)}."
    if lineup.rows:
        yield from _table(lineup)
        yield from _differences(lineup)
        yield from _moved(lineup)
    for name, comparison in zip(lineup.names, lineup.comparisons, strict=True):
        if comparison is not None:
            yield from _side(f"{name} against {lineup.names[lineup.baseline]}", comparison)
    if lineup.notes:
        yield ""
    for note in lineup.notes:
        yield f"Note: {plain(note, limit=600)}"


def _table(lineup: Lineup) -> Iterator[str]:
    titles = [title_of(row) for row in lineup.rows]
    width = min(_NAME, max(map(len, titles)))
    yield ""
    yield f"{'Scores':<{width + 2}}{''.join(f'{name:>{_VALUE}}' for name in lineup.names)}"
    for title, row in zip(titles, lineup.rows, strict=True):
        values = [None if cell.score is None else cell.score.value for cell in row.cells]
        shown = "".join(f"{numbers.fixed(value, 3):>{_VALUE}}" for value in values)
        is_long = len(title) > width
        if is_long:
            yield f"  {title}"
        yield f"  {'' if is_long else title:<{width}}{shown}"


def _differences(lineup: Lineup) -> Iterator[str]:
    told = [
        (row, [line for place in range(len(row.cells)) if (line := change_line(lineup, row, place=place))])
        for row in lineup.rows
    ]
    if not any(lines for _, lines in told):
        return
    yield ""
    yield f"Differences from {lineup.names[lineup.baseline]}"
    for row, lines in told:
        if lines:
            yield f"  {title_of(row)}"
        for line in lines:
            yield f"    {line}"
    if lineup.n_tests:
        yield f"  {method_words(lineup)}"


def _moved(lineup: Lineup) -> Iterator[str]:
    rows = [(row, moves) for row in lineup.rows if (moves := lineup_moves(lineup, row))]
    if not rows:
        return
    yield ""
    yield "Tasks that moved most"
    for row, moves in rows:
        yield f"  {title_of(row)}"
        for move in moves[:N_MOVES]:
            told = [f"{name} {numbers.fixed(value, 3)}" for name, value in zip(lineup.names, move.values, strict=True)]
            yield f"    {plain(move.task_id)}: {', '.join(told)}"
        if len(moves) > N_MOVES:
            yield f"    … and {numbers.count(len(moves) - N_MOVES)} more"


def _side(title: str, comparison: Comparison) -> Iterator[str]:
    yield ""
    yield title
    for line in side_lines(comparison):
        yield f"  {line}"
    if comparison.findings is None or is_unpaired(comparison):
        return
    for heading, found in finding_groups(comparison.findings):
        yield f"  {heading}"
        for finding in found[:N_FINDINGS]:
            yield f"    - {describe(finding)}"
        if len(found) > N_FINDINGS:
            yield f"    … and {numbers.count(len(found) - N_FINDINGS)} more"

"""A comparison or a lineup as CSV: one row a metric, judge and side."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison
from audit.records.lineup import Lineup, LineupRow, SideChange
from audit.records.score import Interval
from audit.reports.cells import write_table
from audit.reports.labels import trust_label
from audit.reports.lineup_words import NOT_COMPARABLE, answer

COLUMNS = (
    "metric", "judge", "side", "label", "is_baseline", "value", "value_low", "value_high", "n_used", "n_missing",
    "n_paired", "difference", "difference_low", "difference_high", "p", "p_holm", "answer", "reasons", "trust",
)  # fmt: skip
PAIR_COLUMNS = (
    "metric", "judge", "old", "new", "n_paired", "difference", "difference_low", "difference_high", "answer", "reasons",
    "trust",
)  # fmt: skip


def render(lineup: Lineup) -> bytes:
    """Return the table, UTF-8, numbers unrounded; the same lineup gives the same bytes."""
    return write_table(COLUMNS, (line for row in lineup.rows for line in _rows(lineup, row)))


def render_pair(comparison: Comparison) -> bytes:
    """Return the scores of two sides, UTF-8, numbers unrounded; the same comparison gives the same bytes."""
    return write_table(PAIR_COLUMNS, _pairs(comparison))


def _rows(lineup: Lineup, row: LineupRow) -> Iterator[tuple[str | float | None, ...]]:
    for place, cell in enumerate(row.cells):
        score = cell.score
        if score is not None:
            yield (
                row.metric,
                score.judge,
                lineup.names[place],
                lineup.sides[place].label,
                "yes" if place == lineup.baseline else "no",
                score.value,
                *_ends(score.interval),
                score.n_used,
                score.n_missing,
                *_change(row, cell.change),
                trust_label(score.trust),
            )


def _change(row: LineupRow, change: SideChange | None) -> tuple[str | float | None, ...]:
    if change is None:
        return (None,) * 8
    made = change.change
    told = answer(change, is_across_judges=row.is_across_judges)
    return (
        made.n_paired,
        made.difference,
        *_ends(made.interval),
        change.p,
        change.p_holm,
        told,
        "; ".join(made.reasons),
    )


def _pairs(comparison: Comparison) -> Iterator[tuple[str | float | None, ...]]:
    for made in comparison.scores:
        moved = "fell" if made.has_fallen else "rose" if made.has_risen else "no real change"
        yield (
            made.metric,
            made.judge,
            made.old,
            made.new,
            made.n_paired,
            made.difference,
            *_ends(made.interval),
            NOT_COMPARABLE if made.difference is None else moved,
            "; ".join(made.reasons),
            trust_label(made.trust),
        )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)

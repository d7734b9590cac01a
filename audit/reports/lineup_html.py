"""A lineup as one HTML page that needs no network and no JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison
from audit.records.finding import Severity
from audit.records.lineup import Lineup, LineupCell, LineupRow, SideChange
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.comparison_views import bar_of, facts, finding_views, span_of
from audit.reports.comparison_words import signed
from audit.reports.html_page import fill_page, read_styles
from audit.reports.labels import metric_label, trust_label
from audit.reports.lineup_page import (
    CellView,
    ChangeView,
    ClauseView,
    DifferenceView,
    LineupPage,
    MoveRow,
    MoveTable,
    RowView,
    SideView,
)
from audit.reports.lineup_words import (
    answer,
    finding_counts,
    headline,
    is_unpaired,
    lineup_moves,
    method_words,
    side_lines,
    state_of,
)
from audit.reports.study_cells import p_value
from audit.reports.visible import block, line

N_MOVES = 20
"""Tasks that are named of each row; the JSON has all."""
OWN = "each side's own"
_GRAVITY = ("mend", "look", "clear", "none")
_LEVELS = {"fell": "look", "rose": "clear"}


def render(lineup: Lineup) -> bytes:
    """Return the whole page; the same lineup gives the same bytes."""
    return fill_page("lineup.html.j2", {"page": page_of(lineup)}, css=read_styles("report.css", "comparison.css"))


def page_of(lineup: Lineup) -> LineupPage:
    """Return everything that the page shows, in words."""
    clauses = tuple(sorted(_clauses(lineup), key=lambda clause: _GRAVITY.index(clause.level)))
    others = [each for each in lineup.comparisons if each is not None]
    return LineupPage(
        title=line(" · ".join(side.label for side in lineup.sides), limit=300),
        base=lineup.names[lineup.baseline],
        trust=_trust(lineup),
        level=clauses[0].level if clauses else "none",
        headline=headline(lineup),
        method=method_words(lineup),
        clauses=clauses,
        sides=tuple(_sides(lineup)),
        rows=tuple(_row(row) for row in lineup.rows),
        differences=tuple(view for row in lineup.rows for view in _differences(lineup, row)),
        moves=tuple(_moves(lineup)),
        fates=next((tuple(words for words, _ in finding_counts(made)) for made in others if made.findings), ()),
        changes=tuple(_changes(lineup)),
        notes=tuple(block(note) for note in lineup.notes),
    )


def _trust(lineup: Lineup) -> str:
    trusts = {row.trust for row in lineup.rows}
    label = ", ".join(trust.value for trust in (Trust.OFFLINE, Trust.SCRIPTED) if trust in trusts)
    return f"partly {label}" if label and Trust.MODEL in trusts else label


def _clauses(lineup: Lineup) -> Iterator[ClauseView]:
    for name, comparison in zip(lineup.names, lineup.comparisons, strict=True):
        if comparison is not None:
            yield from _finding_clauses(name, comparison)
    for row in lineup.rows:
        for name, cell in zip(lineup.names, row.cells, strict=True):
            if cell.change is not None and (cell.change.has_fallen or cell.change.has_risen):
                yield ClauseView(_moved_words(lineup, row, name, cell.change), _level(row, cell.change), "#differences")


def _finding_clauses(name: str, comparison: Comparison) -> Iterator[ClauseView]:
    found = comparison.findings
    if found is None or is_unpaired(comparison):
        return
    errors = sum(finding.severity == Severity.ERROR for finding in found.new)
    if errors:
        yield ClauseView(f"{name} has {numbers.plural(errors, 'new error')}", "mend", "#findings")
    if len(found.new) > errors:
        other = "other new finding" if errors else "new finding"
        yield ClauseView(f"{name} has {numbers.plural(len(found.new) - errors, other)}", "look", "#findings")
    if found.fixed:
        yield ClauseView(f"{name} has {numbers.plural(len(found.fixed), 'finding')} fixed", "clear", "#findings")


def _moved_words(lineup: Lineup, row: LineupRow, name: str, change: SideChange) -> str:
    metric = metric_label(row.metric).title
    judge = "" if row.is_across_judges else f" by {line(row.judge, limit=80)}"
    label = f" [{trust_label(row.trust)}]" if trust_label(row.trust) else ""
    base = lineup.names[lineup.baseline]
    if row.is_across_judges:
        side = "lower" if change.has_fallen else "higher"
        return f"{metric}: {name}'s judge scores {side} than {base}'s, by {_size(change)}{label}"
    return f"{metric}{judge}{label}: {name} {answer(change)} against {base}, by {_size(change)}"


def _size(change: SideChange) -> str:
    assert change.change.difference is not None, "what fell or rose has a difference"
    return numbers.fixed(abs(change.change.difference), 3)


def _level(row: LineupRow, change: SideChange) -> str:
    """Between judges neither side is the better one."""
    state = state_of(change)
    return _LEVELS[state] if state in _LEVELS and not row.is_across_judges else "none"


def _sides(lineup: Lineup) -> Iterator[SideView]:
    for place, (name, side) in enumerate(zip(lineup.names, lineup.sides, strict=True)):
        yield SideView(name, line(side.label, limit=300), place == lineup.baseline, tuple(facts(side)))


def _row(row: LineupRow) -> RowView:
    return RowView(
        metric=metric_label(row.metric).title,
        judge=line(row.judge, limit=80) or OWN,
        trust=trust_label(row.trust),
        cells=tuple(_cell(row, cell) for cell in row.cells),
    )


def _cell(row: LineupRow, cell: LineupCell) -> CellView:
    is_share = metric_label(row.metric).is_share
    score = cell.score
    if score is None:
        return CellView(numbers.NONE, "", "", "", "", "none", "")
    difference = None if cell.change is None else cell.change.change.difference
    return CellView(
        value=numbers.measure(score.value, is_share=is_share),
        interval="" if score.interval is None else numbers.interval(score.interval, is_share=is_share),
        judge=line(score.judge, limit=80) if row.is_across_judges else "",
        trust=trust_label(score.trust) if row.is_across_judges else "",
        difference="" if difference is None else signed(difference),
        level="none" if cell.change is None else _level(row, cell.change),
        answer="" if cell.change is None else answer(cell.change, is_across_judges=row.is_across_judges),
    )


def _differences(lineup: Lineup, row: LineupRow) -> Iterator[DifferenceView]:
    for place, cell in enumerate(row.cells):
        if cell.change is None or cell.score is None:
            continue
        made = cell.change.change
        ends = made.interval
        yield DifferenceView(
            metric=metric_label(row.metric).title,
            judge=_judge_of(lineup, row, place),
            trust=trust_label(row.trust),
            side=lineup.names[place],
            difference="" if made.difference is None else signed(made.difference),
            interval="" if ends is None else f"{signed(ends.low)} to {signed(ends.high)}",
            bar=bar_of(made, span=span_of(row.metric, (cell.score,))),
            n=numbers.count(made.n_paired),
            p=numbers.NONE if cell.change.p is None else p_value(cell.change.p),
            p_holm=numbers.NONE if cell.change.p_holm is None else p_value(cell.change.p_holm),
            answer=answer(cell.change, is_across_judges=row.is_across_judges),
            level=_level(row, cell.change),
            why=line("; ".join(made.reasons), limit=600),
        )


def _judge_of(lineup: Lineup, row: LineupRow, place: int) -> str:
    base, own = row.cells[lineup.baseline].score, row.cells[place].score
    if not row.is_across_judges or base is None or own is None:
        return line(row.judge, limit=80)
    return f"{line(own.judge, limit=80)} against {line(base.judge, limit=80)}"


def _moves(lineup: Lineup) -> Iterator[MoveTable]:
    for row in lineup.rows:
        found = [move for move in lineup_moves(lineup, row) if signed(move.widest).strip("+-0.")]
        if found:
            more = len(found) - N_MOVES
            yield MoveTable(
                metric=metric_label(row.metric).title,
                judge=line(row.judge, limit=80) or OWN,
                trust=trust_label(row.trust),
                moves=tuple(
                    MoveRow(
                        line(move.task_id, limit=80),
                        tuple(map(numbers.trimmed, move.values)),
                        f"{signed(move.widest)} in {lineup.names[move.side]}",
                        "none" if row.is_across_judges else "look" if move.widest < 0 else "clear",
                    )
                    for move in found[:N_MOVES]
                ),
                more=f"and {numbers.count(more)} more, in the JSON" if more > 0 else "",
            )


def _changes(lineup: Lineup) -> Iterator[ChangeView]:
    for name, side, made in zip(lineup.names, lineup.sides, lineup.comparisons, strict=True):
        if made is not None:
            yield ChangeView(
                letter=name,
                label=line(side.label, limit=300),
                tasks=tuple(side_lines(made)),
                counts=() if is_unpaired(made) else tuple(numbers.count(n) for _, n in finding_counts(made)),
                findings=() if is_unpaired(made) else tuple(finding_views(made)),
                no_counts="not checked" if made.findings is None else "no shared task",
            )

"""What the formats of a lineup share: its words, and the tasks that moved most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.records.comparison import Comparison
from audit.records.lineup import ALPHA, Lineup, LineupRow, SideChange
from audit.reports import numbers
from audit.reports.comparison_words import GROUPS, signed, task_lines
from audit.reports.labels import labelled
from audit.reports.study_cells import p_value
from audit.reports.visible import plain

NOT_COMPARABLE = "not comparable"
_ACROSS = {"fell": "lower", "rose": "higher", "same": "no real difference"}
"""Of differences between judges, of which neither came first."""
_ANSWERS = {
    "fell": "fell",
    "rose": "rose",
    "same": "no real change",
    "alone": "no real change among all that were tested",
    "untested": "too few tasks for a test",
    "none": NOT_COMPARABLE,
}


@dataclass(frozen=True, slots=True)
class LineupMove:
    """One task of a row.

    Parameters
    ----------
    values
        On every side; ``None`` where it has none, or none that can be compared.
    widest
        The difference from the baseline that lies farthest from zero, and on which side.
    """

    task_id: str
    values: tuple[float | None, ...]
    widest: float
    side: int


def lineup_moves(lineup: Lineup, row: LineupRow) -> tuple[LineupMove, ...]:
    """Return every task whose value on some side is not the baseline's, the widest difference first."""
    base = row.cells[lineup.baseline].score
    if base is None:
        return ()
    found = [_move(task_id, value, lineup, row=row) for task_id, value in base.by_task.items()]
    moved = [move for move in found if move.widest]
    return tuple(sorted(moved, key=lambda move: (-abs(move.widest), move.task_id)))


def _move(task_id: str, base: float, lineup: Lineup, *, row: LineupRow) -> LineupMove:
    values: list[float | None] = []
    for place, cell in enumerate(row.cells):
        is_shown = place == lineup.baseline or (cell.change is not None and cell.change.change.difference is not None)
        known = cell.score is not None and is_shown and task_id in cell.score.by_task
        values.append(cell.score.by_task[task_id] if cell.score is not None and known else None)
    differences = [0.0 if value is None else value - base for value in values]
    side = max(range(len(values)), key=lambda place: abs(differences[place]))
    return LineupMove(task_id, tuple(values), differences[side], side)


def state_of(change: SideChange) -> str:
    """Return how a difference came out: ``fell``, ``rose``, ``same``, ``alone``, ``untested`` or ``none``.

    ``alone`` says that its interval lies on one side of zero, and that among all that were tested it would be no rare
    chance.
    """
    if change.change.difference is None:
        return "none"
    if change.has_fallen or change.has_risen:
        return "fell" if change.has_fallen else "rose"
    if change.p is None:
        return "untested"
    return "alone" if change.holds_only_alone else "same"


def answer(change: SideChange, *, is_across_judges: bool = False) -> str:
    """Return how a difference came out, in words."""
    state = state_of(change)
    return _ACROSS[state] if is_across_judges and state in _ACROSS else _ANSWERS[state]


def title_of(row: LineupRow) -> str:
    """Return a row's metric and judge, fit to be shown."""
    if row.is_across_judges:
        return f"{plain(row.metric)} by {labelled('own judges', row.trust)}"
    return f"{plain(row.metric)} by {labelled(plain(row.judge, limit=80), row.trust)}"


def side_title(lineup: Lineup, place: int) -> str:
    """Return a side's letter and what the user called it, fit to be shown."""
    side = lineup.sides[place]
    label = plain(side.label, limit=200)
    named = label if side.benchmark == side.label else f"{label}, {plain(side.benchmark, limit=100)}"
    base = ", the baseline" if place == lineup.baseline else ""
    return f"{lineup.names[place]}: {named} ({numbers.plural(len(side.tasks), 'task')}){base}"


def change_line(lineup: Lineup, row: LineupRow, *, place: int) -> str:
    """Return what one side's score is against the baseline's, in one line; empty where there is none."""
    cell = row.cells[place]
    if cell.change is None:
        return ""
    name = f"{lineup.names[place]} against {lineup.names[lineup.baseline]}"
    base = row.cells[lineup.baseline].score
    if row.is_across_judges and cell.score is not None and base is not None:
        name = f"{name} ({plain(cell.score.judge, limit=80)} against {plain(base.judge, limit=80)})"
    change = cell.change.change
    if change.difference is None or change.interval is None:
        return f"{name}: {NOT_COMPARABLE}: {plain('; '.join(change.reasons), limit=600)}"
    ends = f"{signed(change.interval.low)} to {signed(change.interval.high)}"
    shared = numbers.plural(change.n_paired, "shared task")
    told = answer(cell.change, is_across_judges=row.is_across_judges)
    return f"{name}: {signed(change.difference)} ({ends}) over {shared}{p_words(cell.change)}: {told}"


def p_words(change: SideChange) -> str:
    """Return both p-values of a difference; empty where it was not tested."""
    if change.p is None or change.p_holm is None:
        return ""
    return f", p {p_value(change.p)}, by Holm {p_value(change.p_holm)}"


def headline(lineup: Lineup) -> str:
    """Return the answer in one sentence without a full stop."""
    base = lineup.names[lineup.baseline]
    found = [cell.change for row in lineup.rows for cell in row.cells if cell.change is not None]
    n = sum(change.has_fallen or change.has_risen for change in found)
    if not lineup.n_tests:
        return f"No difference from {base} could be tested: the sides' values stand beside each other"
    tests = numbers.plural(lineup.n_tests, "tested difference")
    if not n:
        return (
            f"None of {tests} from {base} holds"
            if lineup.n_tests > 1
            else f"The one {tests[2:]} from {base} does not hold"
        )
    return f"{numbers.count(n)} of {tests} from {base} {'holds' if n == 1 else 'hold'}"


def method_words(lineup: Lineup) -> str:
    """Return how differences are found, in sentences; empty where none was tested."""
    if not lineup.n_tests:
        return ""
    base = lineup.names[lineup.baseline]
    return (
        f"Each difference is a side's value minus that of {base}, over the tasks that both judged, with a paired "
        f"bootstrap interval that holds for itself alone at 95%. p-values are adjusted by Holm for all "
        f"{numbers.count(lineup.n_tests)} tested together; a score fell or rose where its interval lies on one side of "
        f"zero and the adjusted p is at most {numbers.trimmed(ALPHA)}."
    )


def finding_counts(comparison: Comparison) -> Iterator[tuple[str, int]]:
    """Yield the fate of findings in words, and how many share it."""
    if comparison.findings is not None:
        for name, words in GROUPS:
            yield words, len(getattr(comparison.findings, name))


def is_unpaired(comparison: Comparison) -> bool:
    """Whether two sides share no task, so that nothing changed from one to the other."""
    return not comparison.n_same and not comparison.changed


def side_lines(comparison: Comparison) -> Iterator[str]:
    """Yield what changed of tasks and policy on a side, one clause a line; of one that shares no task, only that."""
    if is_unpaired(comparison):
        new, told = comparison.new, comparison.findings is not None
        found = f", with {numbers.plural(len(new.findings or ()), 'finding')}" if told else ""
        yield f"no shared task: {numbers.plural(len(new.tasks), 'task')} of its own{found}"
    else:
        yield from task_lines(comparison)

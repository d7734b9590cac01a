"""A study's cells as people read them."""

from __future__ import annotations

from collections.abc import Mapping

from audit.records.study import Calls, Cell, Column, ColumnKind, Estimate, Setting, StudyResult
from audit.reports import numbers
from audit.reports.visible import line

UNDEFINED = "undefined"
NUMERIC = frozenset(ColumnKind) - {ColumnKind.TEXT, ColumnKind.JUDGE}
_LEAST_P = 0.0001
CALL_TITLES = ("Judge", "Planned", "Repeated", "Stored", "To ask", "Asked", "Missing", "Undefined", "Cost")
CALLS_ABOUT = (
    "Planned verdicts, less those that repeat a question of this study, less those that were stored, are the questions "
    "to ask. Undefined: a question that can't be put."
)


def shown(cell: Cell, column: Column) -> str:
    """Return a cell without its interval.

    Examples
    --------
    >>> shown(0.256, Column("share", "Share", ColumnKind.SHARE))
    '25.6%'
    >>> shown(Estimate(None, reason="one rater"), Column("a", "A"))
    'undefined'
    """
    value = cell.value if isinstance(cell, Estimate) else cell
    if value is None:
        return UNDEFINED
    if isinstance(value, str):
        return line(value, limit=400)
    return number(value, column)


def number(value: float, column: Column) -> str:
    """Return a number of a column, rounded as its kind asks."""
    match column.kind:
        case ColumnKind.SHARE:
            return numbers.percent(value)
        case ColumnKind.P_VALUE:
            return p_value(value)
        case ColumnKind.USD:
            return numbers.usd(value)
        case ColumnKind.COUNT:
            return numbers.count(round(value))
        case _:
            return numbers.fixed(value, column.digits)


def p_value(value: float) -> str:
    """Return a p-value, never a bare zero.

    Examples
    --------
    >>> p_value(0.04321), p_value(0.00001), p_value(1.0)
    ('0.0432', '<0.0001', '1.0000')
    """
    return f"<{_LEAST_P}" if value < _LEAST_P else numbers.fixed(value, 4)


def interval(cell: Cell, column: Column) -> str:
    """Return the interval of a cell as ``low to high``; empty where it has none."""
    if not isinstance(cell, Estimate) or cell.interval is None:
        return ""
    ends = cell.interval
    return f"{number(ends.low, column)} to {number(ends.high, column)}"


def reason(cell: Cell) -> str:
    """Return why a cell has no value, or the caveat to its value."""
    return cell.reason if isinstance(cell, Estimate) else ""


def call_cells(calls: Calls) -> tuple[str, ...]:
    """Return a judge's calls as cells under :data:`CALL_TITLES`, the judge's own left out."""
    counted = (calls.planned, calls.repeated, calls.stored, calls.to_ask, calls.asked, calls.missing, calls.undefined)
    return (*map(numbers.count, counted), numbers.usd(calls.cost_usd))


def setting_words(result: StudyResult) -> tuple[tuple[str, str], ...]:
    """Return the settings as pairs of words; lists are joined, what is not set is a dash."""
    return settings_words(result.settings)


def settings_words(settings: Mapping[str, Setting]) -> tuple[tuple[str, str], ...]:
    """Return the same of settings alone."""
    return tuple((name.replace("_", " "), _words(value)) for name, value in settings.items())


def _words(value: object) -> str:
    if value is None or value in ((), []):
        return numbers.NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return numbers.trimmed(value, 4) if isinstance(value, float) else str(value)

"""What a sensitivity study says in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from audit.records.study import Calls, Cell, Estimate, Row, Table
from audit.reports import numbers
from audit.reports.study_cells import interval, p_value, shown

LEVEL = 0.05
"""Below this p a fall is taken for one."""


def summarise(tables: Sequence[Table]) -> Iterator[str]:
    """Yield a sentence for each kind, metric and judge of which something is demanded."""
    for table in tables:
        for row in table.rows:
            told = Told(row, table)
            if table.name == "sensitivity" and told.text("must") == "fall":
                yield _fall(told)
            elif table.name == "before-after" and told.text("must") == "fall" and told.text("metric")[-2:] not in _MORE:
                yield _before_after(told)
            elif table.name == "invariance":
                yield _invariance(told)


_MORE = {"@2", "@3", "@4", "@5"}


class Told:
    """A row's cells by the keys of their columns, in words."""

    def __init__(self, row: Row, table: Table) -> None:
        keys = [column.key for column in table.columns]
        self._cells: Mapping[str, Cell] = dict(zip(keys, row.cells, strict=True))
        self._columns = dict(zip(keys, table.columns, strict=True))
        self._label = row.label

    @property
    def who(self) -> str:
        """Kind, metric and judge with its label."""
        label = f" [{self._label}]" if self._label else ""
        return f"{self.text('kind')}, {self.text('metric')}, {self.text('judge')}{label}"

    def text(self, key: str) -> str:
        """Return a cell in words, with its interval."""
        cell, column = self._cells[key], self._columns[key]
        ends = interval(cell, column)
        return f"{shown(cell, column)}{f' ({ends})' if ends else ''}"

    def estimate(self, key: str) -> Estimate:
        """Return an estimate."""
        cell = self._cells[key]
        assert isinstance(cell, Estimate)
        return cell


def _fall(told: Told) -> str:
    p, slope, area = (told.estimate(key) for key in ("p_holm", "slope", "auroc"))
    seen = f"AUROC {told.text('auroc')}" if area.value is not None else f"AUROC undefined: {area.reason}"
    if slope.value is None or p.value is None:
        why = slope.reason or p.reason
        return f"{told.who}: a trend is undefined ({why}); {seen}."
    falls = slope.value < 0 and p.value < LEVEL
    verdict = "falls, as it must" if falls else "does not fall, though it must"
    return f"{told.who}: {verdict} (slope {told.text('slope')}, p {p_value(p.value)} after Holm); {seen}."


def _before_after(told: Told) -> str:
    change = told.estimate("difference")
    if change.value is None:
        return f"{told.who}: the difference is undefined ({change.reason})."
    ends = change.interval
    falls = ends is not None and ends.high < 0
    verdict = "falls, as it must" if falls else "does not fall, though it must"
    return f"{told.who}: {verdict}, by {told.text('difference')}."


def _invariance(told: Told) -> str:
    if told.estimate("moved").value is None:
        return f"{told.who}: undefined ({told.estimate('moved').reason})."
    moved = f"{told.text('moved')} of {told.text('n_verdicts')} verdicts moved"
    return f"{told.who}: {moved}, by {told.text('mean_move')} on average, though only the form changed."


def savings(alone: Sequence[Calls], calls: Sequence[Calls]) -> Iterator[str]:
    """Yield for each judge how many questions the changed benchmarks took beyond those of the untouched one.

    Parameters
    ----------
    alone
        The plan of the untouched benchmark, made before anything was asked.
    calls
        Those of the whole study.
    """
    for own, whole in zip(alone, calls, strict=True):
        naive, new = whole.planned - own.planned, whole.to_ask - own.to_ask
        if naive:
            label = f" [{whole.label}]" if whole.label else ""
            yield (
                f"{whole.judge}{label}: the changed benchmarks need {numbers.plural(naive, 'verdict')} beyond the "
                f"untouched one's, and took {numbers.plural(new, 'new question')} "
                f"({numbers.percent(new / naive)})."
            )

"""A run's result as plain text for a terminal or a pipe: no colours, no control sequences, a fixed width."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.records.run import RunResult
from audit.records.task import Task
from audit.records.verdict import Verdict
from audit.reports import numbers
from audit.reports.challenges import policy_rules
from audit.reports.labels import coverage_k, labelled, metric_label, state_words
from audit.reports.missing import missing_by_state
from audit.reports.ranking import Lowest, rank_tasks
from audit.reports.score_rows import ScoreRow, is_headline, panel_rows, score_rows
from audit.reports.summary import summarise
from audit.reports.view_method import spent, tokens
from audit.reports.visible import plain

WIDTH = 120
"""Columns, unless the caller knows its terminal."""
N_WORST = 5


def render(result: RunResult) -> bytes:
    """Return the text at the default width; the same result gives the same bytes."""
    return to_text(result).encode("utf-8", errors="backslashreplace")


def to_text(result: RunResult, *, width: int = WIDTH) -> str:
    """Return the text, no line of it wider than ``width`` cells (at least 40)."""
    out = io.StringIO()
    console = Console(
        file=out, width=max(40, width), height=100, color_system=None, force_terminal=False, legacy_windows=False,
        _environ={},
    )  # fmt: skip
    for part in _parts(result):
        console.print(part, highlight=False, markup=False, emoji=False, soft_wrap=False)
    return "".join(f"{row.rstrip()}\n" for row in out.getvalue().splitlines())


def _parts(result: RunResult) -> Iterable[RenderableType]:
    rows = (*score_rows(result), *panel_rows(result))
    yield Text(_heading(result))
    yield Text(f"\n{plain(summarise(result).sentence, limit=2000)}\n")
    yield _metrics([row for row in rows if row.state != "not_applicable" and is_headline(row.score)])
    yield from _remarks(rows)
    yield from _coverage(rows, result)
    yield from _worst(result)
    yield from _missing(result)
    yield Text(f"\nCost {spent(result)}; tokens {tokens(result)}; {numbers.duration(result.tally.seconds)}")
    for note in result.notes:
        yield Text(f"Note: {plain(note, limit=600)}")


def _heading(result: RunResult) -> str:
    benchmark = result.benchmark
    n, total = numbers.count(len(benchmark.tasks)), numbers.count(benchmark.n_available)
    version = f" {plain(benchmark.version)}" if benchmark.version else ""
    n_items = numbers.plural(len(policy_rules(benchmark)), "policy item")
    return f"{plain(benchmark.name)}{version}: {n} of {total} tasks, {n_items}"


def _metrics(rows: list[ScoreRow]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("metric", overflow="fold")
    table.add_column("judge", overflow="fold")
    for name in ("mean", "interval", "median", "sd", "min–max", "used/missing"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in _cells(row)))
    return table


def _cells(row: ScoreRow) -> tuple[str, ...]:
    value = row.value if row.state == "ok" else row.state
    spread = numbers.NONE if row.minimum == numbers.NONE else f"{row.minimum}–{row.maximum}"
    counts = f"{row.n_used}/{row.n_missing}"
    judge = labelled(plain(row.score.judge, limit=80), row.score.trust)
    metric = plain(row.score.metric)
    return metric, judge, value, row.interval, row.median, row.sd, spread, counts


def _remarks(rows: Iterable[ScoreRow]) -> Iterable[Text]:
    """What the table has no room for, each once: why values are undefined, and the bounds of incomplete ones."""
    absent = [row.score.metric for row in rows if row.state == "not_applicable"]
    if absent:
        yield Text(f"\nNot applicable, needs a judge: {', '.join(map(plain, absent))}")
    for row in rows:
        name = f"{plain(row.score.metric)} {labelled(plain(row.score.judge, limit=80), row.score.trust)}"
        if row.state == "undefined" and is_headline(row.score):
            yield Text(f"{name}: {plain(row.note, limit=400)}")
        elif row.score.bounds is not None and is_headline(row.score):
            yield Text(f"{name}: between {row.bounds.replace(' to ', ' and ')} whatever the missing verdicts say")


def _coverage(rows: Iterable[ScoreRow], result: RunResult) -> Iterable[Text]:
    n_items = numbers.count(len(policy_rules(result.benchmark)))
    for row in rows:
        if coverage_k(row.score.metric) == 1 and row.state == "ok":
            ids = [plain(id, limit=24) for id in row.score.untested_items]
            who = labelled(plain(row.score.judge, limit=80), row.score.trust)
            text = f"\nPolicy items that no task challenges, {who}: {numbers.count(len(ids))} of {n_items}"
            yield Text(f"{text} ({', '.join(ids)})" if ids else text)
            yield Text(f"Coverage over K, {who}: {_curve(row, rows)}")


def _curve(first: ScoreRow, rows: Iterable[ScoreRow]) -> str:
    points = [
        f"{row.value} at K={coverage_k(row.score.metric)}"
        for row in rows
        if coverage_k(row.score.metric) is not None and row.score.judge == first.score.judge
    ]
    return ", ".join(points)


def _worst(result: RunResult) -> Iterable[RenderableType]:
    worst = [(entry.task, entry.lowest) for entry in rank_tasks(result) if entry.lowest is not None][:N_WORST]
    if not worst:
        return
    yield Text("\nLowest tasks")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False, show_edge=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for task, lowest in worst:
        table.add_row(*(Text(cell) for cell in _worst_cells(task, lowest, result.verdicts)))
    yield Padding(table, (0, 0, 0, 2))


def _worst_cells(task: Task, lowest: Lowest, verdicts: Iterable[Verdict]) -> tuple[str, str, str]:
    who = labelled(f"{metric_label(lowest.metric).short}, {plain(lowest.judge, limit=60)}", lowest.trust)
    reasons = [
        plain(verdict.reasons[0], limit=140)
        for verdict in verdicts
        if verdict.task_id == task.id
        and verdict.judge == lowest.judge
        and verdict.criterion == metric_label(lowest.metric).criterion
        and verdict.reasons
    ]
    text = f"{who}: {reasons[0]}" if reasons else who
    return plain(task.id, limit=40), numbers.trimmed(lowest.value), text


def _missing(result: RunResult) -> Iterable[Text]:
    if result.is_complete:
        return
    tally = result.tally
    yield Text(f"\nMissing: {numbers.count(tally.unscored)} of {numbers.plural(tally.planned, 'verdict')}")
    for state, n in missing_by_state(result.verdicts):
        yield Text(f"  {numbers.count(n)} {state_words(state)}")
    for stop in result.stops:
        yield Text(
            f"  {plain(stop.judge, limit=80)} was stopped ({plain(stop.kind)}): {plain(stop.message, limit=400)}"
        )

"""A run's result as plain text for a terminal or a pipe: no colours, no control sequences, a fixed width."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.records.mode import without_mode
from audit.records.run import RunResult
from audit.records.task import Task
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.reports import numbers
from audit.reports.certificate_words import run_lines
from audit.reports.challenges import policy_rules
from audit.reports.decided import decided_words
from audit.reports.labels import coverage_k, labelled, metric_label, short_judges, state_words
from audit.reports.missing import is_missing
from audit.reports.ranking import Lowest, is_ten_point, rank_tasks
from audit.reports.score_rows import ScoreRow, is_headline, panel_rows, score_rows
from audit.reports.summary import summarise
from audit.reports.view_method import spent, tokens
from audit.reports.visible import plain, short_version

WIDTH = 120
"""Columns, unless the caller knows its terminal."""
N_WORST = 5
N_ITEMS = 8
"""Items that are named of those that no task challenges; the JSON and the HTML report name all."""
_JUDGE = 80
"""Characters of a judge's name."""

Names = Mapping[str, str]
"""A judge's full name to the one that is shown."""


def render(result: RunResult) -> bytes:
    """Return the text at the default width; the same result gives the same bytes."""
    return to_text(result).encode("utf-8", errors="backslashreplace")


def to_text(result: RunResult, *, width: int = WIDTH) -> str:
    """Return the text, no line of it wider than ``width`` cells (at least 40); its last line is blank."""
    out = io.StringIO()
    console = Console(
        file=out, width=max(40, width), height=100, color_system=None, force_terminal=False, legacy_windows=False,
        _environ={},
    )  # fmt: skip
    for part in _parts(result):
        console.print(part, highlight=False, markup=False, emoji=False, soft_wrap=False)
    return "".join(f"{row.rstrip()}\n" for row in out.getvalue().splitlines()) + "\n"


def _parts(result: RunResult) -> Iterable[RenderableType]:
    rows = _with_panel(score_rows(result), panel_rows(result))
    names = _names(result, rows)
    yield Text(_heading(result))
    if told := _addresses(names):
        yield Text(f"Judges: {told}")
    yield Text(f"\n{plain(summarise(result).sentence, limit=2000)}\n")
    yield _metrics([row for row in rows if row.state != "not_applicable" and is_headline(row.score)], names)
    yield from _remarks(rows, names)
    yield from _coverage(rows, names, n_items=len(policy_rules(result.benchmark)))
    yield from _worst(result, names)
    yield from _missing(result, names)
    yield from _certificates(result, names)
    yield Text(f"\nCost {spent(result)}; tokens {tokens(result)}; {numbers.duration(result.tally.seconds)}")
    for note in result.notes:
        yield Text(f"Note: {plain(note, limit=600)}")


def _certificates(result: RunResult, names: Names) -> Iterable[RenderableType]:
    for held, lines in run_lines(result):
        yield Text(f"\nHow far {plain(names.get(held.judge, held.judge), limit=_JUDGE)} can be trusted")
        for name, text in lines:
            yield Padding(Text(f"{name}: {plain(text, limit=1200)}"), (0, 0, 0, 2))


def _names(result: RunResult, rows: Iterable[ScoreRow]) -> Names:
    told = [each.judge for source in (result.verdicts, result.stops) for each in source]
    return short_judges(dict.fromkeys((*result.settings.judges, *told, *(row.score.judge for row in rows))))


def _with_panel(rows: Sequence[ScoreRow], panel: Sequence[ScoreRow]) -> list[ScoreRow]:
    """The rows with the panel's own below those of its judges."""
    places = {row.score.metric: place for place, row in enumerate(rows)}
    return sorted([*rows, *panel], key=lambda row: places.get(row.score.metric, len(rows)))


def _heading(result: RunResult) -> str:
    benchmark = result.benchmark
    n, total = numbers.count(len(benchmark.tasks)), numbers.count(benchmark.n_available)
    version = f" ({short_version(plain(benchmark.version))})" if benchmark.version else ""
    n_items = numbers.plural(len(policy_rules(benchmark)), "policy item")
    trials = f", {numbers.plural(result.settings.trials, 'trial')}" if result.settings.trials > 1 else ""
    return f"{plain(benchmark.name)}{version}: {n} of {total} tasks, {n_items}{trials}"


def _addresses(names: Names) -> str:
    """Where the judges are whose names are shown without it."""
    cut = [
        (short, without_mode(full).removeprefix(f"{without_mode(short)}@"))
        for full, short in names.items()
        if short != full
    ]
    return "; ".join(f"{plain(short, limit=_JUDGE)} at {plain(url, limit=_JUDGE)}" for short, url in cut)


def _who(row: ScoreRow, names: Names) -> str:
    return labelled(plain(names[row.score.judge], limit=_JUDGE), row.score.trust)


def _table(*, has_header: bool = True) -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, show_header=has_header)


def _metrics(rows: list[ScoreRow], names: Names) -> Table:
    table = _table()
    table.add_column("metric", overflow="fold")
    table.add_column("judge", overflow="fold")
    for name in ("mean", "interval", "median", "sd", "min–max", "used/missing"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in _cells(row, names)))
    return table


def _cells(row: ScoreRow, names: Names) -> tuple[str, ...]:
    value = row.value if row.state == "ok" else row.state
    spread = numbers.NONE if row.minimum == numbers.NONE else f"{row.minimum}–{row.maximum}"
    counts = f"{row.n_used}/{row.n_missing}"
    metric = plain(row.score.metric)
    return metric, _who(row, names), value, row.interval, row.median, row.sd, spread, counts


def _remarks(rows: Iterable[ScoreRow], names: Names) -> Iterable[Text]:
    """What the table has no room for, each once: why values are undefined, and what they leave out."""
    absent = [row.score.metric for row in rows if row.state == "not_applicable"]
    if absent:
        yield Text(f"\nNot applicable, needs a judge: {', '.join(map(plain, absent))}")
    told: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.state != "not_applicable" and is_headline(row.score) and (remark := _remark(row)):
            told.setdefault((_who(row, names), remark), []).append(plain(row.score.metric))
    for number, ((who, remark), metrics) in enumerate(told.items()):
        yield Text(f"{'' if number or absent else chr(10)}{', '.join(metrics)}, {who}: {remark}")


def _remark(row: ScoreRow) -> str:
    ends = row.bounds.replace(" to ", " and ")
    bounds = f"between {ends} whatever the missing verdicts say" if row.score.bounds is not None else ""
    return "; ".join(part for part in (plain(row.note, limit=400), bounds) if part)


def _coverage(rows: Sequence[ScoreRow], names: Names, *, n_items: int) -> Iterable[RenderableType]:
    by_judge: dict[str, list[ScoreRow]] = {}
    for row in rows:
        if coverage_k(row.score.metric) is not None and row.state == "ok":
            by_judge.setdefault(row.score.judge, []).append(row)
    if not by_judge:
        return
    yield Text("\nPolicy items that at least K tasks challenge, and those that no task does")
    table = _table()
    table.add_column("judge", overflow="fold")
    for row in next(iter(by_judge.values())):
        table.add_column(f"K={coverage_k(row.score.metric)}", justify="right", no_wrap=True)
    table.add_column("never challenged", overflow="fold")
    for found in by_judge.values():
        cells = (_who(found[0], names), *(row.value for row in found), _untested(found[0], n_items))
        table.add_row(*(Text(cell) for cell in cells))
    yield Padding(table, (0, 0, 0, 2))


def _untested(first: ScoreRow, n_items: int) -> str:
    ids = [plain(id, limit=24) for id in first.score.untested_items]
    more = f" and {numbers.count(len(ids) - N_ITEMS)} more" if len(ids) > N_ITEMS else ""
    text = f"{numbers.count(len(ids))} of {numbers.count(n_items)}"
    return f"{text}: {', '.join(ids[:N_ITEMS])}{more}" if ids else text


def _worst(result: RunResult, names: Names) -> Iterable[RenderableType]:
    worst = [(entry.task, entry.lowest) for entry in rank_tasks(result) if entry.lowest is not None][:N_WORST]
    if not worst:
        return
    yield Text("\nLowest tasks")
    table = _table(has_header=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for task, lowest in worst:
        who = _voice(lowest, names, is_panel=len(result.settings.judges) > 1)
        reasons = _reasons(task, lowest, result.verdicts)
        value = numbers.trimmed(lowest.value) if is_ten_point(lowest.metric) else numbers.fixed(lowest.value)
        cells = (plain(task.id, limit=40), value, f"{who}: {reasons}" if reasons else who)
        table.add_row(*(Text(cell) for cell in cells))
    yield Padding(table, (0, 0, 0, 2))


def _voice(lowest: Lowest, names: Names, *, is_panel: bool) -> str:
    """What a low value is of, and by whom where more than one judge could be meant."""
    short = metric_label(lowest.metric).short
    judge = f", {plain(names[lowest.judge], limit=60)}" if is_panel else ""
    return labelled(f"{short}{judge}", lowest.trust)


def _reasons(task: Task, lowest: Lowest, verdicts: Iterable[Verdict]) -> str:
    """The first reason of a judge, which names the gravest fault; all of the heuristic's, each half of its score."""
    criterion = metric_label(lowest.metric).criterion
    for verdict in verdicts:
        is_meant = (verdict.task_id, verdict.judge, verdict.criterion) == (task.id, lowest.judge, criterion)
        if is_meant and (words := decided_words(verdict)):
            return words
        if is_meant and verdict.reasons:
            n_shown = len(verdict.reasons) if verdict.trust is Trust.OFFLINE else 1
            return " ".join(plain(reason, limit=140) for reason in verdict.reasons[:n_shown])
    return ""


def _missing(result: RunResult, names: Names) -> Iterable[Text]:
    if result.is_complete:
        return
    tally = result.tally
    yield Text(f"\nMissing: {numbers.count(tally.unscored)} of {numbers.plural(tally.planned, 'verdict')}")
    missing = [verdict for verdict in result.verdicts if is_missing(verdict)]
    counts = Counter((verdict.state, verdict.judge) for verdict in missing)
    for (state, judge), n in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        whose = f", {plain(names[judge], limit=_JUDGE)}" if len(result.settings.judges) > 1 else ""
        problem = next(verdict.problem for verdict in missing if (verdict.state, verdict.judge) == (state, judge))
        why = f": {plain(problem, limit=300)}" if problem and state is not VerdictState.NOT_ASKED else ""
        yield Text(f"  {numbers.count(n)} {state_words(state.value)}{whose}{why}")
    for stop in result.stops:
        who = plain(names[stop.judge], limit=_JUDGE)
        yield Text(f"  {who} was stopped ({plain(stop.kind)}): {plain(stop.message, limit=400)}")

"""The measured figures as text and as Markdown: the same tables in two dresses."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.records.finding import SEVERITY_ORDER
from scripts.flaw_figures import Ranking, Share
from scripts.flaw_records import Figures, Measured

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its title; the first column is text, the others are set right."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def to_text(measured: Measured) -> str:
    """Return the tables for a terminal."""
    return "\n\n".join([_opening(measured), *(_plain(table) for table in _tables(measured))])


def to_markdown(measured: Measured) -> str:
    """Return the tables for a document."""
    return "\n\n".join([_opening(measured), *(_piped(table) for table in _tables(measured))]) + "\n"


def _opening(measured: Measured) -> str:
    draws = f"seed {measured.seed}, {measured.draws} bootstrap draws over tasks, 95 % intervals"
    lines = [f"Measured on {measured.day}, {draws}."]
    lines += [f"Not loaded, and in no figure: {line}." for line in measured.not_loaded]
    return "\n".join(lines)


def _tables(measured: Measured) -> Iterator[Table]:
    yield Table("Precision: of the marked tasks, those that are flawed", _share_head(measured), _shares(measured, 0))
    yield Table("Recall: of the flawed tasks, those that are marked", _share_head(measured), _shares(measured, 1))
    head = ("domain, labels", "score", "AUROC", "average precision", "flawed / sound")
    yield Table("Ranking: flawed above sound", head, tuple(_rankings(measured.figures)))
    yield _rules(measured)
    rows = tuple((each.category, f"{each.n_found} of {each.n}") for each in measured.categories)
    yield Table("Kinds of flaws, as people named them: marked by an error or warning", ("kind", "marked"), rows)
    if measured.runs:
        yield _speed(measured)


def _share_head(measured: Measured) -> tuple[str, ...]:
    return ("domain, labels", "flawed / sound", *measured.figures[0].precision)


def _shares(measured: Measured, which: int) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            f"{one.domain}, {one.source}",
            f"{one.n_flawed} / {one.n_sound}",
            *(_share(share) for share in (one.precision, one.recall)[which].values()),
        )
        for one in measured.figures
    )


def _share(share: Share) -> str:
    """Return a share with its counts, its bootstrap interval and the exact one."""
    if share.value is None:
        return NONE
    drawn = f" [{_span(share.bootstrap)}]" if share.bootstrap else ""
    return f"{share.value:.2f} ({share.hits}/{share.n}){drawn} exact [{_span(share.exact)}]"


def _span(interval: tuple[float, float] | None) -> str:
    return NONE if interval is None else f"{interval[0]:.2f}, {interval[1]:.2f}"


def _rankings(figures: Sequence[Figures]) -> Iterator[tuple[str, ...]]:
    for one in figures:
        for name, ranking in one.rankings.items():
            yield (f"{one.domain}, {one.source}", name, *_ranking(ranking), f"{ranking.n_flawed} / {ranking.n_sound}")


def _ranking(ranking: Ranking) -> tuple[str, str]:
    pairs = ((ranking.auroc, ranking.auroc_interval), (ranking.precision, ranking.precision_interval))
    first, second = (NONE if value is None else f"{value:.2f} [{_span(interval)}]" for value, interval in pairs)
    return first, second


def _rules(measured: Measured) -> Table:
    domains = tuple(dict.fromkeys(count.domain for count in measured.rules))
    cells = {(count.severity, count.rule, count.domain): count for count in measured.rules}
    found = sorted({(SEVERITY_ORDER.index(count.severity), count.rule) for count in measured.rules})
    rows = []
    for place, rule in found:
        severity = SEVERITY_ORDER[place]
        counts = [cells.get((severity, rule, domain)) for domain in domains]
        shown = (f"{count.n_flawed} / {count.n_sound}" if count else NONE for count in counts)
        rows.append((rule, severity.value, *shown))
    return Table("Rules: flawed / sound tasks on which they report", ("rule", "severity", *domains), tuple(rows))


def _speed(measured: Measured) -> Table:
    rows = [
        (run.name, NONE, NONE, NONE, NONE, run.error)
        if run.error
        else (run.name, str(run.n_tasks), _seconds(run.cpu_seconds), _seconds(run.seconds), _memory(run.memory_mb), "")
        for run in measured.runs
    ]
    done = [run for run in measured.runs if not run.error]
    processor, wall_clock = sum(run.cpu_seconds for run in done), sum(run.seconds for run in done)
    peak = max((run.memory_mb for run in done if run.memory_mb is not None), default=None)
    n_tasks = sum(run.n_tasks for run in done)
    rows.append(("together", str(n_tasks), _seconds(processor), _seconds(wall_clock), _memory(peak), ""))
    title = f"`bench-audit check`, time and peak memory: {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}"
    return Table(title, ("benchmark", "tasks", "processor", "wall clock", "memory", "remark"), tuple(rows))


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s"


def _memory(memory_mb: float | None) -> str:
    return NONE if memory_mb is None else f"{memory_mb:.0f} MB"


def _plain(table: Table) -> str:
    widths = [max(len(row[column]) for row in (table.head, *table.rows)) for column in range(len(table.head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table.rows
    ]
    head = "  ".join(cell.ljust(width) for cell, width in zip(table.head, widths, strict=True)).rstrip()
    return "\n".join([table.title, head, *lines])


def _piped(table: Table) -> str:
    rule = "|".join(["---", *("---:" for _ in table.head[1:])])
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in (table.head, *table.rows)]
    return "\n".join([f"### {table.title}", "", lines[0], f"|{rule}|", *lines[1:]])

"""A run as an entry for a bibliography, and its numbers as a table for a paper."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.labels import labelled
from audit.reports.score_rows import ScoreRow, is_headline, panel_rows, score_rows
from audit.reports.visible import line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': r"\textquotedbl{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "@": r"\char64{}",
    "–": "--",
    "τ": r"$\tau$",
    **{sign: f"\\{sign}" for sign in "$&#_%"},
}
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def render(result: RunResult) -> bytes:
    """Return a ``@misc`` entry and, below it, a LaTeX table; the same result gives the same bytes."""
    text = "\n".join([*_entry(result), "", *_table(result), ""])
    return text.encode("utf-8", errors="backslashreplace")


def latex(text: str, *, limit: int = 200) -> str:
    r"""Return one line of text in which nothing is a command, with its braces in balance for BibTeX.

    Examples
    --------
    >>> latex("50% of {x}_1\\y")
    '50\\% of \\textbraceleft{}x\\textbraceright{}\\_1\\textbackslash{}y'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in line(text, limit=limit))


def key_of(result: RunResult) -> str:
    """Return the entry's key: the benchmark's name, and a hash of what was audited and how."""
    told = [file.sha256 for file in result.benchmark.files]
    content = "\n".join([result.benchmark.name, result.benchmark.policy.sha256, *told, result.created_at])
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    name = re.sub(r"[^a-z0-9]+", "-", result.benchmark.name.lower()).strip("-")[:40]
    return f"bench-audit-{name or 'run'}-{digest}"


def _entry(result: RunResult) -> Iterator[str]:
    benchmark = result.benchmark
    found = _DATE.match(result.created_at)
    yield f"@misc{{{key_of(result)},"
    yield f"  title = {{{{bench-audit of {latex(benchmark.title or benchmark.name)} ({latex(benchmark.name)})}}}},"
    if found:
        yield f"  year = {{{found[1]}}},"
        yield f"  month = {{{int(found[2])}}},"
    yield f"  howpublished = {{bench-audit {latex(result.tool_version)}}},"
    yield f"  note = {{{'; '.join(_notes(result))}}}"
    yield "}"


def _notes(result: RunResult) -> Iterator[str]:
    benchmark = result.benchmark
    if benchmark.version:
        yield f"version {latex(benchmark.version)}"
    for file in benchmark.files[:1]:
        more = f" and {numbers.plural(len(benchmark.files) - 1, 'more file')}" if len(benchmark.files) > 1 else ""
        yield f"{latex(file.path)} sha256 {latex(file.sha256[:16])}{more}"
    yield f"policy sha256 {latex(benchmark.policy.sha256[:16])}"
    yield f"{len(benchmark.tasks)} of {numbers.plural(benchmark.n_available, 'task')}"
    if found := _DATE.match(result.created_at):
        yield f"audited {found[0]}"
    if not result.is_complete:
        yield "incomplete"
    for row in _rows(result):
        who = latex(labelled(row.judge, row.score.trust)) if row.judge else latex(labelled("no judge", row.score.trust))
        yield f"{latex(row.label.title)} by {who}: {latex(_value(row))}"


def _rows(result: RunResult) -> list[ScoreRow]:
    rows = (*panel_rows(result), *score_rows(result))
    return [row for row in rows if row.state == "ok" and is_headline(row.score)]


def _value(row: ScoreRow) -> str:
    level = f" ({row.level})" if row.level else ""
    return f"{row.value}, {row.interval}{level}" if row.score.interval is not None else row.value


def _table(result: RunResult) -> Iterator[str]:
    yield r"\begin{tabular}{llrrr}"
    yield r"\hline"
    yield r"Metric & Judge & Value & Interval & Tasks \\"
    yield r"\hline"
    for row in _rows(result):
        judge = latex(labelled(row.judge or "none", row.score.trust))
        ends = latex(f"{row.interval} ({row.level})" if row.level else row.interval)
        yield rf"{latex(row.label.title)} & {judge} & {latex(row.value)} & {ends} & {row.n_used} \\"
    yield r"\hline"
    yield r"\end{tabular}"

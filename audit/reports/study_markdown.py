"""A study as Markdown for a pull request or a job's summary; what comes from files stands in code spans."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.study import Column, Row, StudyResult, Table
from audit.reports import numbers
from audit.reports.findings_markdown import code, ours
from audit.reports.markdown_limit import fit
from audit.reports.study_cells import NUMERIC, interval, shown
from audit.reports.study_text import label_place
from audit.reports.to_markdown import cell

N_ROWS = 40
"""Rows of a table that are shown; the CSV and the JSON have all."""


def render(result: StudyResult) -> bytes:
    """Return the text, UTF-8; the same result gives the same bytes."""
    text = "".join(f"{line}\n" for line in _lines(result))
    return fit(text, more="on the page and in the JSON of the study").encode("utf-8", errors="backslashreplace")


def _lines(result: StudyResult) -> Iterator[str]:
    yield f"## bench-audit study: {code(result.title)}"
    yield ""
    told = [f"Numbers are marked **{ours(label)}**." for label in result.labels]
    if not result.is_complete:
        told.append("**Incomplete**: verdicts are missing.")
    for text in (*told, *(code(note, limit=1000) for note in result.notes)):
        yield f"> {text}"
        yield ">"
    yield ""
    for sentence in result.summary:
        yield f"- {code(sentence, limit=1000)}"
    for table in result.tables:
        if table.rows and table.n_in_text != 0:
            yield from _table(table)
    yield ""
    yield f"{numbers.moment(result.created_at) or code(result.created_at)}, bench-audit {code(result.tool_version)}"


def _table(table: Table) -> Iterator[str]:
    yield ""
    yield f"### {code(table.title)}"
    yield ""
    yield f"| {' | '.join(ours(column.title) for column in table.columns)} |"
    yield f"|{'|'.join('--:' if column.kind in NUMERIC else '---' for column in table.columns)}|"
    for row in table.rows[:N_ROWS]:
        yield f"| {' | '.join(_cells(row, table))} |"
    if (more := len(table.rows) - N_ROWS) > 0:
        yield ""
        yield f"… and {numbers.plural(more, 'more row')}"


def _cells(row: Row, table: Table) -> Iterator[str]:
    place = label_place(table)
    for number, (each, column) in enumerate(zip(row.cells, table.columns, strict=True)):
        label = f" ({ours(row.label)})" if number == place and row.label else ""
        ends = interval(each, column)
        yield f"{_text(shown(each, column), column)}{f' ({ends})' if ends else ''}{label}"


def _text(text: str, column: Column) -> str:
    return text if column.kind in NUMERIC and "|" not in text else cell(text)

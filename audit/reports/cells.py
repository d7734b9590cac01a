"""Untrusted text as cells of a CSV file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from audit.reports.visible import block

CELL = 30_000
"""Characters that every spreadsheet and CSV reader takes in one cell."""
_FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r\n]")


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, with what is invisible written out.

    Examples
    --------
    >>> cell("=1+1"), cell("plain")
    ("'=1+1", 'plain')
    """
    shown = block(text, limit=CELL)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def write_table(header: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> bytes:
    """Return a CSV file, UTF-8, every text of it made safe; numbers are not rounded, and ``None`` is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_any(each) for each in row] for row in (header, *rows))
    return out.getvalue().encode("utf-8", errors="backslashreplace")


def _any(value: str | float | None) -> str:
    return "" if value is None else cell(value) if isinstance(value, str) else repr(value)

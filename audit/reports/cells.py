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


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file, UTF-8, every cell of it made safe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([cell(text) for text in row] for row in (header, *rows))
    return out.getvalue().encode("utf-8", errors="backslashreplace")
